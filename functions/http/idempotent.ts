import type { Actor } from "@svc/core/base/actor";
import { invalidWithCode } from "@svc/core/base/invalid";
import * as Idempotency from "@svc/core/platform/limit/idempotency";
import type { Call, Once, Step } from "./api.ts";

const header = "idempotency-key";

/**
 * Accepts an Idempotency-Key: for 24 hours, a repeated request gets the result of the first one. A key that is reused for
 * another request is rejected; `content` returns the part of the request to compare, by default the body. Adds `once`.
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
        {
          name: "Idempotency-Key",
          description: "1 to 255 visible ASCII characters. Results are stored for 24 hours, per user.",
        },
      ],
    },
    before(call) {
      const key = call.event.headers[header];
      if (key === undefined) return {};
      if (!/^[\x21-\x7e]{1,255}$/.test(key))
        throw invalidWithCode(
          { parameter: "Idempotency-Key" },
          "idempotency_key_invalid",
          "The Idempotency-Key must have 1 to 255 visible ASCII characters.",
        );
      const { routeKey, rawPath, rawQueryString, headers } = call.event;
      const workspaceId = headers["x-workspace-id"] ?? "";
      const fingerprint = Idempotency.fingerprint(
        routeKey,
        rawPath,
        rawQueryString,
        workspaceId,
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
