import * as Profile from "@svc/core/identity/profile/profile";
import { api } from "../http/api.ts";
import { secret } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Who the caller is. */
export const handler = api({ summary: "Who I am", returns: { 200: Profile.Me } })
  .use(signedIn())
  .handler(({ actor }) => Profile.me(actor), secret);
