import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as Clock from "@svc/core/base/clock";
import { Fault } from "@svc/core/base/fault";
import { log } from "@svc/core/platform/log/log";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { type Lambda, timedOut } from "../lambda.ts";
import { drained, readBody } from "./body.ts";
import { isBinary, type Received, toEvent } from "./event.ts";
import { type Match, matcher } from "./match.ts";
import { fromResult, gatewayReply, type Reply } from "./result.ts";

/** Maximum size of the JSON event and of the JSON result of a synchronous Lambda call, including base64. */
export const maxPayloadBytes = 6 * 1024 * 1024;

/** Maximum size of a binary body, which has to fit into the event as base64. */
export const maxBinaryBodyBytes = 4_715_520;

/** Time after which the gateway responds with 503 if the function has not returned. */
export const integrationTimeoutMs = 30_000;

export type Gateway = {
  /** Handles a request. Suits the `request` and `checkContinue` events of node:http. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when no function is running. */
  idle(): Promise<void>;
};

/** Emulates an API Gateway HTTP API in front of the functions of these routes. `edge` can change each response. */
export function gateway(
  routes: Readonly<Record<string, { handler: string }>>,
  lambda: Lambda,
  edge: (request: IncomingMessage, reply: Reply) => Promise<Reply> = async (_, reply) => reply,
): Gateway {
  const match = matcher(Object.keys(routes));
  const running = new Set<Promise<void>>();

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = `${randomBytes(11).toString("base64url")}=`;
    const reply = await respond(request, response, requestId);
    if (reply) await send(request, response, await edge(request, reply), requestId);
  }

  async function respond(request: IncomingMessage, response: ServerResponse, requestId: string) {
    const target = parseTarget(request, match);
    if (!target) return gatewayReply(400, "Bad Request");
    const headers = request.headersDistinct;
    const maxBytes = isBinary(headers) ? maxBinaryBodyBytes : maxPayloadBytes;
    const body = await readBody(request, response, maxBytes);
    if (body === "disconnected") return undefined;
    if (body === "too_large") return gatewayReply(413, "Request Entity Too Large");
    const received: Received = {
      method: request.method ?? "",
      path: target.path,
      query: target.query,
      protocol: `HTTP/${request.httpVersion}`,
      headers,
      body,
      sourceIp: request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "",
    };
    const event = toEvent(received, target.match, { requestId, at: Clock.now() });
    if (eventBytes(event) > maxPayloadBytes) return gatewayReply(413, "Request Entity Too Large");
    return integrate(event);
  }

  async function integrate(event: APIGatewayProxyEventV2): Promise<Reply> {
    const { routeKey, requestId } = event.requestContext;
    const route = routes[routeKey];
    if (!route) return gatewayReply(404, "Not Found");
    try {
      const result = await lambda({ file: route.handler, event, timeoutMs: integrationTimeoutMs });
      const json = JSON.stringify(result) ?? "null";
      if (Buffer.byteLength(json) > maxPayloadBytes)
        throw new Error("The result exceeds the maximum of 6 MB for a Lambda function.");
      return fromResult(JSON.parse(json));
    } catch (error) {
      log.error("function failed", { route: routeKey, requestId, error: error as Error });
      return error instanceof Fault && error.code === timedOut
        ? gatewayReply(503, "Service Unavailable")
        : gatewayReply(500, "Internal Server Error");
    }
  }

  return {
    handle(request, response) {
      const work = exchange(request, response)
        .catch((error) => {
          log.error("exchange failed", { error });
          response.destroy();
        })
        .finally(() => running.delete(work));
      running.add(work);
    },
    async idle() {
      await Promise.all(running);
    },
  };
}

/** Parses the request line and finds the route. Returns undefined if the path is malformed. */
function parseTarget(
  request: IncomingMessage,
  match: (method: string, path: string) => Match | undefined,
): { path: string; query: string; match: Match } | undefined {
  // Removes the origin of an absolute request target, as clients send it to proxies: http://host/path.
  const target = (request.url ?? "").replace(/^https?:\/\/[^/?#]*/i, "");
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  if (!path.startsWith("/")) return undefined;
  try {
    return { path, query, match: match(request.method ?? "", path) ?? { routeKey: "", pathParameters: {} } };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function eventBytes({ body = "", ...rest }: APIGatewayProxyEventV2): number {
  // Base64 needs no JSON escapes, so its length is known without serializing it.
  const inJson = rest.isBase64Encoded ? body.length : Buffer.byteLength(JSON.stringify(body));
  return Buffer.byteLength(JSON.stringify(rest)) + inJson;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
  requestId: string,
): Promise<void> {
  if (response.destroyed) return;
  const lines = [...headers, ["apigw-requestid", requestId]];
  if (status !== 204 && status !== 304) lines.push(["content-length", String(body.length)]);
  response.writeHead(status, lines.flat());
  if (!request.complete) {
    response.flushHeaders();
    response.write(body);
    await drained(request);
    response.end();
  } else response.end(body);
}
