import { asked, PageMeta, PageQuery } from "@svc/core/base/page";
import * as Member from "@svc/core/workspace/members/member";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { secret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Everybody in a team, with their pictures. */
export const handler = api({
  summary: "Members of a team",
  description: `All in one answer, up to ${Member.unpagedMembers}; paged when page or per_page is given, and beyond that.`,
  returns: { 200: z.object({ data: z.array(Member.View), meta: PageMeta }) },
})
  .use(signedIn())
  .use(team())
  .use(query(PageQuery))
  .handler(({ membership, query }) => Member.list(membership, asked(query)), secret);
