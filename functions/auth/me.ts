import * as Profile from "@svc/core/identity/profile/profile";
import { api } from "../http/api.ts";
import { signedIn } from "../http/signed-in.ts";

/** Returns the caller with their workspaces and teams. */
export const handler = api({ summary: "Get the current user", returns: { 200: Profile.Me } })
  .use(signedIn())
  .handler(({ actor }) => Profile.me(actor));
