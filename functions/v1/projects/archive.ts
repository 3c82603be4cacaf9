import * as Archive from "@svc/core/tracking/archiving/archive";
import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Archives a project and stops its running timers. Reports still include it. */
export const handler = api({
  summary: "Archive a project",
  description:
    "Stops the project’s running timers. Archiving an archived project changes nothing and emits no second event.",
  returns: { 200: Project.View },
  versioned: "never-stored",
  codes: { missing: ["project_not_found"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "manager" }))
  .use(path("id"))
  .use(idempotent())
  .handler(({ actor, membership, id }) => Archive.archive(actor, membership, id));
