import { secretHeader, viewerIpHeader } from "../functions/http/request-origin.ts";
import { apiPrefixes } from "../functions/prefixes.ts";
import { bucketOrigin } from "../packages/core/platform/storage/signer.ts";
import { pageHeaders } from "../packages/web/content-policy.ts";
import { firewallRules, responseBodies } from "./firewall.ts";
import { api } from "./gateway.ts";
import { originSecret } from "./secrets.ts";
import { settings } from "./stage.ts";
import { avatars, endpoint, files } from "./storage.ts";

const { analyticsId, domain, firewall } = settings($app.stage);

/** The managed policy AllViewerExceptHostHeader. The gateway accepts only its own host name. */
const allViewerExceptHostHeader = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

/** CloudFront would cache these errors for ten seconds, even after the caller has fixed the request. */
const errorCodes = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * Caches API responses for at most a second, and not those with `no-store`. The headers of the cache key are also forwarded
 * to the API. Among them are the ones in which CloudFront adds the viewer's location.
 */
const apiCache = new aws.cloudfront.CachePolicy("ApiCache", {
  comment: "API responses",
  minTtl: 0,
  defaultTtl: 0,
  maxTtl: 1,
  parametersInCacheKeyAndForwardedToOrigin: {
    cookiesConfig: { cookieBehavior: "all" },
    queryStringsConfig: { queryStringBehavior: "all" },
    headersConfig: {
      headerBehavior: "whitelist",
      headers: {
        items: [
          "Authorization",
          "X-Workspace-Id",
          "CloudFront-Viewer-Country",
          "CloudFront-Viewer-City",
          "CloudFront-Viewer-Latitude",
          "CloudFront-Viewer-Longitude",
        ],
      },
    },
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  },
});

/** Sends the viewer's IP address to the API. Overwrites the header if the viewer sends it. */
const viewerIp = new aws.cloudfront.Function("ViewerIp", {
  comment: "Sends the viewer's IP address to the API",
  runtime: "cloudfront-js-2.0",
  publish: true,
  code: `function handler(event) {
  event.request.headers["${viewerIpHeader}"] = { value: event.viewer.ip };
  return event.request;
}
`,
});

/**
 * Answers 404 for a path that no page has: one with an empty segment, such as `/login//x`, or one that is a path of the API after
 * decoding, such as `/%61pi/v1`. CloudFront ignores empty segments and compares encoded paths when it chooses between the API and
 * the web client, so this runs for all paths outside the API.
 */
const noPages = `let decodedPath = event.request.uri;
try {
  decodedPath = decodeURIComponent(decodedPath);
} catch (error) {}
if (decodedPath.includes("//") || ${JSON.stringify(apiPrefixes)}.includes(decodedPath.split("/")[1]))
  return {
    statusCode: 404,
    statusDescription: "Not Found",
    headers: {
      "content-type": { value: "application/problem+json" },
      "cache-control": { value: "no-store" },
    },
    body: {
      encoding: "text",
      data: JSON.stringify({
        type: "about:blank",
        title: "Not Found",
        status: 404,
        detail: "No endpoint exists at this path.",
        instance: event.request.uri,
        code: "route_not_found",
        requestId: event.context.requestId,
      }),
    },
  };`;

/** The headers of `pageHeaders`, split into CloudFront's security headers and custom headers. */
const headers = $util.all([avatars.name, files.name]).apply((names) => {
  const buckets = names.map((name) => bucketOrigin({ endpoint, forcePathStyle: false }, name));
  const {
    "content-security-policy": contentSecurityPolicy = "",
    "referrer-policy": referrerPolicy = "",
    "strict-transport-security": hsts = "",
    "x-content-type-options": _,
    ...others
  } = pageHeaders({ buckets, analytics: analyticsId !== undefined });
  return {
    security: {
      contentSecurityPolicy: { contentSecurityPolicy, override: true },
      contentTypeOptions: { override: true },
      referrerPolicy: { referrerPolicy, override: true },
      strictTransportSecurity: {
        accessControlMaxAgeSec: Number(/max-age=(\d+)/.exec(hsts)?.[1]),
        includeSubdomains: hsts.includes("includeSubDomains"),
        override: true,
      },
    },
    custom: { items: Object.entries(others).map(([header, value]) => ({ header, value, override: true })) },
  };
});

const sitePolicy = new aws.cloudfront.ResponseHeadersPolicy("SiteHeaders", {
  comment: "Headers of the pages",
  securityHeadersConfig: headers.security,
  customHeadersConfig: headers.custom,
});

/**
 * The stage's distribution. It forwards the API's paths to the gateway, and all others to the web client. Both share one
 * origin, so cookies are first-party and the client needs no CORS.
 */
export const router = new sst.aws.Router("Router", {
  domain,
  waf: firewall !== undefined,
  edge: { viewerRequest: { injection: noPages } },
  transform: {
    waf: (args) => {
      if (!firewall) return;
      args.rules = firewallRules(firewall);
      args.customResponseBodies = responseBodies;
    },
    cachePolicy: (args) => {
      // The web client's files are the same for every viewer, so S3 receives only their names.
      args.parametersInCacheKeyAndForwardedToOrigin = {
        cookiesConfig: { cookieBehavior: "none" },
        headersConfig: { headerBehavior: "none" },
        queryStringsConfig: { queryStringBehavior: "none" },
        enableAcceptEncodingBrotli: true,
        enableAcceptEncodingGzip: true,
      };
    },
    cdn: (args) => {
      // Functions need the router's URL, but not its worldwide rollout.
      args.wait = false;
      args.origins = $util
        .all([args.origins, api.url, originSecret.value])
        .apply(([origins, url, secret]) => [
          ...origins,
          {
            originId: "api",
            domainName: new URL(url).host,
            customHeaders: [{ name: secretHeader, value: secret }],
            customOriginConfig: {
              httpPort: 80,
              httpsPort: 443,
              originProtocolPolicy: "https-only",
              originReadTimeout: 30,
              originSslProtocols: ["TLSv1.2"],
            },
          },
        ]);
      args.orderedCacheBehaviors = apiPrefixes
        .flatMap((prefix) => [`/${prefix}`, `/${prefix}/*`])
        .map((pathPattern) => ({
          pathPattern,
          targetOriginId: "api",
          viewerProtocolPolicy: "https-only",
          allowedMethods: ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"],
          cachedMethods: ["GET", "HEAD"],
          // Others can contain secrets, whose compressed length would tell them (BREACH).
          compress: pathPattern === "/openapi.json",
          cachePolicyId: apiCache.id,
          originRequestPolicyId: allViewerExceptHostHeader,
          functionAssociations: [{ eventType: "viewer-request", functionArn: viewerIp.arn }],
        }));
      args.defaultCacheBehavior = $util.output(args.defaultCacheBehavior).apply((site) => ({
        ...site,
        allowedMethods: ["GET", "HEAD"],
        originRequestPolicyId: undefined,
        responseHeadersPolicyId: sitePolicy.id,
      }));
      args.customErrorResponses = errorCodes.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 }));
    },
  },
});
