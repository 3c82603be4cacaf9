import { type Route, routes } from "../functions/routes.ts";
import { type Deployed, lambda } from "./lambda.ts";
import { throttling } from "./stage.ts";

/** CORS, 404 and 405 are answered by our own functions, which know the routes; an HTTP API knows neither. */
export const api = new sst.aws.ApiGatewayV2("Api", {
  cors: false,
  accessLog: { retention: "1 month" },
  transform: {
    api: (args) => {
      args.corsConfiguration = undefined;
    },
    stage: (args) => {
      args.defaultRouteSettings = throttling;
    },
  },
});

/** A function for each route: no function may do more than one route needs. */
export const apiFunctions = Object.entries<Route>(routes).map(([key, route]): Deployed => {
  const deployed = lambda(routeName(key), route);
  api.route(key, deployed.fn.arn);
  return deployed;
});

/** `GET /team/{id}/members` becomes `get-team-id-members`; without `api`, since Lambda's names end at 64 characters. */
function routeName(key: string): string {
  return key
    .toLowerCase()
    .replace("/api/v1/", "v1/")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
