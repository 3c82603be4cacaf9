import * as Workspace from "@svc/core/workspace/workspace";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { signedIn } from "../http/signed-in.ts";

/** Every workspace of the caller. */
export const handler = api({
  summary: "My workspaces",
  returns: { 200: z.object({ data: z.array(Workspace.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await Workspace.list(actor) }));
