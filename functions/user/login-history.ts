import { FeedMeta, FeedQuery } from "@svc/core/base/feed";
import * as LoginHistory from "@svc/core/identity/sign-in/login-history";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { query } from "../http/input.ts";
import { signedIn } from "../http/signed-in.ts";

/** The caller's logins, newest first. */
export const handler = api({
  summary: "My logins, failed ones too",
  returns: { 200: z.object({ data: z.array(LoginHistory.View), meta: FeedMeta }) },
})
  .use(signedIn())
  .use(query(FeedQuery))
  .handler(({ actor, query }) => LoginHistory.list(actor, query));
