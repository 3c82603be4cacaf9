import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns one project. */
export const handler = api({
  summary: "Get a project",
  description: "hourlyRate and budget are null for members of a workspace without membersSeeMoney.",
  returns: { 200: Project.View },
  versioned: "revalidated",
  codes: { missing: ["project_not_found"] },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .handler(({ membership, id }) => Project.get(membership, id));
