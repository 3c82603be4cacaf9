import type { Actor } from "@svc/core/base/actor";
import * as Reauthentication from "@svc/core/identity/sign-in/reauthentication";
import type { Call, Step } from "./api.ts";

/**
 * Requires that the user confirmed their identity within the last ten minutes, or an API token with the scope `admin`. Use it
 * for changes to the security of the account or of a workspace. `when` limits it to some of a route's requests.
 */
export function recentlyReauthenticated<C extends Call & { actor: Actor }>(
  when: (call: C) => boolean = () => true,
): Step<C, object> {
  return {
    contract: { codes: { forbidden: ["reauthentication_required"] } },
    async before(call) {
      if (when(call)) await Reauthentication.requireRecent(call.actor);
      return {};
    },
  };
}
