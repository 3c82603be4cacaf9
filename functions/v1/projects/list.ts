import { PageMeta } from "@svc/core/base/page";
import * as ProjectList from "@svc/core/tracking/budgets/project-list";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { listOf, listReply } from "../../http/list-reply.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the projects of the current workspace by name. */
export const handler = api({
  summary: "List projects",
  description:
    "Sorted by name. Archived projects are included only with archived=true or archived=all. hourlyRate and budget are null for members of a workspace without membersSeeMoney. With include=budget_status, budgetStatus has what GET /api/v1/projects/{id}/budget returns for each project with a budget.",
  returns: { 200: listOf(ProjectList.Item, PageMeta) },
})
  .use(signedIn())
  .use(workspace())
  .use(query(ProjectList.Query))
  .handler(({ membership, query }) => ProjectList.list(membership, query), listReply);
