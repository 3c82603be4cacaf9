import * as Export from "@svc/core/lifecycle/export";
import { api } from "../http/api.ts";
import { ok } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Exports everything the service stores about the caller as one JSON file. */
export const handler = api({
  summary: "Export your data",
  description:
    "Returns everything the service stores about you as one JSON file, except the data of workspaces whose IP allowlist or required second factor refuses you. omitted names these workspaces.",
  returns: { 200: Export.Export },
  headers: ["Content-Disposition"],
})
  .use(signedIn())
  .handler(
    ({ actor }) => Export.exportAccount(actor),
    (body) => ({
      ...ok(body),
      headers: {
        "content-disposition": `attachment; filename="svc-export-${body.exportedAt.slice(0, 10)}.json"`,
      },
    }),
  );
