import * as z from "zod/mini";

/** Text on one line, without control characters and without blanks around it. */
export function line(minLength: number, maxLength: number) {
  return z.string().check(
    z.trim(),
    z.minLength(minLength),
    z.maxLength(maxLength),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here.
    z.regex(/^[^\u0000-\u001f\u007f]*$/, "Control characters and line breaks are not allowed."),
  );
}

/** The name of a person, a team, a workspace. */
export const Name = line(1, 100);

/** Text of several lines, without other control characters and without blanks around it. */
export const Note = z.string().check(
  z.trim(),
  z.maxLength(2000),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here.
  z.regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, "Control characters are not allowed."),
);

/** The pattern of LIKE for whatever has this text in it, taken letter by letter. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
