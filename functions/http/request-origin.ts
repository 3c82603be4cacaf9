import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { RequestOrigin } from "@svc/core/base/actor";
import * as Config from "@svc/core/platform/config/config";
import { canonicalIp } from "@svc/core/platform/net/ip-ranges";
import type { APIGatewayProxyEventV2 as Event } from "aws-lambda";

/** Headers that the CloudFront router in front of the API adds: its secrets, and the IP address of the viewer. */
export const secretHeader = "x-origin-secret";
export const viewerIpHeader = "x-viewer-ip";

/**
 * Returns where a request came from: the IP address of the connection or, if the request carries a secret of the router, the
 * viewer's IP address and location as CloudFront reports them. Ignores X-Forwarded-For, which any client can send, and the
 * router's headers without one.
 */
export function requestOrigin({ requestContext, headers }: Event): RequestOrigin {
  const client = {
    userAgent: (headers["user-agent"] ?? "").slice(0, 512),
    requestId: requestContext.requestId,
  };
  const ip = canonicalIp(requestContext.http.sourceIp);
  if (!fromRouter(headers)) return { ...client, ip };
  const viewerIp = headers[viewerIpHeader] ?? "";
  return { ...client, ip: isIP(viewerIp) ? canonicalIp(viewerIp) : ip, ...viewer(headers) };
}

/** The code of the 403 for requests that bypass the router. The OpenAPI document describes the API behind the router only. */
export const routerBypassed = "router_bypassed";

/** Whether the request bypassed the router although the stage has one, which its secrets show. */
export function bypassesRouter({ headers }: Event): boolean {
  return Config.originSecrets().length > 0 && !fromRouter(headers);
}

/**
 * Whether the request has a secret of the router. During a rotation the router sends several secrets and functions know
 * several, and either side may be updated first, so one in common is enough.
 */
function fromRouter(headers: Event["headers"]): boolean {
  const known = Config.originSecrets();
  const given = (headers[secretHeader] ?? "").split(",").map((secret) => secret.trim());
  return given.some((secret) => known.some((one) => equal(one, secret)));
}

function equal(a: string, b: string): boolean {
  const [expected, actual] = [Buffer.from(a), Buffer.from(b)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function viewer(headers: Event["headers"]): Pick<RequestOrigin, "viewer"> {
  const country = headers["cloudfront-viewer-country"] ?? "";
  if (!/^[A-Z]{2}$/.test(country)) return {};
  const latitude = degrees(headers["cloudfront-viewer-latitude"], 90);
  const longitude = degrees(headers["cloudfront-viewer-longitude"], 180);
  const located = latitude !== null && longitude !== null;
  return {
    viewer: {
      country,
      city: (headers["cloudfront-viewer-city"] ?? "").replace(/\p{Cc}/gu, "").slice(0, 100),
      latitude: located ? latitude : null,
      longitude: located ? longitude : null,
    },
  };
}

/** Returns null unless the value is a number within ±`limit`. */
function degrees(value: string | undefined, limit: number): number | null {
  const number = value && /^-?\d{1,3}(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return Math.abs(number) <= limit ? number : null;
}
