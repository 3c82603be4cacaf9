import * as Consent from "@svc/core/consent/consent";
import { api } from "../../http/api.ts";
import { globalPrivacyControl } from "../../http/global-privacy-control.ts";
import { ok } from "../../http/reply.ts";

/** Returns the cookies that the service sets and their purposes. */
export const handler = api({ summary: "Get the cookie policy", returns: { 200: Consent.PolicyView } })
  .use(globalPrivacyControl())
  .handler(
    async ({ globalPrivacyControl }) => Consent.policy(globalPrivacyControl),
    (policy) => ({ ...ok(policy), headers: { "cache-control": "no-store" } }),
  );
