import { Fault } from "../../base/fault.ts";
import { readText, UnacceptableBody } from "../../platform/net/read-text.ts";
import { feedRefused } from "./published-table.ts";

/** Ten times the size of the banks' longest document, which has ninety days of rates. */
export const maxBytes = 4_000_000;

/** Time limit in milliseconds, from sending the request to receiving the last byte. */
export const timeoutMs = 10_000;

/** The validators of the last received version (RFC 9110, section 8.8). */
export type Validators = { etag: string | null; lastModified: string | null };

export type Download =
  | ({ kind: "new"; text: string } & Validators)
  | { kind: "unchanged" }
  | { kind: "absent" };

export type Fetch = typeof globalThis.fetch;

export type Limits = { fetch?: Fetch; timeoutMs?: number; maxBytes?: number };

/**
 * Downloads a text. The result is `unchanged` if the known version is current (304) and `absent` if there is no document
 * (404). Throws `upstream` `feed_unreachable` for any other status, a failed connection or a timeout, and `upstream`
 * `feed_refused` for a body that is too large or not UTF-8. Stops reading a body as soon as it exceeds the limit.
 */
export async function download(
  url: string,
  known: Validators,
  { fetch = globalThis.fetch, timeoutMs: timeout = timeoutMs, maxBytes: limit = maxBytes }: Limits = {},
): Promise<Download> {
  const headers = {
    ...(known.etag !== null && { "if-none-match": known.etag }),
    ...(known.lastModified !== null && { "if-modified-since": known.lastModified }),
  };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeout) });
    if (response.status === 200)
      return {
        kind: "new",
        text: await readText(response, limit),
        etag: response.headers.get("etag"),
        lastModified: response.headers.get("last-modified"),
      };
    await response.body?.cancel();
    if (response.status === 304) return { kind: "unchanged" };
    if (response.status === 404) return { kind: "absent" };
    throw unreachable(`The bank’s server returned status ${response.status}.`);
  } catch (error) {
    if (error instanceof UnacceptableBody) throw feedRefused(error.message, error);
    throw error instanceof Fault ? error : unreachable("The bank’s server cannot be reached.", error);
  }
}

function unreachable(why: string, cause?: unknown): Fault {
  return new Fault("upstream", "feed_unreachable", why, { cause });
}
