import type { Actor } from "@svc/core/base/actor";
import { Fault } from "@svc/core/base/fault";
import * as Idempotency from "@svc/core/platform/limit/idempotency";
import type { Call, Once, Step } from "./api.ts";

/** Sent by a caller who may have to repeat a call whose answer got lost. */
const header = "idempotency-key";

/**
 * Take an Idempotency-Key: the same call again gets the same result, for 24 hours. `content` is what makes two calls the
 * same, by default the body.
 */
export function idempotent<C extends Call & { actor: Actor }>(
  content: (call: C) => string | Uint8Array = ({ event }) => event.body ?? "",
): Step<C, Partial<Once>> {
  return {
    contract: {
      codes: {
        invalid: ["idempotency_key_reused", "idempotency_key_invalid"],
        conflict: ["idempotency_in_progress"],
      },
      headers: [
        { name: "Idempotency-Key", description: "1 to 255 visible characters; kept for 24 hours per user." },
      ],
    },
    before(call) {
      const key = call.event.headers[header];
      if (key === undefined) return {};
      if (!/^[\x21-\x7e]{1,255}$/.test(key))
        throw new Fault(
          "invalid",
          "idempotency_key_invalid",
          "An Idempotency-Key has 1 to 255 visible ASCII characters.",
          {
            errors: [
              {
                parameter: "Idempotency-Key",
                code: "idempotency_key_invalid",
                detail: "Not 1 to 255 visible characters.",
              },
            ],
          },
        );
      const { routeKey, rawPath, rawQueryString, headers } = call.event;
      const workspace = headers["x-workspace-id"] ?? "";
      const fingerprint = Idempotency.fingerprint(
        routeKey,
        rawPath,
        rawQueryString,
        workspace,
        content(call),
      );
      return {
        async once(work) {
          const { result, replayed } = await Idempotency.once(
            { userId: call.actor.userId, key, fingerprint },
            work,
          );
          if (replayed) call.headers["idempotency-replayed"] = "true";
          return result;
        },
      };
    },
  };
}
