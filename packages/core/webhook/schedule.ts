/** After the first attempt, so that a delivery has four in all. */
export const maxRetries = 3;
export const firstDelaySeconds = 30;
export const factor = 8;
/** A delay is up to this part shorter or longer, so that receivers that were down are not all called at once. */
export const jitter = 0.2;
export const maxRetryAfterSeconds = 3600;

/**
 * Seconds until the next attempt after this many failures (1 and up): 30 s, 4 min, 32 min, each ±20 %, or longer when the
 * receiver asked for it, up to an hour. Undefined when there is none left.
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

/** Seconds that a Retry-After header asks for (RFC 9110, section 10.2.3): a number, or a date; undefined for neither. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
