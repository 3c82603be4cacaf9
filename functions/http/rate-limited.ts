import { Fault } from "@svc/core/base/fault";
import type { RateLimitName } from "@svc/core/platform/config/config";
import * as RateLimit from "@svc/core/platform/limit/rate-limit";
import { log } from "@svc/core/platform/log/log";
import type { Call, Step } from "./api.ts";

/** These limits fail closed: if the counter is unavailable, the request is rejected. */
const failsClosed: ReadonlySet<RateLimitName> = new Set(["login"]);

/**
 * Counts the request against a limit and rejects it with 429 `rate_limited` above the limit. The response says how many
 * requests are left (RateLimit header fields, IETF draft).
 */
export function rateLimited<C extends Call>(
  name: RateLimitName,
  subject: (call: C) => string,
): Step<C, object> {
  return {
    contract: { codes: { busy: ["rate_limited"] }, rateLimited: true },
    async before(call) {
      const quota = await RateLimit.consume(name, subject(call)).catch((error: unknown) => {
        if (failsClosed.has(name)) throw error;
        log.warn("request not counted", {
          limit: name,
          requestId: call.origin.requestId,
          error: error as Error,
        });
        return undefined;
      });
      if (!quota) return {};
      show(call, name, quota);
      if (quota.exceeded)
        throw new Fault(
          "busy",
          "rate_limited",
          `Too many requests. The limit is ${quota.limit} requests in ${quota.windowSeconds} seconds. Try again in ${quota.resetSeconds} seconds.`,
          { retryAfterSeconds: quota.resetSeconds },
        );
      return {};
    },
  };
}

/**
 * Adds `reportQuota`, which shows a limit in the response as `rateLimited` does, for a core function that counts a request only
 * once it has passed other checks.
 */
export function reportsQuotas<C extends Call>(): Step<C, { reportQuota: RateLimit.Report }> {
  return {
    contract: { codes: { busy: ["rate_limited"] }, rateLimited: true },
    before: (call) => ({ reportQuota: (name, quota) => show(call, name, quota) }),
  };
}

/** Adds a limit to the header fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10). */
function show({ headers }: Call, name: RateLimitName, quota: RateLimit.Quota): void {
  const { limit, windowSeconds, remaining, resetSeconds } = quota;
  append(headers, "ratelimit-policy", `"${name}";q=${limit};w=${windowSeconds}`);
  append(headers, "ratelimit", `"${name}";r=${remaining};t=${resetSeconds}`);
}

function append(headers: Call["headers"], name: string, item: string): void {
  headers[name] = headers[name] === undefined ? item : `${headers[name]}, ${item}`;
}
