import * as Consent from "@svc/core/consent/consent";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the cookie choices that the caller made while signed in, newest first. */
export const handler = api({
  summary: "List your cookie choices",
  description: "The choices you made while signed in, newest first.",
  returns: { 200: z.object({ data: z.array(Consent.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await Consent.list(actor) }));
