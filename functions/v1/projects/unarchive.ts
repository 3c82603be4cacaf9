import * as Archive from "@svc/core/tracking/archiving/archive";
import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Restores an archived project. Open to every plan, so that a workspace on a smaller plan gets back what it archived. */
export const handler = api({
  summary: "Restore an archived project",
  description: "A project that is not archived stays unchanged.",
  returns: { 200: Project.View },
  versioned: "never-stored",
  codes: { missing: ["project_not_found"], conflict: ["limit_reached"] },
})
  .use(signedIn())
  .use(workspace({ role: "manager" }))
  .use(path("id"))
  .use(idempotent())
  .handler(({ actor, membership, id }) => Archive.unarchive(actor, membership, id));
