import * as Settings from "@svc/core/identity/settings/settings";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates the given security settings. */
export const handler = api({ summary: "Update your security settings", returns: { 200: Settings.Settings } })
  .use(signedIn())
  .use(input(Settings.Update))
  .handler(({ actor, input }) => Settings.update(actor, input));
