import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Match } from "./match.ts";

/** A request as received from the client. */
export type Received = {
  method: string;
  /** Path and query as sent, still encoded. The query has no question mark. */
  path: string;
  query: string;
  /** For example HTTP/1.1. */
  protocol: string;
  /** All values of each header, by lower-case name. */
  headers: NodeJS.Dict<string[]>;
  body: Buffer;
  sourceIp: string;
};

/** Hop-by-hop headers, which the gateway does not forward (RFC 9110, section 7.6.1). */
const hopByHop = new Set(
  "connection expect keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

const text = /^\s*(?:text\/[^;]+|application\/(?:json|javascript|xml))\s*(?:;|$)/i;

/** Returns whether the gateway encodes the body as base64: always, except for uncompressed bodies of a text content type. */
export function isBinary(headers: Received["headers"]): boolean {
  return headers["content-encoding"] !== undefined || !text.test(headers["content-type"]?.[0] ?? "");
}

/**
 * Builds the event that an API Gateway HTTP API creates for a request (payload format 2.0). Repeated headers and query
 * parameters are joined by commas, cookies are separate from the headers, and the path and its parameters are decoded.
 */
export function toEvent(
  received: Received,
  match: Match,
  { requestId, at }: { requestId: string; at: Date },
): APIGatewayProxyEventV2 {
  const { method, path, query, protocol, body, sourceIp } = received;
  const headers = forwarded(received);
  const cookies = (received.headers.cookie ?? []).flatMap((line) => line.split(/;\s*/)).filter(Boolean);
  const rawPath = decodeURIComponent(path);
  const base64 = body.length > 0 && isBinary(received.headers);
  const domainName = headers.host ?? "localhost";
  return {
    version: "2.0",
    routeKey: match.routeKey,
    rawPath,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query && { queryStringParameters: queryParameters(query) }),
    requestContext: {
      accountId: "000000000000",
      apiId: "local",
      domainName,
      domainPrefix: domainName.split(/[.:]/, 1)[0] ?? "",
      http: { method, path: rawPath, protocol, sourceIp, userAgent: headers["user-agent"] ?? "" },
      requestId,
      routeKey: match.routeKey,
      stage: "$default",
      time: commonLogTime(at),
      timeEpoch: at.getTime(),
    },
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    ...(body.length > 0 && { body: body.toString(base64 ? "base64" : "utf8") }),
    isBase64Encoded: base64,
  };
}

function forwarded({ headers, body, sourceIp }: Received): Record<string, string> {
  const forwardable = Object.entries(headers).flatMap(([name, values = []]): [string, string][] =>
    hopByHop.has(name) || name === "cookie" ? [] : [[name, values.join(",")]],
  );
  const host = headers.host?.[0] ?? "";
  return {
    ...Object.fromEntries(forwardable),
    // The gateway adds the length even if the request used chunked encoding.
    "content-length": String(body.length),
    "x-forwarded-for": [...(headers["x-forwarded-for"] ?? []), sourceIp].join(", "),
    "x-forwarded-port": /:(\d+)$/.exec(host)?.[1] ?? "80",
    "x-forwarded-proto": "http",
  };
}

function queryParameters(query: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
}

/** Formats a time as in `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}
