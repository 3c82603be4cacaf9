import * as Settings from "@svc/core/identity/settings/settings";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns the caller's session timeout and notification settings. */
export const handler = api({ summary: "Get your security settings", returns: { 200: Settings.Settings } })
  .use(signedIn())
  .handler(({ actor }) => Settings.get(actor));
