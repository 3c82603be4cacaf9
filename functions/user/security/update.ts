import * as Settings from "@svc/core/identity/settings/settings";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Change what is given. */
export const handler = api({ summary: "Change my security settings", returns: { 200: Settings.Settings } })
  .use(signedIn())
  .use(input(Settings.Update))
  .handler(({ actor, input }) => Settings.update(actor, input));
