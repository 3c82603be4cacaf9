import { PageMeta, PageQuery, requestedPage } from "@svc/core/base/page";
import * as Member from "@svc/core/workspace/members/member";
import * as z from "zod/mini";
import { api } from "../../../http/api.ts";
import { query } from "../../../http/input.ts";
import { workspace } from "../../../http/membership.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Lists the members of the current workspace with their avatars. */
export const handler = api({
  summary: "List the members of the current workspace",
  description: `Sorted by name, with the members who are in no team. Returns up to ${Member.maxUnpaged} members at once. Larger workspaces, and requests with page or per_page, are paginated: \`meta\` says how many pages follow.`,
  returns: { 200: z.object({ data: z.array(Member.View), meta: PageMeta }) },
})
  .use(signedIn())
  .use(workspace())
  .use(query(PageQuery))
  .handler(({ membership, query }) => Member.list(membership, requestedPage(query)));
