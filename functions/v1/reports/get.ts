import * as Report from "@svc/core/report/report";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { limited } from "../../http/limited.ts";
import { workspace } from "../../http/membership.ts";
import { secret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The link to a generated report, signed anew. */
export const handler = api({
  summary: "A generated report",
  description: "A member’s own, for a manager anybody’s. Its link is signed at every call.",
  returns: { 200: Report.View },
  codes: { missing: ["report_not_found"] },
})
  .use(signedIn())
  .use(workspace())
  .use(limited("reports", ({ actor }) => actor.userId))
  .use(path("id"))
  .handler(
    ({ actor, membership, id }) => Report.get(actor, membership, id),
    (report) => secret(Report.signed(report)),
  );
