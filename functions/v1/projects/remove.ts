import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Remove a project that nothing was tracked on. */
export const handler = api({
  summary: "Remove a project without entries",
  returns: { 204: null },
  codes: { missing: ["project_not_found"], conflict: ["project_has_entries"] },
})
  .use(signedIn())
  .use(workspace({ role: "manager" }))
  .use(path("id"))
  .handler(({ actor, membership, id }) => Project.remove(actor, membership, id), noContent);
