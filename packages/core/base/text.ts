import * as z from "zod/mini";

/** Returns a schema for one line of text, which is trimmed and has no control characters. */
export function singleLine(minLength: number, maxLength: number) {
  return z.string().check(
    z.trim(),
    z.minLength(minLength),
    z.maxLength(maxLength),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
    z.regex(/^[^\u0000-\u001f\u007f]*$/, "Remove control characters and line breaks."),
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

/** Returns the LIKE pattern for values that contain `text`, with its wildcards escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
