import * as Consent from "@svc/core/consent/consent";
import { api } from "../../http/api.ts";
import { gpc } from "../../http/gpc.ts";
import { ok } from "../../http/reply.ts";

/** What cookies there are, and what for. */
export const handler = api({ summary: "The cookie policy", returns: { 200: Consent.PolicyView } })
  .use(gpc())
  .handler(
    async ({ globalPrivacyControl }) => Consent.policy(globalPrivacyControl),
    (policy) => ({ ...ok(policy), headers: { "cache-control": "no-store" } }),
  );
