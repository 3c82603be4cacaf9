import * as Consent from "@svc/core/consent/consent";
import { api } from "../../http/api.ts";
import { globalPrivacyControl } from "../../http/global-privacy-control.ts";

/** Returns the cookies that the service sets and their purposes. */
export const handler = api({
  summary: "Get the cookie policy",
  description:
    "Returns the cookies that the web client can set, by category, and the version of the policy to consent to.",
  returns: { 200: Consent.PolicyView },
})
  .use(globalPrivacyControl())
  .handler(async ({ globalPrivacyControl }) => Consent.policy(globalPrivacyControl));
