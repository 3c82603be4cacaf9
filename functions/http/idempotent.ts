import type { Actor } from "@svc/core/base/actor";
import { invalidWithCode } from "@svc/core/base/invalid";
import * as Idempotency from "@svc/core/platform/limit/idempotency";
import type { Membership } from "@svc/core/workspace/authorization";
import type { Call, Once, Step } from "./api.ts";

const header = "idempotency-key";

/**
 * Accepts an Idempotency-Key: for 24 hours, a repeated request gets the result of the first one. A key that is reused for
 * another method, path, query, workspace or body is rejected; `content` returns the part of the body to compare, by default
 * all of it. Adds `once`. Must follow `workspace()`, because a cookie or an API token can also name the workspace.
 */
export function idempotent<C extends Call & { actor: Actor; membership?: Membership }>(
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
          description:
            "A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
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
      const { routeKey, rawPath, rawQueryString } = call.event;
      const workspaceId = call.membership?.workspaceId ?? "";
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
