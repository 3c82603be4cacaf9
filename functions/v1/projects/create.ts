import * as Project from "@svc/core/tracking/projects/project";
import { maxActiveProjects } from "@svc/core/workspace/limits";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Creates a project in the current workspace. */
export const handler = api({
  summary: "Create a project",
  description: `A workspace can have at most ${maxActiveProjects} active projects.`,
  returns: { 201: Project.View },
  versioned: "never-stored",
  codes: { invalid: ["currency_unsupported", "amount_too_precise"], conflict: ["limit_reached"] },
})
  .use(signedIn())
  .use(workspace({ role: "manager" }))
  .use(input(Project.Create))
  .use(idempotent())
  .handler(
    ({ actor, membership, input }) => Project.create(actor, membership, input),
    (project) => created(project, `/api/v1/projects/${project.id}`),
  );
