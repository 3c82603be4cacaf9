/** How pictures of people are shown. Signed URLs live in this memory alone: no cookie, no storage, no service worker has them. */

/** A day: signed URLs are good for seven, and are fetched anew long before. */
export const refetchMs = 86_400_000;

/** The address of an image, if the value of an `avatar` field is one: an absolute http(s) URL. */
export function imageUrl(value: string): string | undefined {
  return /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined;
}

const steadied = new Map<string, { url: string; at: number }>();

/** Shorter than the day after which all is fetched anew, so that what is fetched then is used. */
const steadyMs = refetchMs / 2;

/**
 * Every answer signs the same picture anew. For half a day the first of these URLs goes on being used, so that the browser loads
 * each picture once. A new picture has another key, and so another path.
 */
export function stableUrl(url: string | undefined, now = Date.now()): string | undefined {
  if (url === undefined) return undefined;
  const { origin, pathname } = new URL(url);
  const known = steadied.get(origin + pathname);
  // Drawn again with the URL it has, a picture gets no younger: the next other URL is the fresh one.
  if (known && (known.url === url || now - known.at < steadyMs)) return known.url;
  steadied.set(origin + pathname, { url, at: now });
  return url;
}

/** This URL did not work: take the next one that comes. */
export function discardUrl(url: string): void {
  for (const [path, known] of steadied) if (known.url === url) steadied.delete(path);
}

/** First letters of the first and the last word, whatever the script. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => firstLetter(word ?? ""))
    .join("")
    .toLocaleUpperCase();
}

/** A hue, 0 to 359, that depends on the id alone. */
export function hue(id: string): number {
  let hash = 2166136261;
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) % 360;
}

function firstLetter(word: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(word);
  return first?.segment ?? "";
}
