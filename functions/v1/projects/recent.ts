import * as Project from "@svc/core/tracking/projects/project";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The projects that the caller tracked time on last. */
export const handler = api({
  summary: "My recent projects",
  description: `The last ${Project.recentProjects} distinct ones, latest first, none archived.`,
  returns: { 200: z.object({ data: z.array(Project.View) }) },
})
  .use(signedIn())
  .use(workspace())
  .handler(async ({ actor, membership }) => ({ data: await Project.recent(membership, actor.userId) }));
