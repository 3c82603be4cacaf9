import type { Evaluated, Resource } from "./recorded.ts";
import { all } from "./resources.ts";

/** A cache behaviour of the distribution. */
export type Behaviour = {
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
  /** The default behaviour, which serves the web client. */
  site: Behaviour;
  /** All other behaviours, which forward to the API. */
  behaviours: Behaviour[];
  origins: Origin[];
  /** The origin that is the gateway. */
  api: Origin | undefined;
};

/** Returns the stage's distribution. Throws unless there is exactly one. */
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

/** Returns a behaviour's cache policy: its TTLs, the parts of its cache key, and the headers in the key. */
export function cachePolicyOf(evaluated: Evaluated, { cachePolicyId }: Behaviour) {
  const { parametersInCacheKeyAndForwardedToOrigin: key, ...ttls } =
    byId(evaluated, "aws:cloudfront/cachePolicy:CachePolicy", cachePolicyId) ?? {};
  return { ttls, key: key ?? {}, headers: (key?.headersConfig?.headers?.items ?? []) as string[] };
}

/** Returns the code of a behaviour's edge function, or an empty string unless there is exactly one. */
export function codeOf(evaluated: Evaluated, { functionAssociations }: Behaviour): string {
  const [run, ...more] = functionAssociations ?? [];
  if (run?.eventType !== "viewer-request" || more.length > 0) return "";
  const functions = all(evaluated, "aws:cloudfront/function:Function");
  return functions.find(({ outputs }) => outputs.arn === run.functionArn)?.inputs.code ?? "";
}

/** Returns the headers that CloudFront adds to a page. */
export function pageHeadersOf(evaluated: Evaluated): Record<string, string> {
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

/** Whether the content security policy of the pages allows Google Analytics. */
export function allowsAnalytics(evaluated: Evaluated): boolean {
  return /script-src [^;]*googletagmanager/.test(pageHeadersOf(evaluated)["content-security-policy"] ?? "");
}

/** Returns the web client's files with the Cache-Control header of each. */
export function siteFiles(evaluated: Evaluated): { source: string; key: string; cacheControl: string }[] {
  return evaluated.resources.find(({ name }) => name.endsWith(".sst.aws.BucketFiles"))?.inputs.files ?? [];
}
