import * as ObjectKey from "./object-key.ts";

/** What sets a stored object apart from legacy values: addresses of an external service, names of local files. */
export const prefix = "objstore:";

/** The value that `user.avatar` holds for an object of the avatar bucket. */
export function fromKey(key: string): string {
  return prefix + key;
}

/** The raw object key behind a stored value, or undefined for an empty, a legacy or an ill-formed one. */
export function key(stored: string): string | undefined {
  const raw = stored.startsWith(prefix) ? stored.slice(prefix.length) : "";
  return ObjectKey.isValid(raw) ? raw : undefined;
}
