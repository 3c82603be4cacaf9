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
import { type Answer, fromResult, gatewayAnswer } from "./result.ts";

/** A synchronous call takes 6 MB of JSON either way, base64 included. */
export const maxPayloadBytes = 6 * 1024 * 1024;

/** The largest body that still fits when it travels as base64, beside the rest of its event. */
export const maxBinaryBodyBytes = 4_715_520;

/** How long a function may take before the gateway answers for it. */
export const integrationTimeoutMs = 30_000;

export type Gateway = {
  /** Answers a request. For `checkContinue` of node:http as well as for `request`. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when no function is at work. */
  idle(): Promise<void>;
};

/** An API Gateway HTTP API in front of the functions of these routes. */
export function gateway(routes: Readonly<Record<string, { handler: string }>>, lambda: Lambda): Gateway {
  const match = matcher(Object.keys(routes));
  const atWork = new Set<Promise<void>>();

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = `${randomBytes(11).toString("base64url")}=`;
    const answer = await reply(request, response, requestId);
    if (answer) await send(request, response, answer, requestId);
  }

  async function reply(request: IncomingMessage, response: ServerResponse, requestId: string) {
    const target = located(request, match);
    if (!target) return gatewayAnswer(400, "Bad Request");
    const headers = request.headersDistinct;
    const maxBytes = isBinary(headers) ? maxBinaryBodyBytes : maxPayloadBytes;
    const body = await readBody(request, response, maxBytes);
    if (body === "gone") return undefined;
    if (body === "too_large") return gatewayAnswer(413, "Request Entity Too Large");
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
    if (eventBytes(event) > maxPayloadBytes) return gatewayAnswer(413, "Request Entity Too Large");
    return integrate(event);
  }

  async function integrate(event: APIGatewayProxyEventV2): Promise<Answer> {
    const { routeKey, requestId } = event.requestContext;
    const route = routes[routeKey];
    if (!route) return gatewayAnswer(404, "Not Found");
    try {
      const result = await lambda({ file: route.handler, event, timeoutMs: integrationTimeoutMs });
      const json = JSON.stringify(result) ?? "null";
      if (Buffer.byteLength(json) > maxPayloadBytes)
        throw new Error("The answer is larger than the 6 MB that a function may return.");
      return fromResult(JSON.parse(json));
    } catch (error) {
      log.error("function failed", { route: routeKey, requestId, error: error as Error });
      return error instanceof Fault && error.code === timedOut
        ? gatewayAnswer(503, "Service Unavailable")
        : gatewayAnswer(500, "Internal Server Error");
    }
  }

  return {
    answer(request, response) {
      const work = exchange(request, response)
        .catch((error) => {
          log.error("exchange failed", { error });
          response.destroy();
        })
        .finally(() => atWork.delete(work));
      atWork.add(work);
    },
    async idle() {
      await Promise.all(atWork);
    },
  };
}

/** Path and query of the request line; undefined when they cannot be read. */
function located(
  request: IncomingMessage,
  match: (method: string, path: string) => Match | undefined,
): { path: string; query: string; match: Match } | undefined {
  // As a proxy is asked: http://host/path.
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
  // Base64 needs no escapes, so the large part need not be copied to be measured.
  const inJson = rest.isBase64Encoded ? body.length : Buffer.byteLength(JSON.stringify(body));
  return Buffer.byteLength(JSON.stringify(rest)) + inJson;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
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
