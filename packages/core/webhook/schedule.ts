/** Number of retries after the first attempt, so a delivery has up to four attempts. */
export const maxRetries = 3;
export const firstDelaySeconds = 30;
export const factor = 8;
/** Fraction by which a delay varies in both directions, so that a recovering receiver does not get all retries at once. */
export const jitter = 0.2;
export const maxRetryAfterSeconds = 3600;

/**
 * Returns the seconds until the next attempt after `failures` failed ones (1 or more): 30 s, 4 min, 32 min, each ±20 %, or
 * longer if the receiver sent Retry-After, up to an hour. Returns undefined when no retries are left.
 */
export function delaySeconds(
  failures: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined {
  if (failures > maxRetries) return undefined;
  const planned = firstDelaySeconds * factor ** (failures - 1);
  const varied = planned * (1 - jitter + 2 * jitter * random());
  return Math.max(varied, Math.min(retryAfterSeconds, maxRetryAfterSeconds));
}

/**
 * Parses a Retry-After header (RFC 9110, section 10.2.3), which is a number of seconds or a date. Returns the seconds to wait,
 * or undefined if the header is absent or invalid.
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
