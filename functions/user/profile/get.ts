import * as Profile from "@svc/core/identity/profile/profile";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns the caller's profile. */
export const handler = api({
  summary: "Get your profile",
  returns: { 200: Profile.Profile },
  versioned: "never-stored",
})
  .use(signedIn())
  .handler(({ actor }) => Profile.profile(actor));
