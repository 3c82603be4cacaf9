import * as Factors from "@svc/core/identity/factors/factors";
import * as z from "zod/mini";
import { api } from "../../../http/api.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** The caller's devices and security keys. */
export const handler = api({
  summary: "My devices and security keys",
  returns: { 200: z.object({ data: z.array(Factors.Key) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await Factors.keys(actor.userId) }));
