/** The initials that stand for a user without a picture, and their colour. The whole client uses this file. */

/** Number of colours, `--avatar-1` to `--avatar-5` in ui/tokens.css. White text has a contrast of at least 4.5:1 on each. */
export const colours = 5;

/** Returns the number of a user's colour, from 1 to `colours`. It depends only on the id (FNV-1a hash). */
export function colourOf(id: string): number {
  let hash = 2166136261;
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return ((hash >>> 0) % colours) + 1;
}

/**
 * Returns the first letter of the first and the last word of a name, or one letter of a single word. A letter is what readers
 * see as one character (a grapheme cluster), such as an emoji or a letter with its accents. Digits and emoji count as letters.
 * Returns an empty string for a name without any.
 */
export function initials(name: string): string {
  const letters = name.normalize("NFC").split(/\s+/).map(firstLetter).filter(Boolean);
  const [first = "", last = ""] = [letters[0], letters.length > 1 ? letters.at(-1) : ""];
  // Arabic letters would join into a word without a non-joiner.
  const separator = arabic.test(first) && arabic.test(last) ? "\u200c" : "";
  return first + separator + last;
}

const visible = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
const arabic = /\p{Script=Arabic}/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Returns the first letter of a word, in upper case. Skips punctuation and invisible characters before it. */
function firstLetter(word: string): string {
  for (const { segment } of graphemes.segment(word)) if (visible.test(segment)) return upperCase(segment);
  return "";
}

/**
 * Returns the capital, independent of the browser's language. Keeps letters whose capital is several letters ("ß") and Georgian
 * ones, which have no capital at the start of a name.
 */
function upperCase(letter: string): string {
  const capital = letter.toUpperCase();
  const single = [...graphemes.segment(capital)].length === 1;
  return single && !/\p{Script=Georgian}/u.test(letter) ? capital : letter;
}
