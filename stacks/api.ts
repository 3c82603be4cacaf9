import { groupOf, needsOf, type Route, routes } from "../functions/routes.ts";
import type { Deployed } from "./deployed.ts";
import { api, routesAre } from "./gateway.ts";
import { lambda } from "./lambda.ts";
import { originSecret } from "./secrets.ts";

const created: $util.Input<$util.Resource>[] = [];

/** One function per route, so that each has only the permissions that its route needs. */
export const apiFunctions = Object.entries<Route>(routes).map(([key, route]): Deployed => {
  const deployed = lambda(
    routeName(key),
    { ...route, needs: needsOf(route), group: groupOf(key, route) },
    { ORIGIN_SECRET: originSecret.value },
  );
  created.push(api.route(key, deployed.fn.arn).nodes.route);
  return deployed;
});
routesAre(created);

/** Turns `GET /team/{id}/members` into `get-team-id-members`. Drops `/api`, because Lambda limits names to 64 characters. */
function routeName(key: string): string {
  return key
    .toLowerCase()
    .replace("/api/v1/", "v1/")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
