import { Fault } from "@svc/core/base/fault";
import type { RateLimitName } from "@svc/core/platform/config/config";
import * as RateLimit from "@svc/core/platform/limit/rate-limit";
import { log } from "@svc/core/platform/log/log";
import type { Call, Step } from "./api.ts";

/** Where a limit guards the door, calls that cannot be counted stay outside. */
const failsClosed: ReadonlySet<RateLimitName> = new Set(["login"]);

/** Count this call against a limit; too many are 429. The answer tells what is left (RateLimit header fields, IETF draft). */
export function limited<C extends Call>(name: RateLimitName, subject: (call: C) => string): Step<C, object> {
  return {
    contract: { codes: { busy: ["rate_limited"] }, rateLimited: true },
    async before(call) {
      const quota = await RateLimit.consume(name, subject(call)).catch((error: unknown) => {
        if (failsClosed.has(name)) throw error;
        log.warn("call not counted", {
          limit: name,
          requestId: call.origin.requestId,
          error: error as Error,
        });
        return undefined;
      });
      if (!quota) return {};
      call.headers["ratelimit-policy"] = `"${name}";q=${quota.limit};w=${quota.windowSeconds}`;
      call.headers.ratelimit = `"${name}";r=${quota.remaining};t=${quota.resetSeconds}`;
      if (quota.exceeded)
        throw new Fault(
          "busy",
          "rate_limited",
          `At most ${quota.limit} calls in ${quota.windowSeconds} seconds.`,
          {
            retryAfterSeconds: quota.resetSeconds,
          },
        );
      return {};
    },
  };
}
