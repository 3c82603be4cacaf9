import { groupOf, type Route, type RouteGroup, routes } from "../functions/routes.ts";
import { settings } from "./stage.ts";

const { paused, throttles } = settings($app.stage);

/** Returns the limits of each route in a group. A burst may be twice as large. A paused stage answers 429 to every request. */
function limits(group: RouteGroup) {
  const rate = paused ? 0 : throttles[group];
  return { throttlingRateLimit: rate, throttlingBurstLimit: 2 * rate };
}

const { promise, resolve } = Promise.withResolvers<$util.Input<$util.Resource>[]>();

/** Tells the gateway which resources its routes are. Its stage refuses limits of routes that do not exist yet. */
export const routesAre = resolve;

/**
 * A line of the access log. Its integration has no latency if the gateway answered by itself. The line has no query string
 * and no header, because those may contain secrets. The latency is a number, which alarms read.
 */
const accessLogFormat = JSON.stringify({
  requestTime: "$context.requestTime",
  requestId: "$context.requestId",
  httpMethod: "$context.httpMethod",
  path: "$context.path",
  routeKey: "$context.routeKey",
  status: "$context.status",
  responseLatency: "$context.responseLatency",
  integrationLatency: "$context.integrationLatency",
  integrationStatus: "$context.integration.status",
  ip: "$context.identity.sourceIp",
}).replace('"$context.responseLatency"', "$context.responseLatency");

/** The HTTP API. The functions handle CORS, 404 and 405. */
export const api = new sst.aws.ApiGatewayV2("Api", {
  cors: false,
  accessLog: { retention: "1 month" },
  transform: {
    api: (args) => {
      args.corsConfiguration = undefined;
    },
    stage: (args, opts) => {
      args.defaultRouteSettings = limits("read");
      args.routeSettings = Object.entries<Route>(routes)
        .map(([routeKey, route]) => ({ routeKey, group: groupOf(routeKey, route) }))
        .filter(({ group }) => group !== "read")
        .map(({ routeKey, group }) => ({ routeKey, ...limits(group) }));
      opts.dependsOn = promise;
      args.accessLogSettings = $util
        .output(args.accessLogSettings)
        .apply((log) => ({ destinationArn: log?.destinationArn ?? "", format: accessLogFormat }));
    },
  },
});
