import * as Workspace from "@svc/core/workspace/workspace";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { signedIn } from "../http/signed-in.ts";

/** Lists the caller's workspaces. */
export const handler = api({
  summary: "List your workspaces",
  returns: { 200: z.object({ data: z.array(Workspace.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await Workspace.list(actor) }));
