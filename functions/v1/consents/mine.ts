import * as Consent from "@svc/core/consent/consent";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The choices that the caller made while logged in. */
export const handler = api({
  summary: "My choices about cookies, newest first",
  returns: { 200: z.object({ data: z.array(Consent.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await Consent.mine(actor) }));
