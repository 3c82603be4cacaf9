/** A failed attempt: `status` 0 means that there was no response. */
export type Attempt = {
  method: string;
  /** Whether the request has an Idempotency-Key that the operation supports. */
  keyed: boolean;
  status: number;
  code: string;
  retryAfterSeconds: number | undefined;
  /** The number of attempts before this one. */
  earlier: number;
};

const firstDelayMs = 500;

/** Statuses of failures that may be gone at the next attempt. 0 is no response. */
const temporary = [0, 502, 503, 504];

/**
 * Returns how long to wait before the next attempt, or undefined when repeating the request could do its work twice or would not
 * help. Waits as `Retry-After` says, otherwise half a second, doubled with each attempt. `random` (0 to 1) spreads waits by up to
 * a half, so that clients that failed together do not return together.
 *
 * A limit rejects requests before any work (429), so each of them may be repeated. Otherwise only reads and requests with an
 * Idempotency-Key may: PUT, PATCH and DELETE with If-Match would fail with 412 after an attempt that succeeded unnoticed. After
 * `commit_unknown` the API has discarded the key of a change that it may have saved.
 */
export function retryDelayMs(
  { method, keyed, status, code, retryAfterSeconds, earlier }: Attempt,
  random: number,
): number | undefined {
  const repeatable = method === "GET" || (keyed && code !== "commit_unknown");
  const running = keyed && status === 409 && code === "idempotency_in_progress";
  if (status !== 429 && !(repeatable && (running || temporary.includes(status)))) return undefined;
  const backOffMs = firstDelayMs * 2 ** earlier;
  return (retryAfterSeconds === undefined ? backOffMs : retryAfterSeconds * 1000) + (random * backOffMs) / 2;
}

/** Reads `Retry-After`: seconds or an HTTP-date (RFC 9110, section 10.2.3). Returns seconds, or undefined. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = value.endsWith(" GMT") ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
