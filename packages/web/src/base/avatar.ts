/** Signed avatar URLs are kept in memory only: never in cookies, storage or a service worker. */

/** One day. Signed URLs expire after seven, so everything is refetched well before that. */
export const refetchMs = 86_400_000;

/** Returns the value of an `avatar` field if it is an absolute http(s) URL. */
export function imageUrl(value: string): string | undefined {
  return /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined;
}

const stableUrls = new Map<string, { url: string; at: number }>();

/** How long one URL of a picture is reused. Shorter than `refetchMs`, so that every refetch renews the URL. */
const stableMs = refetchMs / 2;

/**
 * Returns the same URL for a picture for half a day: the first one that was seen. Every response signs a new URL, and the
 * browser would load the picture again for each. A new picture has a different path.
 */
export function stableUrl(url: string | undefined, now = Date.now()): string | undefined {
  if (url === undefined) return undefined;
  const { origin, pathname } = new URL(url);
  const known = stableUrls.get(origin + pathname);
  // The known URL stays until a response has a different one after half a day.
  if (known && (known.url === url || now - known.at < stableMs)) return known.url;
  stableUrls.set(origin + pathname, { url, at: now });
  return url;
}

/** Drops a URL that failed to load, so that the next one is used. */
export function discardUrl(url: string): void {
  for (const [path, known] of stableUrls) if (known.url === url) stableUrls.delete(path);
}

/** Returns the first letters of the first and the last word, in any script. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => firstLetter(word ?? ""))
    .join("")
    .toLocaleUpperCase();
}

/** Returns a hue from 0 to 359 that depends only on the id (FNV-1a hash). */
export function hue(id: string): number {
  let hash = 2166136261;
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) % 360;
}

function firstLetter(word: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(word);
  return first?.segment ?? "";
}
