import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Change a project; entries keep the rate that they were written with. */
export const handler = api({
  summary: "Change a project",
  description:
    "Entries keep the rate that they were written with. A new currency needs its amounts said anew.",
  returns: { 200: Project.View },
  codes: { missing: ["project_not_found"], invalid: ["currency_unsupported", "amount_too_precise"] },
})
  .use(signedIn())
  .use(workspace({ role: "manager" }))
  .use(path("id"))
  .use(input(Project.Update))
  .handler(({ actor, membership, id, input }) => Project.update(actor, membership, id, input));
