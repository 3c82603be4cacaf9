import * as ObjectKey from "./object-key.ts";

/** Distinguishes stored objects from legacy values, which are URLs of an external service or names of local files. */
export const prefix = "objstore:";

/** Returns the value of `user.avatar` for an object in the avatar bucket. */
export function fromKey(key: string): string {
  return prefix + key;
}

/** Returns the object key of a stored value, or undefined for an empty, legacy or malformed value. */
export function key(stored: string): string | undefined {
  const raw = stored.startsWith(prefix) ? stored.slice(prefix.length) : "";
  return ObjectKey.isValid(raw) ? raw : undefined;
}
