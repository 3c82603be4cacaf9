import * as Settings from "@svc/core/identity/settings/settings";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** What the caller has chosen about sessions and mails. */
export const handler = api({ summary: "My security settings", returns: { 200: Settings.Settings } })
  .use(signedIn())
  .handler(({ actor }) => Settings.get(actor));
