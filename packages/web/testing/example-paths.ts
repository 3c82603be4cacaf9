import { db } from "@svc/core/platform/db/engine";

/**
 * Returns a function that maps a page's route to a URL path that works for owner@demo.test. Each route with a parameter needs a
 * line here.
 */
export async function examplePaths(): Promise<(route: string) => string> {
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
  const paths: Record<string, string> = {
    "/currencies/:code": "/currencies/USD",
    "/projects/:id": `/projects/${project.id}`,
    "/teams/:id": `/teams/${team.id}`,
    "/webhooks/:id": `/webhooks/${endpoint_id}`,
    "/webhooks/:id/deliveries/:deliveryId": `/webhooks/${endpoint_id}/deliveries/${id}`,
  };
  return (route) => {
    const path = route.includes(":") ? paths[route] : route;
    if (!path) throw new Error(`Add a path for the route ${route} to testing/example-paths.ts.`);
    return path;
  };
}
