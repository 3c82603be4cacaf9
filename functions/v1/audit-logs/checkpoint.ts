import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns the latest signed checkpoint of the workspace's audit log. */
export const handler = api({
  summary: "Get the checkpoint of the audit log",
  description:
    "The signed end of the chain of hashes over all entries, renewed when entries are added. Keep it elsewhere: it proves later that no entry before it was changed, deleted, inserted or moved.",
  returns: { 200: Checkpoint.View },
  codes: { conflict: ["checkpoint_pending"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .handler(({ membership }) => Checkpoint.get(membership));
