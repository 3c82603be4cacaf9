import * as ApiToken from "@svc/core/identity/tokens/api-token";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the caller's API tokens without their secret values. */
export const handler = api({
  summary: "List your API tokens",
  returns: { 200: z.object({ data: z.array(ApiToken.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await ApiToken.list(actor) }));
