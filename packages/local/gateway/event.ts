import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Match } from "./match.ts";

/** A request as it came over the wire. */
export type Received = {
  method: string;
  /** Path and query, encoded as they were sent; the query without its question mark. */
  path: string;
  query: string;
  /** For example HTTP/1.1 */
  protocol: string;
  /** By lower-case name, each with every value that was sent. */
  headers: NodeJS.Dict<string[]>;
  body: Buffer;
  sourceIp: string;
};

/** Concern the connection and end at the gateway (RFC 9110, section 7.6.1). */
const hopByHop = new Set(
  "connection expect keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

const text = /^\s*(?:text\/[^;]+|application\/(?:json|javascript|xml))\s*(?:;|$)/i;

/** Whether the gateway hands such a body on as base64: all but uncompressed text, which it knows by its content type. */
export function isBinary(headers: Received["headers"]): boolean {
  return headers["content-encoding"] !== undefined || !text.test(headers["content-type"]?.[0] ?? "");
}

/**
 * The event that an HTTP API makes of a request: payload format 2.0. Values of a repeated header or query parameter are
 * joined by commas, cookies are taken out of the headers, and the path and its parameters are decoded.
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
  const kept = Object.entries(headers).flatMap(([name, values = []]): [string, string][] =>
    hopByHop.has(name) || name === "cookie" ? [] : [[name, values.join(",")]],
  );
  const host = headers.host?.[0] ?? "";
  return {
    ...Object.fromEntries(kept),
    // Whatever the framing was on the way in.
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

/** 12/Mar/2020:19:03:58 +0000 */
function commonLogTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}
