import * as SessionList from "@svc/core/identity/sessions/session-list";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the caller's active sessions. */
export const handler = api({
  summary: "List your sessions",
  returns: { 200: z.object({ data: z.array(SessionList.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await SessionList.list(actor) }));
