import { groupOf, type Route, routes } from "../../../functions/routes.ts";
import type { Resource } from "../recorded.ts";
import { all } from "../resources.ts";
import { add, difference, one, type Rule } from "./rule.ts";

const api = "aws:apigatewayv2/api:Api";
const gatewayStage = "aws:apigatewayv2/stage:Stage";
const permission = "aws:lambda/permission:Permission";
const route = "aws:apigatewayv2/route:Route";

type RouteSettings = { routeKey: string; throttlingRateLimit: number; throttlingBurstLimit: number };

/** Returns the limits of single routes, for a mutation to change. */
const limitsIn = (r: Resource[]) => one(r, gatewayStage).inputs.routeSettings as RouteSettings[];

/** Removes the limits of one route, which then has those of reads. */
function unlimit(r: Resource[], key: string): void {
  const limits = limitsIn(r);
  limits.splice(
    limits.findIndex(({ routeKey }) => routeKey === key),
    1,
  );
}

export const apigatewayRules: Rule[] = [
  {
    promise: "the gateway writes an access log without query strings or headers",
    offences: (evaluated) =>
      all(evaluated, gatewayStage).flatMap(({ inputs }) => {
        const groups = all(evaluated, "aws:cloudwatch/logGroup:LogGroup");
        const log = groups.find(({ outputs }) => outputs.arn === inputs.accessLogSettings?.destinationArn);
        return [
          ...(log?.inputs.retentionInDays > 0 ? [] : ["there is no access log, or it never expires"]),
          ...(/authorization|cookie|query|header/i.test(inputs.accessLogSettings?.format)
            ? ["the access log would contain secrets"]
            : []),
        ];
      }),
    brokenBy: {
      "no access log": (r) => delete one(r, gatewayStage).inputs.accessLogSettings.destinationArn,
      "tokens in the access log": (r) =>
        Object.assign(one(r, gatewayStage).inputs.accessLogSettings, {
          format: "$context.authorizer.cookie",
        }),
    },
  },
  {
    promise:
      "every route has the limits of its group, or none passes while the stage is paused, and the gateway waits for the routes that it limits",
    offences: (evaluated) => {
      const { paused, throttles } = evaluated.settings;
      const [stage] = all(evaluated, gatewayStage);
      const { routeSettings = [], defaultRouteSettings } = stage?.inputs ?? {};
      const limitsOf = (key: string) =>
        (routeSettings as RouteSettings[]).find(({ routeKey }) => routeKey === key) ?? defaultRouteSettings;
      return all(evaluated, route).flatMap(({ urn, inputs: { routeKey } }) => {
        const group = groupOf(routeKey, (routes as Record<string, Route>)[routeKey] ?? ({} as Route));
        const wanted = paused ? 0 : throttles[group];
        const { throttlingRateLimit: rate, throttlingBurstLimit: burst } = limitsOf(routeKey) ?? {};
        return [
          ...(rate === wanted && burst === 2 * wanted
            ? []
            : [`${routeKey} has the limits ${rate} and ${burst}`]),
          ...(stage?.dependencies.includes(urn)
            ? []
            : [`the gateway may limit ${routeKey} before it exists`]),
        ];
      });
    },
    brokenBy: {
      "a sign-in with the limits of reads": (r) => unlimit(r, "POST /auth/login"),
      "an upload with the limits of reads": (r) => unlimit(r, "POST /api/upload/avatar"),
      "another limit for one route": (r) => Object.assign(limitsIn(r)[0] ?? {}, { throttlingBurstLimit: 1 }),
      "a gateway that does not wait for its routes": (r) =>
        Object.assign(one(r, gatewayStage), { dependencies: [] }),
      "no throttling": (r) => delete one(r, gatewayStage).inputs.defaultRouteSettings,
    },
    brokenDuringRestoreBy: {
      "a paused stage that answers requests": (r) =>
        Object.assign(one(r, gatewayStage).inputs.defaultRouteSettings, { throttlingBurstLimit: 400 }),
      "a paused stage that answers one route": (r) =>
        Object.assign(one(r, gatewayStage).inputs, {
          routeSettings: [{ routeKey: "GET /auth/me", throttlingRateLimit: 1, throttlingBurstLimit: 0 }],
        }),
    },
  },
  {
    promise: "the gateway forwards every route unchanged: payload 2.0, no CORS, no authorizer",
    offences: (evaluated) => [
      ...all(evaluated, api)
        .filter(({ inputs }) => inputs.corsConfiguration)
        .map(() => "the gateway handles CORS requests"),
      ...all(evaluated, "aws:apigatewayv2/integration:Integration")
        .filter(({ inputs }) => inputs.payloadFormatVersion !== "2.0")
        .map(({ name, inputs }) => `${name} has payload format ${inputs.payloadFormatVersion}`),
      ...all(evaluated, route)
        .filter(({ inputs }) => inputs.authorizationType !== "NONE")
        .map(({ inputs }) => `the gateway authorizes ${inputs.routeKey}`),
      ...difference(
        all(evaluated, route).map(({ inputs }) => inputs.routeKey),
        Object.keys(routes),
        "route",
      ),
    ],
    brokenBy: {
      "CORS on the gateway": (r) =>
        Object.assign(one(r, api).inputs, { corsConfiguration: { allowOrigins: ["*"] } }),
      "a route that is missing from routes.ts": (r) =>
        add(r, route, { routeKey: "GET /extra", authorizationType: "NONE" }),
    },
  },
  {
    promise: "only this stack's gateway can invoke the function of a route",
    offences: (evaluated) => {
      const [gateway] = all(evaluated, api);
      return [
        ...all(evaluated, permission)
          .filter(
            ({ inputs }) =>
              inputs.principal !== "apigateway.amazonaws.com" ||
              !String(inputs.sourceArn).startsWith(`${gateway?.outputs.executionArn}/`),
          )
          .map(({ name, inputs }) => `${name} allows ${inputs.principal} for ${inputs.sourceArn}`),
        ...all(evaluated, "aws:lambda/functionUrl:FunctionUrl").map(
          ({ name }) => `${name} bypasses the gateway`,
        ),
      ];
    },
    brokenBy: {
      "a function URL": (r) => add(r, "aws:lambda/functionUrl:FunctionUrl"),
      "a permission for every principal": (r) => Object.assign(one(r, permission).inputs, { principal: "*" }),
    },
  },
];
