import { FeedMeta, FeedQuery } from "@svc/core/base/feed";
import * as LoginHistory from "@svc/core/identity/sign-in/login-history";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { query } from "../http/input.ts";
import { signedIn } from "../http/signed-in.ts";

/** Lists the caller's sign-ins, including failed ones, newest first. */
export const handler = api({
  summary: "List your sign-ins",
  description: "Includes failed attempts, newest first.",
  returns: { 200: z.object({ data: z.array(LoginHistory.View), meta: FeedMeta }) },
})
  .use(signedIn())
  .use(query(FeedQuery))
  .handler(({ actor, query }) => LoginHistory.list(actor, query));
