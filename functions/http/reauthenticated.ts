import type { Actor } from "@svc/core/base/actor";
import * as Reauthentication from "@svc/core/identity/password/reauthentication";
import type { Call, Step } from "./api.ts";

/** The password was given again within the last ten minutes: for whatever protects the account itself. */
export function reauthenticated(): Step<Call & { actor: Actor }, object> {
  return {
    contract: { codes: { forbidden: ["reauthentication_required"] } },
    async before({ actor }) {
      await Reauthentication.requireRecent(actor);
      return {};
    },
  };
}
