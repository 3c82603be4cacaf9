import { z as named } from "zod";

type Methods = Record<string, (...rest: unknown[]) => unknown>;

/** Functions of zod/mini that are methods of a schema in zod. */
const functions = ["catchall", "extend", "merge", "omit", "partial", "pick", "required", "safeExtend"].map(
  (name) => [name, (schema: Methods, ...rest: unknown[]) => schema[name]?.(...rest)] as const,
);

/** zod imported by the name `z`, as is common, with the functions that code for zod/mini calls. */
export const z = { ...named, ...Object.fromEntries(functions) };
