import { Fault } from "../../base/fault.ts";
import { refused } from "./bulletin.ts";

/** The longest document of these banks, ninety days of rates, has a tenth of this. */
export const maxBytes = 4_000_000;

/** From the first byte asked for to the last one received. */
export const timeoutMs = 10_000;

/** What a server said of the version that it sent last (RFC 9110, section 8.8). */
export type Validators = { etag: string | null; lastModified: string | null };

export type Download =
  | ({ kind: "new"; text: string } & Validators)
  | { kind: "unchanged" }
  | { kind: "absent" };

export type Fetch = typeof globalThis.fetch;

export type Limits = { fetch?: Fetch; timeoutMs?: number; maxBytes?: number };

/**
 * The text at an address, unless it is still the known version (304) or there is nothing (404). Throws 502
 * `feed_unreachable` for any other status, a connection that fails and one that takes too long, and 502 `feed_refused`
 * for a body that is too long, as soon as that is known, or not UTF-8.
 */
export async function download(
  address: string,
  known: Validators,
  { fetch = globalThis.fetch, timeoutMs: within = timeoutMs, maxBytes: most = maxBytes }: Limits = {},
): Promise<Download> {
  const headers = {
    ...(known.etag !== null && { "if-none-match": known.etag }),
    ...(known.lastModified !== null && { "if-modified-since": known.lastModified }),
  };
  try {
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(within) });
    if (response.status === 200)
      return {
        kind: "new",
        text: await text(response, most),
        etag: response.headers.get("etag"),
        lastModified: response.headers.get("last-modified"),
      };
    await response.body?.cancel();
    if (response.status === 304) return { kind: "unchanged" };
    if (response.status === 404) return { kind: "absent" };
    throw unreachable(`The bank answers ${response.status}.`);
  } catch (error) {
    throw error instanceof Fault ? error : unreachable("The bank cannot be reached.", error);
  }
}

async function text(response: Response, most: number): Promise<string> {
  const tooLong = refused(`The document has more than ${most} bytes.`);
  if (Number(response.headers.get("content-length") ?? 0) > most) {
    await response.body?.cancel();
    throw tooLong;
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [read, bytes] = ["", 0];
  // Leaving the loop by a throw cancels the body, and with it the transfer.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > most) throw tooLong;
    read += decoded(() => decoder.decode(chunk, { stream: true }));
  }
  return read + decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw refused("The document is not UTF-8.", cause);
  }
}

function unreachable(why: string, cause?: unknown): Fault {
  return new Fault("upstream", "feed_unreachable", why, { cause });
}
