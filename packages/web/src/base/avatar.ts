import { thumbHashToDataURL } from "thumbhash";

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

/** Returns the data URL of a placeholder: a blurred image from a ThumbHash in base64. Undefined if there is none. */
export function placeholderUrl(thumbHash: string): string | undefined {
  if (thumbHash === "") return undefined;
  return thumbHashToDataURL(Uint8Array.from(atob(thumbHash), (byte) => byte.charCodeAt(0)));
}
