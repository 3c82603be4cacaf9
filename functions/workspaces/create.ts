import { maxOwnedWorkspaces } from "@svc/core/workspace/limits";
import * as Workspace from "@svc/core/workspace/workspace";
import { api } from "../http/api.ts";
import { idempotent } from "../http/idempotent.ts";
import { input } from "../http/input.ts";
import { created } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Creates a workspace on the FREE plan, owned by the caller. */
export const handler = api({
  summary: "Create a workspace",
  description: `An account can own at most ${maxOwnedWorkspaces} workspaces.`,
  returns: { 201: Workspace.View },
  codes: { conflict: ["limit_reached"] },
})
  .use(signedIn())
  .use(input(Workspace.Create))
  .use(idempotent())
  .handler(
    ({ actor, input }) => Workspace.create(actor, input),
    (workspace) => created(workspace, `/workspaces/${workspace.id}`),
  );
