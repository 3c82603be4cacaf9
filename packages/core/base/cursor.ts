/** Encodes a position in a sorted list: the values of its sort columns as opaque base64url. */
export function encode(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** Decodes the values of a cursor from `encode`. Returns undefined for any other text. */
export function decode(text: string): (string | number)[] | undefined {
  if (!/^[\w-]{1,1024}$/.test(text)) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    const valid =
      Array.isArray(values) && values.every((value) => ["string", "number"].includes(typeof value));
    return valid ? values : undefined;
  } catch {
    return undefined;
  }
}
