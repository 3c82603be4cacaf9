import * as Contents from "@svc/core/report/contents";
import * as Generate from "@svc/core/report/generate";
import { retentionDays } from "@svc/core/report/object-key";
import * as Report from "@svc/core/report/report";
import { api, type Call, type Chain, type Handler } from "../../http/api.ts";
import type { Described } from "../../http/contract.ts";
import { idempotent } from "../../http/idempotent.ts";
import { workspace } from "../../http/membership.ts";
import { planGatedInput } from "../../http/plan-gated.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

export const contract: Described = {
  summary: "Generate a report file",
  description: `Writes a JSON, CSV, XLSX or PDF file of at most ${Contents.maxRows} rows (${Contents.maxPrintedRows} in a PDF). The file is kept for ${retentionDays} days; its download URL is valid for seven, or for ten minutes if the workspace has an IP allowlist. A summary, or a custom report without columns, has one row per innermost group and currency; a detailed report has one row per entry. In CSV, text that a spreadsheet could read as a formula is prefixed with an apostrophe; in XLSX, it is typed as text.`,
  returns: { 201: Report.View },
  codes: {
    missing: ["user_not_found", "project_not_found", "team_not_found", "report_not_found"],
    invalid: ["currency_unsupported", "report_too_large"],
    upstream: ["storage_unavailable"],
  },
};

/** Builds the handler. The deprecated path POST /api/v1/reports uses it too. */
export function generateHandler(chain: Chain<Call>): Handler {
  return chain
    .use(signedIn())
    .use(workspace())
    .use(rateLimited("reports", ({ actor }) => actor.userId))
    .use(planGatedInput(Generate.Generate, { plan: "ENTERPRISE", uses: Generate.isEnterprise }))
    .use(idempotent())
    .handler(
      ({ actor, membership, input }) => Generate.generate(actor, membership, input),
      // A repeated request can come from a caller who has lost the role that the report needs, so it is authorized again.
      async ({ id }, { actor, membership }) =>
        created(
          Report.withSignedUrl(await Report.get(actor, membership, id), membership),
          `/api/v1/reports/${id}`,
        ),
    );
}

/** Generates a report file. */
export const handler = generateHandler(api(contract));
