import * as z from "zod/mini";
import type { $ZodType, $ZodTypes } from "zod/v4/core";

type Path = readonly PropertyKey[];

/** The largest number of unknown members that a problem lists, so that it is not much larger than the request. */
export const maxUnknown = 100;

/**
 * Returns the paths of the members of a value that a schema does not name, and so ignores. An object that accepts further members
 * has none. In a union, the first option that accepts the value counts, as when it is parsed; without one, nothing is unknown.
 */
export function unknownMembers(schema: $ZodType, value: unknown, path: Path = []): Path[] {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.entries(objectOr(value)).flatMap(([name, member]) => {
        const known = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
        if (known) return unknownMembers(known, member, [...path, name]);
        return def.catchall && def.catchall._zod.def.type !== "never" ? [] : [[...path, name]];
      });
    case "record":
      return Object.entries(objectOr(value)).flatMap(([name, member]) =>
        unknownMembers(def.valueType, member, [...path, name]),
      );
    case "array":
      return listOr(value).flatMap((item, at) => unknownMembers(def.element, item, [...path, at]));
    case "union": {
      const option = def.options.find((option) => z.safeParse(option, value).success);
      return option ? unknownMembers(option, value, path) : [];
    }
    case "optional":
    case "nullable":
    case "default":
      return unknownMembers(def.innerType, value, path);
    case "pipe":
      return unknownMembers(def.in, value, path);
    default:
      return [];
  }
}

function objectOr(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
