// The domain code is in packages/core/identity/factors.

import * as Factors from "@svc/core/identity/factors/factors";
import * as z from "zod/mini";
import { api } from "../../../http/api.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Lists the caller's passkeys and security keys. */
export const handler = api({
  summary: "List your passkeys and security keys",
  returns: { 200: z.object({ data: z.array(Factors.Key) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await Factors.keys(actor.userId) }));
