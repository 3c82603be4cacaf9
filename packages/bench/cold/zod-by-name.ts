import { z as named } from "zod";

type Methods = Record<string, (...rest: unknown[]) => unknown>;

/** What zod has as methods of a schema and zod/mini as functions. */
const functions = ["catchall", "extend", "merge", "omit", "partial", "pick", "required", "safeExtend"].map(
  (name) => [name, (schema: Methods, ...rest: unknown[]) => schema[name]?.(...rest)] as const,
);

/** zod as most people import it, by its name `z`, for code that was written for zod/mini. */
export const z = { ...named, ...Object.fromEntries(functions) };
