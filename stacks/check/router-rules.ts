import { runInNewContext } from "node:vm";
import { secretHeader, viewerIpHeader } from "../../functions/http/origin.ts";
import { apiPrefixes } from "../../functions/prefixes.ts";
import { routes } from "../../functions/routes.ts";
import { pageHeaders } from "../../packages/web/content-policy.ts";
import { storageRegion } from "../stage.ts";
import type { Evaluated, Resource } from "./recorded.ts";
import { all, dataBucketsOf, deployed, difference, type Rule, variables } from "./rules.ts";

type Behaviour = {
  pathPattern: string;
  targetOriginId: string;
  viewerProtocolPolicy: string;
  allowedMethods: string[];
  compress: boolean;
  cachePolicyId: string;
  originRequestPolicyId?: string;
  responseHeadersPolicyId?: string;
  functionAssociations: { eventType: string; functionArn: string }[];
};

type Origin = {
  originId: string;
  domainName: string;
  customHeaders?: { name: string; value: string }[];
  customOriginConfig: { originProtocolPolicy: string; originSslProtocols: string[] };
};

type Router = {
  resource: Resource;
  /** The client's. */
  site: Behaviour;
  /** All others. */
  behaviours: Behaviour[];
  origins: Origin[];
  api: Origin | undefined;
};

/** The one distribution, with the origin that is the gateway. Throws when there is none, or a second. */
export function routerOf(evaluated: Evaluated): Router {
  const [resource, ...more] = all(evaluated, "aws:cloudfront/distribution:Distribution");
  if (!resource || more.length > 0) throw new Error("There is not exactly one distribution.");
  const { defaultCacheBehavior: site, orderedCacheBehaviors: behaviours, origins } = resource.inputs;
  const gateway =
    all(evaluated, "aws:apigatewayv2/api:Api")[0]?.outputs.apiEndpoint ?? "https://none.invalid";
  const api = origins.find(({ domainName }: Origin) => domainName === new URL(gateway).host);
  return { resource, site, behaviours, origins, api };
}

const byId = (evaluated: Evaluated, type: string, id: string | undefined) =>
  all(evaluated, type).find(({ outputs }) => outputs.id === id)?.inputs;

function cacheOf(evaluated: Evaluated, { cachePolicyId }: Behaviour) {
  const { parametersInCacheKeyAndForwardedToOrigin: key, ...times } =
    byId(evaluated, "aws:cloudfront/cachePolicy:CachePolicy", cachePolicyId) ?? {};
  return { times, key: key ?? {}, headers: (key?.headersConfig?.headers?.items ?? []) as string[] };
}

/** The code of the only function that a behaviour runs. */
export function codeOf(evaluated: Evaluated, { functionAssociations }: Behaviour): string {
  const [run, ...more] = functionAssociations ?? [];
  if (run?.eventType !== "viewer-request" || more.length > 0) return "";
  const functions = all(evaluated, "aws:cloudfront/function:Function");
  return functions.find(({ outputs }) => outputs.arn === run.functionArn)?.inputs.code ?? "";
}

/** What the code tells the origin of a viewer who says something else of themselves; undefined when it does not run. */
function toldAddress(code: string): unknown {
  const forged = { value: "203.0.113.66", multiValue: [{ value: "203.0.113.66" }] };
  const request = { method: "GET", uri: "/auth/me", headers: { [viewerIpHeader]: forged } };
  try {
    const { uri, headers } = runInNewContext(`${code};handler(event)`, {
      event: { viewer: { ip: "2001:db8::7" }, request },
    });
    return uri === request.uri ? JSON.stringify(headers[viewerIpHeader]) : undefined;
  } catch {
    return undefined;
  }
}

/** The headers that CloudFront would put on a page. */
function pageHeadersOf(evaluated: Evaluated): Record<string, string> {
  const { site } = routerOf(evaluated);
  const type = "aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy";
  const { securityHeadersConfig: known = {}, customHeadersConfig } =
    byId(evaluated, type, site.responseHeadersPolicyId) ?? {};
  const { accessControlMaxAgeSec: seconds, includeSubdomains } = known.strictTransportSecurity ?? {};
  const others = (customHeadersConfig?.items ?? []) as { header: string; value: string }[];
  return {
    "content-security-policy": known.contentSecurityPolicy?.contentSecurityPolicy ?? "",
    "strict-transport-security": `max-age=${seconds}${includeSubdomains ? "; includeSubDomains" : ""}`,
    "x-content-type-options": known.contentTypeOptions ? "nosniff" : "",
    "referrer-policy": known.referrerPolicy?.referrerPolicy ?? "",
    ...Object.fromEntries(others.map(({ header, value }) => [header, value])),
  };
}

/** Whether pages may report to Google Analytics, by what their policy says. */
export function reportsVisits(evaluated: Evaluated): boolean {
  return /script-src [^;]*googletagmanager/.test(pageHeadersOf(evaluated)["content-security-policy"] ?? "");
}

/** The files of the client, with what caches are told of each. */
export function siteFiles(evaluated: Evaluated): { source: string; key: string; cacheControl: string }[] {
  return evaluated.resources.find(({ name }) => name.endsWith(".sst.aws.BucketFiles"))?.inputs.files ?? [];
}

const everyMethod = "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT";
const allButHost = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

export const routerRules: Rule[] = [
  {
    promise: "the router hands every path of the API to the gateway, whole, and every other to the client",
    offences: (evaluated) => {
      const { behaviours, site, api } = routerOf(evaluated);
      return [
        ...difference(
          behaviours.map(({ pathPattern }) => pathPattern),
          apiPrefixes.flatMap((prefix) => [`/${prefix}`, `/${prefix}/*`]),
          "a path of the API",
        ),
        ...behaviours
          .filter(({ targetOriginId }) => !api || targetOriginId !== api.originId)
          .map(({ pathPattern }) => `${pathPattern} does not go to the gateway`),
        ...behaviours
          .filter(
            ({ allowedMethods, originRequestPolicyId, compress }) =>
              allowedMethods.toSorted().join() !== everyMethod ||
              originRequestPolicyId !== allButHost ||
              !compress,
          )
          .map(({ pathPattern }) => `${pathPattern} loses methods, cookies or headers, or is not compressed`),
        ...(site.targetOriginId === api?.originId ? ["the client is asked of the gateway"] : []),
      ];
    },
  },
  {
    promise: "the API is told the viewer's address by the router, and their place by CloudFront",
    offences: (evaluated) =>
      routerOf(evaluated).behaviours.flatMap((behaviour) => {
        const { headers } = cacheOf(evaluated, behaviour);
        const told = toldAddress(codeOf(evaluated, behaviour));
        return [
          ...(told === '{"value":"2001:db8::7"}' ? [] : [`${behaviour.pathPattern} is told ${told}`]),
          ...["Country", "City", "Latitude", "Longitude"]
            .filter((what) => !headers.includes(`CloudFront-Viewer-${what}`))
            .map((what) => `${behaviour.pathPattern} is not told the viewer's ${what}`),
        ];
      }),
  },
  {
    promise:
      "the router's secret goes to the gateway alone, every route knows it, no job does, and it is kept secret",
    offences: (evaluated) => {
      const { resource, origins, api } = routerOf(evaluated);
      const secret = api?.customHeaders?.find(({ name }) => name === secretHeader)?.value;
      if (!secret) return ["the gateway is sent no secret"];
      const shown = evaluated.resources.filter(
        ({ type, inputs }) =>
          /^aws:/.test(type) &&
          !/^aws:(lambda\/function|cloudfront\/distribution):/.test(type) &&
          JSON.stringify(inputs).includes(secret),
      );
      return [
        ...origins
          .filter((origin) => origin !== api && origin.customHeaders?.length)
          .map(({ originId }) => `the origin ${originId} is sent headers too`),
        ...(resource.secrets.includes("origins") ? [] : ["it is plain text in the state of the router"]),
        ...shown.map(({ name }) => `it is shown in ${name}`),
        ...deployed(evaluated)
          .filter(({ key, fn }) => variables(fn).ORIGIN_SECRET !== (key in routes ? secret : undefined))
          .map(({ key }) => `${key} ${key in routes ? "does not know it" : "knows it"}`),
      ];
    },
  },
  {
    promise: "nothing of the router speaks plain http",
    offences: (evaluated) => {
      const { resource, site, behaviours, api } = routerOf(evaluated);
      const { aliases = [], viewerCertificate } = resource.inputs;
      const { originProtocolPolicy, originSslProtocols } = api?.customOriginConfig ?? {};
      return [
        ...behaviours
          .filter(({ viewerProtocolPolicy }) => viewerProtocolPolicy !== "https-only")
          .map(({ pathPattern }) => `${pathPattern} may be called by http`),
        ...(site.viewerProtocolPolicy === "redirect-to-https" ? [] : ["pages may be read by http"]),
        ...(originProtocolPolicy === "https-only" && String(originSslProtocols) === "TLSv1.2"
          ? []
          : ["the gateway may be called by http, or by an old TLS"]),
        ...(aliases.length === 0 || viewerCertificate?.minimumProtocolVersion === "TLSv1.2_2021"
          ? []
          : ["viewers may use an old TLS"]),
      ];
    },
  },
  {
    promise: "an answer of the API is kept for nobody else, a second at most, and no longer than it says",
    offences: (evaluated) => {
      const { resource, behaviours } = routerOf(evaluated);
      const kept = (resource.inputs.customErrorResponses ?? []) as Record<string, unknown>[];
      return [
        ...behaviours.flatMap((behaviour) => {
          const { times, key, headers } = cacheOf(evaluated, behaviour);
          const quick = times.minTtl === 0 && times.defaultTtl === 0 && times.maxTtl <= 1;
          const own =
            key.cookiesConfig?.cookieBehavior === "all" &&
            key.queryStringsConfig?.queryStringBehavior === "all" &&
            ["Authorization", "X-Workspace-Id"].every((name) => headers.includes(name));
          return quick && own
            ? []
            : [`${behaviour.pathPattern} may be answered with something old or foreign`];
        }),
        ...[400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
          .filter((code) => !kept.some((one) => one.errorCode === code && one.errorCachingMinTtl === 0))
          .map((code) => `${code} is repeated to others`),
        ...kept
          .filter(({ responseCode, responsePagePath }) => responseCode || responsePagePath)
          .map(({ errorCode }) => `the API's own ${errorCode} is replaced`),
      ];
    },
  },
  {
    promise:
      "pages have the headers of their content policy, without inline scripts, and the API keeps its own",
    offences: (evaluated) => {
      const buckets = dataBucketsOf(evaluated)
        .map(({ outputs }) => `https://${outputs.bucket}.s3.${storageRegion}.amazonaws.com`)
        .sort();
      const wanted = pageHeaders({ buckets, analytics: reportsVisits(evaluated) });
      const got = pageHeadersOf(evaluated);
      const scripts = /script-src ([^;]*)/.exec(got["content-security-policy"] ?? "")?.[1];
      const lines = (headers: Record<string, string>) =>
        Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return [
        ...difference(lines(got), lines(wanted), "a header"),
        ...(!scripts || /unsafe|\*|data:/.test(scripts) ? [`scripts may come from ${scripts}`] : []),
        ...routerOf(evaluated)
          .behaviours.filter(({ responseHeadersPolicyId }) => responseHeadersPolicyId)
          .map(({ pathPattern }) => `${pathPattern} has its headers replaced`),
      ];
    },
  },
  {
    promise:
      "the client's files are the same for everybody, kept for ever if their name tells their content, else asked for anew",
    offences: (evaluated) => {
      const { site } = routerOf(evaluated);
      const { times, key } = cacheOf(evaluated, site);
      const files = siteFiles(evaluated);
      const wanted = (name: string) =>
        name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      return [
        ...(files.some((one) => one.key === "index.html") ? [] : ["there is no index.html"]),
        ...(files.some((one) => one.key.startsWith("assets/")) ? [] : ["there are no scripts"]),
        ...files
          .filter((one) => one.cacheControl !== wanted(one.key))
          .map((one) => `${one.key} is kept: ${one.cacheControl}`),
        ...(times.minTtl === 0 ? [] : ["a page is kept longer than it says"]),
        ...["cookiesConfig", "headersConfig", "queryStringsConfig"]
          .filter((part) => !Object.values(key[part] ?? {}).includes("none"))
          .map((part) => `a file depends on the ${part}`),
        ...(site.originRequestPolicyId ? ["the bucket is sent what the viewer sent"] : []),
        ...(site.allowedMethods.toSorted().join() === "GET,HEAD"
          ? []
          : ["the client's files take more than GET"]),
      ];
    },
  },
  {
    promise: "every function is told the router's own address",
    offences: (evaluated) => {
      const { inputs, outputs } = routerOf(evaluated).resource;
      const address = `https://${inputs.aliases?.[0] ?? outputs.domainName}`;
      return deployed(evaluated)
        .filter(({ fn }) => variables(fn).APP_URL !== address)
        .map(({ key, fn }) => `${key} is told ${variables(fn).APP_URL} instead of ${address}`);
    },
  },
];
