import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Deletes a project that has no time entries. */
export const handler = api({
  summary: "Delete a project without time entries",
  returns: { 204: null },
  codes: { missing: ["project_not_found"], conflict: ["project_has_entries"] },
})
  .use(signedIn())
  .use(workspace({ role: "manager" }))
  .use(path("id"))
  .use(ifMatch())
  .handler(({ actor, membership, id, ifMatch }) => Project.remove(actor, membership, id, ifMatch), noContent);
