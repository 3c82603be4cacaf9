import { db } from "@svc/core/platform/db/engine";

/**
 * Where each page can be looked at, by its path: those with a parameter at something that is there for owner@demo.test. A page
 * that has a parameter needs a line here.
 */
export async function addresses(): Promise<(path: string) => string> {
  const { id, endpoint_id } = await db()
    .selectFrom("webhook_deliveries")
    .select(["id", "endpoint_id"])
    .executeTakeFirstOrThrow();
  const team = await db()
    .selectFrom("teams")
    .innerJoin("workspaces", "workspaces.id", "teams.workspace_id")
    .select("teams.id")
    .where("workspaces.name", "=", "Demo")
    .executeTakeFirstOrThrow();
  const project = await db()
    .selectFrom("projects")
    .select("id")
    .where("name", "=", "Brand guide")
    .executeTakeFirstOrThrow();
  const places: Record<string, string> = {
    "/currencies/:code": "/currencies/USD",
    "/projects/:id": `/projects/${project.id}`,
    "/teams/:id": `/teams/${team.id}`,
    "/webhooks/:id": `/webhooks/${endpoint_id}`,
    "/webhooks/:id/deliveries/:deliveryId": `/webhooks/${endpoint_id}/deliveries/${id}`,
  };
  return (path) => {
    const address = path.includes(":") ? places[path] : path;
    if (!address) throw new Error(`Name an address of ${path} in testing/addresses.ts.`);
    return address;
  };
}
