/** A place in an ordered list, as clients hold it: opaque base64url of the values that the list is sorted by. */
export function encode(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** The values of a cursor that `encode` made; undefined for anything else. */
export function decode(text: string): (string | number)[] | undefined {
  if (!/^[\w-]{1,1024}$/.test(text)) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    const fine =
      Array.isArray(values) && values.every((value) => ["string", "number"].includes(typeof value));
    return fine ? values : undefined;
  } catch {
    return undefined;
  }
}
