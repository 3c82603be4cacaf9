import * as Project from "@svc/core/tracking/projects/project";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the projects on which the caller tracked time most recently. */
export const handler = api({
  summary: "List your recent projects",
  description: `The last ${Project.recentProjects} distinct projects you tracked time on, latest first. Archived projects are left out.`,
  returns: { 200: z.object({ data: z.array(Project.View) }) },
})
  .use(signedIn())
  .use(workspace())
  .handler(async ({ actor, membership }) => ({ data: await Project.recent(membership, actor.userId) }));
