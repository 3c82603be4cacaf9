import { PageMeta } from "@svc/core/base/page";
import * as Project from "@svc/core/tracking/projects/project";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { listOf, listReply } from "../../http/list-reply.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the projects of the current workspace by name. */
export const handler = api({
  summary: "List projects",
  description: "Sorted by name. Archived projects are included only with archived=true or archived=all.",
  returns: { 200: listOf(Project.View, PageMeta) },
})
  .use(signedIn())
  .use(workspace())
  .use(query(Project.ListQuery))
  .handler(({ membership, query }) => Project.list(membership, query), listReply);
