import * as AuditLog from "@svc/core/audit/audit-log";
import * as Export from "@svc/core/audit/proof/export";
import { FeedMeta } from "@svc/core/base/feed";
import { api, type Call } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { listOf, listReply, urlWith } from "../../http/list-reply.ts";
import { workspace } from "../../http/membership.ts";
import type { Reply } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

const types = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** Lists the workspace's audit log, or exports it as a CSV or NDJSON file. */
export const handler = api({
  summary: "List the audit log",
  description: `Newest first. With format=csv or format=ndjson, the reply is a file of up to ${Export.exportedRows} entries. If there are more, the Link header (rel="next") contains the URL of the next file. The last file ends with the latest checkpoint, as NDJSON after the chain of hashes that proves the log.`,
  returns: { 200: listOf(AuditLog.View, FeedMeta) },
  files: Object.values(types),
  headers: ["Content-Disposition", "Link"],
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .use(query(AuditLog.Query))
  .handler(
    async ({ membership, query }) =>
      query.format ? Export.exportEntries(membership, query, query.format) : AuditLog.list(membership, query),
    (result, call) => ("text" in result ? file(result, call) : listReply(result, call)),
  );

function file({ format, text, nextCursor }: Export.Export, { event }: Call): Reply {
  return {
    status: 200,
    text,
    headers: {
      "content-type": `${types[format]}; charset=utf-8`,
      "content-disposition": `attachment; filename="audit-log.${format}"`,
      ...(nextCursor && { link: `<${urlWith(event, { cursor: nextCursor })}>; rel="next"` }),
    },
  };
}
