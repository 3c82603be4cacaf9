import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates a project. Existing time entries keep their hourly rate. */
export const handler = api({
  summary: "Update a project",
  description:
    "Existing time entries keep their hourly rate. To change the currency, also send the hourly rate and the money budget in the new currency.",
  returns: { 200: Project.View },
  versioned: "never-stored",
  codes: { missing: ["project_not_found"], invalid: ["currency_unsupported", "amount_too_precise"] },
})
  .use(signedIn())
  .use(workspace({ role: "manager" }))
  .use(path("id"))
  .use(input(Project.Update))
  .use(ifMatch())
  .handler(({ actor, membership, id, input, ifMatch }) =>
    Project.update(actor, membership, id, input, ifMatch),
  );
