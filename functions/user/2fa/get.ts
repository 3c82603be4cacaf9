import * as Factors from "@svc/core/identity/factors/factors";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The caller's second factors. */
export const handler = api({ summary: "My second factors", returns: { 200: Factors.Overview } })
  .use(signedIn())
  .handler(({ actor }) => Factors.overview(actor.userId));
