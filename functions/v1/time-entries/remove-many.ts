import * as Bulk from "@svc/core/tracking/time-entries/bulk";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Deletes several time entries. */
export const handler = api({
  summary: "Delete several time entries",
  description: `Deletes up to ${Bulk.maxEntries} entries, all or none, by the rules of a single one. When some cannot be deleted, the status and code are those of the first of them, and errors has the reason for each at /ids/0, /ids/1 and so on.`,
  returns: { 204: null },
  codes: {
    forbidden: ["insufficient_role"],
    missing: ["time_entry_not_found"],
    conflict: ["project_archived", "period_locked"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(input(Bulk.Remove))
  .use(idempotent())
  .handler(({ actor, membership, input }) => Bulk.remove(actor, membership, input), noContent);
