import * as Consent from "@svc/core/consent/consent";
import { categoryOf, cookieDomains, cookiesToExpire } from "@svc/core/consent/policy";
import * as Config from "@svc/core/platform/config/config";
import { api } from "../../http/api.ts";
import { clearCookie, cookieNames } from "../../http/cookies.ts";
import { globalPrivacyControl } from "../../http/global-privacy-control.ts";
import { input } from "../../http/input.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { created } from "../../http/reply.ts";
import { optionallySignedIn } from "../../http/signed-in.ts";

/** Records a choice of cookies and expires the cookies that it rejects. */
export const handler = api({
  summary: "Record a choice of cookies",
  description: "Expires the cookies that the choice rejects.",
  returns: { 201: Consent.View },
  codes: { conflict: ["policy_changed"], forbidden: ["cross_origin"] },
})
  .use(optionallySignedIn())
  .use(rateLimited("consent", ({ origin }) => origin.ip))
  .use(globalPrivacyControl())
  .use(input(Consent.Choice))
  .handler(
    ({ actor, origin, input, globalPrivacyControl }) =>
      Consent.record(actor, origin, input, globalPrivacyControl),
    (consent, { event }) => ({
      ...created(consent, "/api/v1/consents/mine"),
      cookies: cookiesToExpire(consent.categories, cookieNames(event)).flatMap((name) =>
        clearCookie(
          name,
          categoryOf(name) === "analytics" ? cookieDomains(new URL(Config.appUrl()).hostname) : [],
        ),
      ),
    }),
  );
