import type { Actor } from "@svc/core/base/actor";
import * as Reauthentication from "@svc/core/identity/password/reauthentication";
import type { Call, Step } from "./api.ts";

/**
 * Requires that the user entered the password within the last ten minutes. Use it for changes to the security of the account.
 */
export function recentlyReauthenticated(): Step<Call & { actor: Actor }, object> {
  return {
    contract: { codes: { forbidden: ["reauthentication_required"] } },
    async before({ actor }) {
      await Reauthentication.requireRecent(actor);
      return {};
    },
  };
}
