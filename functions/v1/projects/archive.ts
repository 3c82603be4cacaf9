import * as Archive from "@svc/core/tracking/archiving/archive";
import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Close a project to new time: its timers stop, it leaves the default lists, and reports keep it. */
export const handler = api({
  summary: "Archive a project",
  description: "Its running timers stop. Again: unchanged, without a second event.",
  returns: { 200: Project.View },
  codes: { missing: ["project_not_found"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "manager" }))
  .use(path("id"))
  .use(idempotent())
  .handler(({ actor, membership, id }) => Archive.archive(actor, membership, id));
