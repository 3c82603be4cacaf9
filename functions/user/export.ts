import * as Export from "@svc/core/lifecycle/export";
import { api } from "../http/api.ts";
import { okNoStore } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Exports everything the service stores about the caller as one JSON file. */
export const handler = api({
  summary: "Export your data",
  description: "Returns everything the service stores about you as one JSON file.",
  returns: { 200: Export.Export },
})
  .use(signedIn())
  .handler(
    ({ actor }) => Export.exportAccount(actor),
    (body) => {
      const { status, headers } = okNoStore(body);
      const name = `svc-export-${body.exportedAt.slice(0, 10)}.json`;
      return {
        status,
        body,
        headers: { ...headers, "content-disposition": `attachment; filename="${name}"` },
      };
    },
  );
