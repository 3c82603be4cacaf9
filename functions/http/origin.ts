import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { RequestOrigin } from "@svc/core/base/actor";
import * as Config from "@svc/core/platform/config/config";
import { canonicalIp } from "@svc/core/platform/net/ip-ranges";
import type { APIGatewayProxyEventV2 as Event } from "aws-lambda";

/** What the router in front of the API sets: its secret, and the address it was called from. */
export const secretHeader = "x-origin-secret";
export const viewerIpHeader = "x-viewer-ip";

/**
 * Where a call came from. The connection's address, unless our own router says with its secret that it stands between:
 * then the viewer's, and what CloudFront knows of their place. X-Forwarded-For is never believed, since anybody can send
 * it, and neither are the router's headers without the secret.
 */
export function origin({ requestContext, headers }: Event): RequestOrigin {
  const known = {
    userAgent: (headers["user-agent"] ?? "").slice(0, 512),
    requestId: requestContext.requestId,
  };
  const ip = canonicalIp(requestContext.http.sourceIp);
  if (!fromRouter(headers)) return { ...known, ip };
  const viewerIp = headers[viewerIpHeader] ?? "";
  return { ...known, ip: isIP(viewerIp) ? canonicalIp(viewerIp) : ip, ...viewer(headers) };
}

function fromRouter(headers: Event["headers"]): boolean {
  const secret = Config.originSecret();
  const given = headers[secretHeader];
  if (!secret || given === undefined) return false;
  const [expected, actual] = [Buffer.from(secret), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function viewer(headers: Event["headers"]): Pick<RequestOrigin, "viewer"> {
  const country = headers["cloudfront-viewer-country"] ?? "";
  if (!/^[A-Z]{2}$/.test(country)) return {};
  const latitude = degrees(headers["cloudfront-viewer-latitude"], 90);
  const longitude = degrees(headers["cloudfront-viewer-longitude"], 180);
  const both = latitude !== null && longitude !== null;
  return {
    viewer: {
      country,
      city: (headers["cloudfront-viewer-city"] ?? "").replace(/\p{Cc}/gu, "").slice(0, 100),
      latitude: both ? latitude : null,
      longitude: both ? longitude : null,
    },
  };
}

function degrees(value: string | undefined, most: number): number | null {
  const number = value && /^-?\d{1,3}(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return Math.abs(number) <= most ? number : null;
}
