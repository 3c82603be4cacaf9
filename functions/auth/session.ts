import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { secret } from "../http/reply.ts";
import { maybeSignedIn } from "../http/signed-in.ts";

/** Whether the browser holds a token that is good: its pages cannot read the cookie, and need not try what would fail. */
export const handler = api({
  summary: "Whether I am logged in",
  returns: { 200: z.object({ signedIn: z.boolean() }) },
})
  .use(maybeSignedIn())
  .handler(async ({ actor }) => ({ signedIn: actor !== undefined }), secret);
