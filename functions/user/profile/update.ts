import * as Profile from "@svc/core/identity/profile/profile";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { secret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Change what is given; the picture is not writable here. */
export const handler = api({ summary: "Change my profile", returns: { 200: Profile.Profile } })
  .use(signedIn())
  .use(input(Profile.Update))
  .handler(({ actor, input }) => Profile.update(actor, input), secret);
