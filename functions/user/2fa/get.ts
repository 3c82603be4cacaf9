// The domain code is in packages/core/identity/factors.

import * as Factors from "@svc/core/identity/factors/factors";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns the caller's second factors. */
export const handler = api({ summary: "Get your second factors", returns: { 200: Factors.Overview } })
  .use(signedIn())
  .handler(({ actor }) => Factors.overview(actor.userId));
