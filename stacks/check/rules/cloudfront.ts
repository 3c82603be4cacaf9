import { runInNewContext } from "node:vm";
import { secretHeader, viewerIpHeader } from "../../../functions/http/request-origin.ts";
import { apiPrefixes } from "../../../functions/prefixes.ts";
import { routes } from "../../../functions/routes.ts";
import { pageHeaders } from "../../../packages/web/content-policy.ts";
import { storageRegion } from "../../stage.ts";
import type { Resource } from "../recorded.ts";
import { dataBucketsOf, deployed, variables } from "../resources.ts";
import { allowsAnalytics, cachePolicyOf, codeOf, pageHeadersOf, routerOf, siteFiles } from "../router.ts";
import { difference, environmentOf, one, type Rule } from "./rule.ts";

const cachePolicy = "aws:cloudfront/cachePolicy:CachePolicy";
const distribution = "aws:cloudfront/distribution:Distribution";
const edgeFunction = "aws:cloudfront/function:Function";
const pagePolicy = "aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy";

const everyMethod = "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT";

/** The id of the managed policy AllViewerExceptHostHeader. */
const allViewerExceptHostHeader = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

/**
 * Returns the header with the viewer's IP address that the code sends to the origin when the viewer forges that header.
 * Returns undefined if the code fails or changes the path.
 */
function viewerIpSentBy(code: string): unknown {
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

/** Returns the status and the media type with which the code answers a path by itself, or undefined if it forwards the request. */
function answerTo(uri: string, code: string): string | undefined {
  const request = { method: "GET", uri, headers: { host: { value: "app.example.com" } }, querystring: {} };
  const sandbox = {
    event: { viewer: { ip: "::1" }, context: { requestId: "r1" }, request },
    cf: { kvs: () => ({ get: async () => Promise.reject(new Error("No key-value store")) }) },
    answer: undefined as { statusCode?: number; headers?: Record<string, { value: string }> } | undefined,
  };
  const script = code.replace(/^\s*import cf from "cloudfront";/m, "");
  // Promises settle before the script returns.
  const options = { microtaskMode: "afterEvaluate" } as const;
  runInNewContext(`${script}\n;handler(event).then((it) => { answer = it; }, () => {})`, sandbox, options);
  const { statusCode, headers } = sandbox.answer ?? {};
  return statusCode === undefined ? undefined : `${statusCode} ${headers?.["content-type"]?.value}`;
}

/** Returns the behaviours of the API's paths, for a mutation to change. */
function apiBehaviours(r: Resource[]): Record<string, unknown>[] {
  return one(r, distribution).inputs.orderedCacheBehaviors;
}

/** Returns the distribution's origins: the web client's bucket, then the gateway. */
function originsIn(r: Resource[]): Record<string, unknown>[] {
  return one(r, distribution).inputs.origins;
}

/** Returns the parts of the cache key of a cache policy. */
function cacheKey(r: Resource[], name: RegExp) {
  return one(r, cachePolicy, name).inputs.parametersInCacheKeyAndForwardedToOrigin;
}

function siteFile(r: Resource[], key: RegExp): { cacheControl: string } {
  const { inputs } = one(r, "pulumi-nodejs:dynamic:Resource", /BucketFiles/);
  return inputs.files.find((file: { key: string }) => key.test(file.key));
}

export const cloudfrontRules: Rule[] = [
  {
    promise:
      "the router forwards every path of the API to the gateway with all methods, cookies and headers, and every other path to the web client",
    offences: (evaluated) => {
      const { behaviours, site, api } = routerOf(evaluated);
      return [
        ...difference(
          behaviours.map(({ pathPattern }) => pathPattern),
          apiPrefixes.flatMap((prefix) => [`/${prefix}`, `/${prefix}/*`]),
          "path of the API",
        ),
        ...behaviours
          .filter(({ targetOriginId }) => !api || targetOriginId !== api.originId)
          .map(({ pathPattern }) => `${pathPattern} does not go to the gateway`),
        ...behaviours
          .filter(
            ({ allowedMethods, originRequestPolicyId }) =>
              allowedMethods.toSorted().join() !== everyMethod ||
              originRequestPolicyId !== allViewerExceptHostHeader,
          )
          .map(({ pathPattern }) => `${pathPattern} loses methods, cookies or headers`),
        ...(site.targetOriginId === api?.originId ? ["the gateway serves the web client"] : []),
      ];
    },
    brokenBy: {
      "a path of the API that the web client serves": (r) => apiBehaviours(r).pop(),
      "a path of the API with another origin": (r) =>
        Object.assign(apiBehaviours(r)[0] ?? {}, { targetOriginId: "default" }),
      "another gateway": (r) => Object.assign(originsIn(r)[1] ?? {}, { domainName: "api.example.com" }),
      "an API that accepts only GET and HEAD": (r) =>
        Object.assign(apiBehaviours(r)[0] ?? {}, { allowedMethods: ["GET", "HEAD"] }),
      "an API that receives no cookies": (r) => delete apiBehaviours(r)[0]?.originRequestPolicyId,
    },
  },
  {
    promise:
      "the API receives the viewer's IP address from the router and the viewer's location from CloudFront",
    offences: (evaluated) =>
      routerOf(evaluated).behaviours.flatMap((behaviour) => {
        const { headers } = cachePolicyOf(evaluated, behaviour);
        const sent = viewerIpSentBy(codeOf(evaluated, behaviour));
        return [
          ...(sent === '{"value":"2001:db8::7"}' ? [] : [`${behaviour.pathPattern} receives ${sent}`]),
          ...["Country", "City", "Latitude", "Longitude"]
            .filter((part) => !headers.includes(`CloudFront-Viewer-${part}`))
            .map((part) => `${behaviour.pathPattern} does not receive the viewer's ${part}`),
        ];
      }),
    brokenBy: {
      "an IP address from the viewer's own header": (r) =>
        Object.assign(apiBehaviours(r)[0] ?? {}, { functionAssociations: [] }),
      "an edge function that fails": (r) =>
        Object.assign(one(r, edgeFunction, /^ViewerIp$/).inputs, {
          code: "function handler(event) { return request; }",
        }),
      "an edge function that forwards the viewer's header": (r) =>
        Object.assign(one(r, edgeFunction, /^ViewerIp$/).inputs, {
          code: "function handler(event) { return event.request; }",
        }),
      "no location headers": (r) => {
        cacheKey(r, /^ApiCache$/).headersConfig.headers.items = ["Authorization", "X-Workspace-Id"];
      },
    },
  },
  {
    promise:
      "a path with an empty segment, or of the API but encoded, is 404 as a problem document, and no page",
    offences: (evaluated) => {
      const code = codeOf(evaluated, routerOf(evaluated).site);
      return [
        ...["//", "//auth.example.com/login", "/login//x", "/assets//", "/api%2Fuser", "/%61pi/v1/projects"]
          .filter((path) => answerTo(path, code) !== "404 application/problem+json")
          .map((path) => `${path} is a page`),
        ...["/", "/login", "/settings/security", "/100%"]
          .filter((path) => answerTo(path, code) !== undefined)
          .map((path) => `${path} is no page`),
      ];
    },
    brokenBy: {
      "pages at every path": (r) => {
        const { inputs } = one(r, edgeFunction, /^RouterCloudfrontFunctionRequest$/);
        inputs.code = inputs.code.replace('Path.includes("//")', 'Path.includes("///")');
      },
      "pages at encoded paths of the API": (r) => {
        const { inputs } = one(r, edgeFunction, /^RouterCloudfrontFunctionRequest$/);
        inputs.code = inputs.code.replace("decodeURIComponent(decodedPath)", "decodedPath");
      },
      "a web client without pages": (r) => {
        const { inputs } = one(r, edgeFunction, /^RouterCloudfrontFunctionRequest$/);
        inputs.code = inputs.code.replace('Path.includes("//")', 'Path.includes("/")');
      },
    },
  },
  {
    promise: "the web client and the OpenAPI document are compressed, and no other response of the API",
    offences: (evaluated) => {
      const { behaviours, site } = routerOf(evaluated);
      return [
        ...behaviours
          .filter(({ pathPattern, compress }) => compress !== (pathPattern === "/openapi.json"))
          .map(({ pathPattern, compress }) => `${pathPattern} is ${compress ? "" : "not "}compressed`),
        ...(site.compress ? [] : ["the web client is not compressed"]),
      ];
    },
    brokenBy: {
      "a compressed API": (r) => Object.assign(apiBehaviours(r)[0] ?? {}, { compress: true }),
      "a document of full size": (r) =>
        Object.assign(apiBehaviours(r).find(({ pathPattern }) => pathPattern === "/openapi.json") ?? {}, {
          compress: false,
        }),
      "a web client of full size": (r) =>
        Object.assign(one(r, distribution).inputs.defaultCacheBehavior, { compress: false }),
    },
  },
  {
    promise:
      "only the gateway receives the router's secrets, every route and no job knows all of them, and no resource exposes one",
    offences: (evaluated) => {
      const { resource, origins, api } = routerOf(evaluated);
      const secrets = api?.customHeaders?.find(({ name }) => name === secretHeader)?.value;
      if (!secrets) return ["the gateway receives no secret"];
      const shown = evaluated.resources.filter(
        ({ type, inputs }) =>
          /^aws:/.test(type) &&
          !/^aws:(lambda\/function|cloudfront\/distribution):/.test(type) &&
          secrets.split(",").some((secret) => JSON.stringify(inputs).includes(secret)),
      );
      return [
        ...origins
          .filter((origin) => origin !== api && origin.customHeaders?.length)
          .map(({ originId }) => `the origin ${originId} receives custom headers`),
        ...(resource.secrets.includes("origins") ? [] : ["the router's state shows the secret"]),
        ...shown.map(({ name }) => `${name} shows the secret`),
        ...deployed(evaluated)
          .filter(({ key, fn }) => variables(fn).ORIGIN_SECRET !== (key in routes ? secrets : undefined))
          .map(({ key }) => `${key} ${key in routes ? "does not know all secrets" : "knows a secret"}`),
      ];
    },
    brokenBy: {
      "no secret": (r) => delete originsIn(r)[1]?.customHeaders,
      "the secret in requests to the bucket": (r) =>
        Object.assign(originsIn(r)[0] ?? {}, { customHeaders: originsIn(r)[1]?.customHeaders }),
      "the secret in plain text": (r) => Object.assign(one(r, distribution), { secrets: [] }),
      "the secret in the code of an edge function": (r) =>
        Object.assign(one(r, edgeFunction, /^ViewerIp$/).inputs, {
          code: `// ${environmentOf(r, "GetTeam").ORIGIN_SECRET?.split(",")[1]}`,
        }),
      "a router that sends only the newest secret": (r) => {
        const newest = environmentOf(r, "GetTeam").ORIGIN_SECRET?.split(",")[0];
        Object.assign(originsIn(r)[1] ?? {}, { customHeaders: [{ name: secretHeader, value: newest }] });
      },
      "a route that does not know the secret": (r) => delete environmentOf(r, "GetTeam").ORIGIN_SECRET,
      "a job that knows the secret": (r) =>
        Object.assign(environmentOf(r, "SetPlan"), {
          ORIGIN_SECRET: environmentOf(r, "GetTeam").ORIGIN_SECRET,
        }),
    },
  },
  {
    promise: "the router neither accepts nor makes requests over plain HTTP or an old TLS version",
    offences: (evaluated) => {
      const { resource, site, behaviours, api } = routerOf(evaluated);
      const { aliases = [], viewerCertificate } = resource.inputs;
      const { originProtocolPolicy, originSslProtocols } = api?.customOriginConfig ?? {};
      return [
        ...behaviours
          .filter(({ viewerProtocolPolicy }) => viewerProtocolPolicy !== "https-only")
          .map(({ pathPattern }) => `${pathPattern} accepts plain HTTP`),
        ...(site.viewerProtocolPolicy === "redirect-to-https" ? [] : ["pages are served over plain HTTP"]),
        ...(originProtocolPolicy === "https-only" && String(originSslProtocols) === "TLSv1.2"
          ? []
          : ["the gateway is called over plain HTTP or an old TLS version"]),
        ...(aliases.length === 0 || viewerCertificate?.minimumProtocolVersion === "TLSv1.2_2021"
          ? []
          : ["viewers may use an old TLS version"]),
      ];
    },
    brokenBy: {
      "an API over plain HTTP": (r) =>
        Object.assign(apiBehaviours(r)[0] ?? {}, { viewerProtocolPolicy: "allow-all" }),
      "pages over plain HTTP": (r) =>
        Object.assign(one(r, distribution).inputs.defaultCacheBehavior, {
          viewerProtocolPolicy: "allow-all",
        }),
      "a secret sent over plain HTTP": (r) =>
        Object.assign(originsIn(r)[1]?.customOriginConfig ?? {}, { originProtocolPolicy: "match-viewer" }),
      "an old TLS version": (r) =>
        Object.assign(one(r, distribution).inputs.viewerCertificate, { minimumProtocolVersion: "TLSv1" }),
    },
  },
  {
    promise:
      "an API response is cached for at most a second and only for the same caller, and errors are not cached",
    offences: (evaluated) => {
      const { resource, behaviours } = routerOf(evaluated);
      const errors = (resource.inputs.customErrorResponses ?? []) as Record<string, unknown>[];
      return [
        ...behaviours.flatMap((behaviour) => {
          const { ttls, key, headers } = cachePolicyOf(evaluated, behaviour);
          const isShort = ttls.minTtl === 0 && ttls.defaultTtl === 0 && ttls.maxTtl <= 1;
          const isPerCaller =
            key.cookiesConfig?.cookieBehavior === "all" &&
            key.queryStringsConfig?.queryStringBehavior === "all" &&
            ["Authorization", "X-Workspace-Id"].every((name) => headers.includes(name));
          return isShort && isPerCaller
            ? []
            : [`${behaviour.pathPattern} may return a stale response or another caller's response`];
        }),
        ...[400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
          .filter((code) => !errors.some((one) => one.errorCode === code && one.errorCachingMinTtl === 0))
          .map((code) => `error ${code} is cached`),
        ...errors
          .filter(({ responseCode, responsePagePath }) => responseCode || responsePagePath)
          .map(({ errorCode }) => `error ${errorCode} of the API is replaced`),
      ];
    },
    brokenBy: {
      "responses that are cached for a day": (r) =>
        Object.assign(one(r, cachePolicy, /^ApiCache$/).inputs, { maxTtl: 86_400 }),
      "responses that are cached despite no-store": (r) =>
        Object.assign(one(r, cachePolicy, /^ApiCache$/).inputs, { minTtl: 1 }),
      "one response for all cookies": (r) => {
        cacheKey(r, /^ApiCache$/).cookiesConfig.cookieBehavior = "none";
      },
      "errors that are cached": (r) => one(r, distribution).inputs.customErrorResponses.pop(),
      "a page instead of an API error": (r) =>
        Object.assign(one(r, distribution).inputs.customErrorResponses[2], {
          responseCode: 200,
          responsePagePath: "/index.html",
        }),
    },
  },
  {
    promise:
      "pages have the headers of content-policy.ts, which forbids inline scripts, and API responses keep their own headers",
    offences: (evaluated) => {
      const buckets = dataBucketsOf(evaluated)
        .map(({ outputs }) => `https://${outputs.bucket}.s3.${storageRegion}.amazonaws.com`)
        .sort();
      const wanted = pageHeaders({ buckets, analytics: allowsAnalytics(evaluated) });
      const got = pageHeadersOf(evaluated);
      const scripts = /script-src ([^;]*)/.exec(got["content-security-policy"] ?? "")?.[1];
      const lines = (headers: Record<string, string>) =>
        Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return [
        ...difference(lines(got), lines(wanted), "header"),
        ...(!scripts || /unsafe|\*|data:/.test(scripts) ? [`scripts may come from ${scripts}`] : []),
        ...routerOf(evaluated)
          .behaviours.filter(({ responseHeadersPolicyId }) => responseHeadersPolicyId)
          .map(({ pathPattern }) => `the headers of ${pathPattern} are replaced`),
      ];
    },
    brokenBy: {
      "inline scripts": (r) => {
        const { contentSecurityPolicy: policy } = one(r, pagePolicy).inputs.securityHeadersConfig;
        policy.contentSecurityPolicy += "; script-src 'self' 'unsafe-inline'";
      },
      "pages without headers": (r) =>
        delete one(r, distribution).inputs.defaultCacheBehavior.responseHeadersPolicyId,
      "pages without HSTS": (r) =>
        delete one(r, pagePolicy).inputs.securityHeadersConfig.strictTransportSecurity,
      "API responses with the headers of pages": (r) =>
        Object.assign(apiBehaviours(r)[0] ?? {}, { responseHeadersPolicyId: "SiteHeaders" }),
    },
  },
  {
    promise:
      "the web client's files are the same for every viewer; files with a hash in their name are cached forever, all others are revalidated",
    offences: (evaluated) => {
      const { site } = routerOf(evaluated);
      const { ttls, key } = cachePolicyOf(evaluated, site);
      const files = siteFiles(evaluated);
      const wanted = (name: string) =>
        name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      return [
        ...(files.some((one) => one.key === "index.html") ? [] : ["there is no index.html"]),
        ...(files.some((one) => one.key.startsWith("assets/")) ? [] : ["there are no scripts"]),
        ...files
          .filter((one) => one.cacheControl !== wanted(one.key))
          .map((one) => `${one.key} has the wrong Cache-Control: ${one.cacheControl}`),
        ...(ttls.minTtl === 0 ? [] : ["pages are cached longer than their Cache-Control allows"]),
        ...["cookiesConfig", "headersConfig", "queryStringsConfig"]
          .filter((part) => !Object.values(key[part] ?? {}).includes("none"))
          .map((part) => `files depend on the ${part}`),
        ...(site.originRequestPolicyId ? ["the bucket receives headers of the viewer"] : []),
        ...(site.allowedMethods.toSorted().join() === "GET,HEAD"
          ? []
          : ["the web client accepts methods other than GET and HEAD"]),
      ];
    },
    brokenBy: {
      "an index.html that is cached for a day": (r) =>
        Object.assign(siteFile(r, /^index\.html$/), { cacheControl: "max-age=86400" }),
      "scripts that are revalidated": (r) =>
        Object.assign(siteFile(r, /^assets\//), { cacheControl: "no-cache" }),
      "files that accept POST": (r) =>
        one(r, distribution).inputs.defaultCacheBehavior.allowedMethods.push("POST"),
      "query strings in requests to the bucket": (r) => {
        cacheKey(r, /^Router/).queryStringsConfig.queryStringBehavior = "all";
      },
    },
  },
];
