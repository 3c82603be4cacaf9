import { PageMeta, PageQuery, requestedPage } from "@svc/core/base/page";
import * as Member from "@svc/core/workspace/members/member";
import * as TeamMember from "@svc/core/workspace/members/team-member";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the members of a team with their avatars. */
export const handler = api({
  summary: "List the members of a team",
  description: `Returns up to ${Member.maxUnpaged} members at once. Larger teams, and requests with page or per_page, are paginated: \`meta\` says how many pages follow.`,
  returns: { 200: z.object({ data: z.array(Member.View), meta: PageMeta }) },
})
  .use(signedIn())
  .use(team())
  .use(query(PageQuery))
  .handler(({ membership, query }) => TeamMember.list(membership, requestedPage(query)));
