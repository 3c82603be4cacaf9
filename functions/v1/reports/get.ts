import * as Report from "@svc/core/report/report";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns a generated report with a newly signed download URL. */
export const handler = api({
  summary: "Get a generated report",
  description: "Members see their own reports, managers see everyone’s. Each call signs a new download URL.",
  returns: { 200: Report.View },
  codes: { missing: ["report_not_found"] },
})
  .use(signedIn())
  .use(workspace())
  .use(rateLimited("reports", ({ actor }) => actor.userId))
  .use(path("id"))
  .handler(
    ({ actor, membership, id }) => Report.get(actor, membership, id),
    (report, { membership }) => ok(Report.withSignedUrl(report, membership)),
  );
