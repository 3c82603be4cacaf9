import { createHash } from "node:crypto";

/**
 * Returns the name, or its beginning and a hash of all of it if it has more than `length` characters. The same name is always
 * shortened in the same way, so that a deployment does not replace the resource.
 */
export function shortened(name: string, length: number): string {
  if (name.length <= length) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.slice(0, length - hash.length - 1)}-${hash}`;
}
