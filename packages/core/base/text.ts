import * as z from "zod/mini";

/**
 * Returns a schema for one line of text, which is trimmed and has no control characters. Those for the direction of text are
 * rejected too, because they can make a name look like another one.
 */
export function singleLine(minLength: number, maxLength: number) {
  return z.string().check(
    z.trim(),
    z.minLength(minLength),
    z.maxLength(maxLength),
    z.regex(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
      /^[^\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]*$/,
      "Remove line breaks and invisible control characters.",
    ),
  );
}

/** The name of a user, a team or a workspace. */
export const Name = singleLine(1, 100);

/** Text of several lines, which is trimmed and has no control characters other than tabs and line breaks. */
export const Note = z.string().check(
  z.trim(),
  z.maxLength(2000),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
  z.regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, "Remove control characters."),
);

/**
 * Returns the path of the first text within a value that the database cannot store: text with NUL, or that is not well-formed
 * Unicode because it has half of a surrogate pair. Returns undefined if there is none. Values may be nested to any depth.
 */
export function findUnstorable(value: unknown): PropertyKey[] | undefined {
  type Place = { value: unknown; key?: string | number; parent?: Place };
  const places: Place[] = [{ value }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { value } = place;
    if (typeof value === "string" && !isStorable(value)) return pathOf(place);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value))
      places.push({ value: member, key: Array.isArray(value) ? Number(key) : key, parent: place });
  }
  return undefined;

  function pathOf(place: Place): PropertyKey[] {
    const path: PropertyKey[] = [];
    for (let at: Place | undefined = place; at; at = at.parent) if (at.key !== undefined) path.push(at.key);
    return path.reverse();
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Returns the LIKE pattern for values that contain `text`, with its wildcards escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
