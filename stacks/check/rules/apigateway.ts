import { routes } from "../../../functions/routes.ts";
import { all } from "../resources.ts";
import { add, difference, one, type Rule } from "./rule.ts";

const api = "aws:apigatewayv2/api:Api";
const gatewayStage = "aws:apigatewayv2/stage:Stage";
const permission = "aws:lambda/permission:Permission";
const route = "aws:apigatewayv2/route:Route";

export const apigatewayRules: Rule[] = [
  {
    promise: "the gateway throttles requests and writes an access log without query strings or headers",
    offences: (evaluated) =>
      all(evaluated, gatewayStage).flatMap(({ inputs }) => {
        const { throttlingRateLimit: rate, throttlingBurstLimit: burst } = inputs.defaultRouteSettings ?? {};
        const groups = all(evaluated, "aws:cloudwatch/logGroup:LogGroup");
        const log = groups.find(({ outputs }) => outputs.arn === inputs.accessLogSettings?.destinationArn);
        return [
          ...(rate > 0 && burst > 0 ? [] : ["there is no throttling"]),
          ...(log?.inputs.retentionInDays > 0 ? [] : ["there is no access log, or it never expires"]),
          ...(/authorization|cookie|query|header/i.test(inputs.accessLogSettings?.format)
            ? ["the access log would contain secrets"]
            : []),
        ];
      }),
    brokenBy: {
      "no throttling": (r) => delete one(r, gatewayStage).inputs.defaultRouteSettings,
      "no access log": (r) => delete one(r, gatewayStage).inputs.accessLogSettings.destinationArn,
      "tokens in the access log": (r) =>
        Object.assign(one(r, gatewayStage).inputs.accessLogSettings, {
          format: "$context.authorizer.cookie",
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
