import * as Profile from "@svc/core/identity/profile/profile";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { input } from "../../http/input.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates the given profile fields. The avatar has its own endpoint. */
export const handler = api({
  summary: "Update your profile",
  description: "Changes only the given fields. To change the avatar, use POST /api/upload/avatar.",
  returns: { 200: Profile.Profile },
  versioned: "never-stored",
})
  .use(signedIn())
  .use(input(Profile.Update))
  .use(ifMatch())
  .handler(({ actor, input, ifMatch }) => Profile.update(actor, input, ifMatch));
