import { once } from "node:events";
import { Agent, createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { log } from "@svc/core/platform/log/log";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Handler, lambda } from "../lambda.ts";
import { manualTimer } from "../testing/manual-timer.ts";
import {
  type Gateway,
  gateway,
  integrationTimeoutMs,
  maxBinaryBodyBytes,
  maxPayloadBytes,
} from "./gateway.ts";

const routes = {
  "GET /things/{id}": { handler: "things/get" },
  "POST /things": { handler: "things/create" },
  "PUT /slow": { handler: "slow" },
  $default: { handler: "fallback" },
};

/** Handlers of the test, by the file in the routes. */
const handlers = new Map<string, Handler>();
const loaded: string[] = [];
const clock = manualTimer();

let api: Gateway;
let server: Server;
let port: number;
let agent: Agent;

beforeEach(async () => {
  vi.spyOn(log, "error").mockReturnValue();
  handlers.clear();
  loaded.length = 0;
  for (const { handler } of Object.values(routes)) handlers.set(handler, (event) => event);
  api = gateway(
    routes,
    lambda(clock.timer, async (file) => {
      loaded.push(file);
      return handlers.get(file) ?? Promise.reject(new Error(`no ${file}`));
    }),
  );
  server = createServer(api.handle);
  server.on("checkContinue", api.handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});

afterEach(async () => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  vi.restoreAllMocks();
});

type Answered = { status: number; headers: IncomingHttpHeaders; body: string };

async function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<Answered> {
  const outgoing = request({ port, host: "127.0.0.1", method, path, headers, agent });
  outgoing.end(body);
  const [response] = await once(outgoing, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

async function socket(): Promise<Socket> {
  const opened = connect(port, "127.0.0.1");
  opened.on("error", () => {});
  await once(opened, "connect");
  return opened;
}

/** Reads from the server until the text contains `until`. */
async function readUntil(from: Socket, until: string): Promise<string> {
  let received = "";
  for await (const chunk of from.iterator({ destroyOnReturn: false })) {
    received += chunk;
    if (received.includes(until)) break;
  }
  return received;
}

test("the gateway converts a request to an event and the result to a response", async () => {
  const { status, headers, body } = await send("GET", "/things/a%20b?x=1&x=2", {
    headers: { cookie: "one=1; two=2", "x-twice": ["a", "b"], "User-Agent": "test" },
  });
  const event: APIGatewayProxyEventV2 = JSON.parse(body);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/json");
  expect(event).toMatchObject({
    routeKey: "GET /things/{id}",
    rawPath: "/things/a b",
    rawQueryString: "x=1&x=2",
    queryStringParameters: { x: "1,2" },
    pathParameters: { id: "a b" },
    cookies: ["one=1", "two=2"],
    headers: { "x-twice": "a,b", "user-agent": "test", host: `127.0.0.1:${port}` },
    requestContext: { http: { method: "GET", sourceIp: "127.0.0.1", protocol: "HTTP/1.1" } },
  });
  expect(headers["apigw-requestid"]).toBe(event.requestContext.requestId);
});

test("the gateway loads functions on their first call and passes a Lambda context", async () => {
  expect(loaded).toEqual([]);
  handlers.set("things/create", (_event, context) => ({
    name: context.functionName,
    id: context.awsRequestId,
    left: context.getRemainingTimeInMillis(),
  }));
  const first = JSON.parse((await send("POST", "/things")).body);
  const second = JSON.parse((await send("POST", "/things")).body);
  expect(first.name).toBe("svc-local-things-create");
  expect(first.left).toBeGreaterThan(integrationTimeoutMs - 5000);
  expect(first.left).toBeLessThanOrEqual(integrationTimeoutMs);
  expect(second.id).not.toBe(first.id);
  expect(new Set(loaded)).toEqual(new Set(["things/create"]));
});

test("the gateway sends requests without a route to $default", async () => {
  for (const [method, path] of [
    ["PATCH", "/things"],
    ["OPTIONS", "/things"],
    ["GET", "/nothing/here"],
    ["HEAD", "/things/1"],
  ] as const)
    await send(method, path);
  expect(loaded).toEqual(Array(4).fill("fallback"));
});

test("the gateway passes binary bodies as base64 in both directions", async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  handlers.set("things/create", (event) => {
    const { body = "", isBase64Encoded } = event as APIGatewayProxyEventV2;
    return { statusCode: 200, headers: { "content-type": "image/webp" }, body, isBase64Encoded };
  });
  const outgoing = request({ port, host: "127.0.0.1", method: "POST", path: "/things", agent });
  outgoing.setHeader("content-type", "image/webp");
  outgoing.end(bytes);
  const [response] = await once(outgoing, "response");
  expect(Buffer.concat(await response.toArray())).toEqual(bytes);
  expect(response.headers["content-length"]).toBe("256");
});

test("the gateway sends each cookie as a separate Set-Cookie header", async () => {
  handlers.set("things/create", () => ({ statusCode: 200, cookies: ["a=1", "b=2"] }));
  expect((await send("POST", "/things")).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
});

test("the gateway responds to HEAD with the length of the body and no body", async () => {
  handlers.set("fallback", () => ({ statusCode: 200, body: "12345" }));
  expect(await send("HEAD", "/things/1")).toMatchObject({ headers: { "content-length": "5" }, body: "" });
});

test("the gateway sends neither body nor length with 204 and 304", async () => {
  for (const statusCode of [204, 304]) {
    handlers.set("things/create", () => ({ statusCode }));
    const { status, headers } = await send("POST", "/things");
    expect(status).toBe(statusCode);
    expect(headers["content-length"]).toBeUndefined();
  }
});

test.each([
  ["rejects", () => Promise.reject(new Error("secret detail"))],
  [
    "throws",
    () => {
      throw new Error("secret detail");
    },
  ],
  ["returns a malformed result", () => ({ statusCode: 200, body: 5 })],
  ["returns a value that JSON cannot represent", () => ({ statusCode: 200, count: 5n })],
  ["returns more than 6 MB", () => ({ statusCode: 200, body: "x".repeat(maxPayloadBytes) })],
])("the gateway returns a 500 without details for a function that %s", async (_, handler) => {
  handlers.set("things/create", handler);
  const { status, headers, body } = await send("POST", "/things");
  expect([status, body]).toEqual([500, '{"message":"Internal Server Error"}']);
  expect(headers["content-type"]).toBe("application/json");
  expect(log.error).toHaveBeenCalledOnce();
});

test("the gateway returns 500 for a function that cannot be loaded", async () => {
  handlers.delete("slow");
  expect((await send("PUT", "/slow")).status).toBe(500);
});

test("the gateway returns 503 after 30 seconds and ignores the late result", async () => {
  const slow = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  handlers.set("slow", () => {
    begun.resolve();
    return slow.promise;
  });
  const answer = send("PUT", "/slow");
  await begun.promise;
  expect(clock.waits()).toEqual([30_000]);
  clock.ring();
  expect(await answer).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
  slow.reject(new Error("too late to matter"));
  expect((await send("GET", "/things/1")).status).toBe(200);
});

test("the gateway cancels the timer of a function that returns in time", async () => {
  await send("GET", "/things/1");
  expect(clock.waits()).toEqual([]);
});

test("the gateway accepts the largest binary body and returns 413 for one byte more", async () => {
  handlers.set("things/create", (event) => (event as APIGatewayProxyEventV2).body?.length);
  const binary = { "content-type": "application/octet-stream" };
  const largest = await send("POST", "/things", { headers: binary, body: Buffer.alloc(maxBinaryBodyBytes) });
  expect(largest.body).toBe(String((maxBinaryBodyBytes / 3) * 4));
  const over = await send("POST", "/things", { headers: binary, body: Buffer.alloc(maxBinaryBodyBytes + 1) });
  expect(over).toMatchObject({ status: 413, body: '{"message":"Request Entity Too Large"}' });
});

test("the gateway counts JSON escapes and headers towards the size limit", async () => {
  handlers.set("things/create", (event) => (event as APIGatewayProxyEventV2).body?.length);
  const plain = { "content-type": "text/plain" };
  const over = maxBinaryBodyBytes + 1_000_000;
  expect((await send("POST", "/things", { headers: plain, body: "x".repeat(over) })).body).toBe(String(over));
  expect((await send("POST", "/things", { headers: plain, body: '"'.repeat(over) })).status).toBe(413);
});

test("the gateway returns 413 for a chunked body that is too large, and the client can read the response", async () => {
  const client = await socket();
  client.write("POST /things HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000), Buffer.from("\r\n")]);
  for (let sent = 0; sent <= maxBinaryBodyBytes; sent += 0x100000) client.write(chunk);
  expect(await readUntil(client, "Too Large")).toMatch(/^HTTP\/1\.1 413 /);
  // The rest of the body is discarded. After its end, the connection can be used again.
  client.write(chunk);
  client.write("0\r\n\r\nGET /things/7 HTTP/1.1\r\nHost: h\r\n\r\n");
  expect(await readUntil(client, '"id":"7"')).toMatch(/^HTTP\/1\.1 200 /);
  client.destroy();
});

test("the gateway returns 413 for a Content-Length that is too large without asking for the body", async () => {
  const client = await socket();
  client.write(
    `POST /things HTTP/1.1\r\nHost: h\r\nContent-Length: 90000000\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(await readUntil(client, "Too Large")).toMatch(/^HTTP\/1\.1 413 /);
  client.destroy();
  await api.idle();
  expect(loaded).toEqual([]);
});

test("the gateway responds to Expect: 100-continue", async () => {
  const client = await socket();
  client.write("POST /things HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\n");
  client.write("Content-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  expect(await readUntil(client, "\r\n\r\n")).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  client.write("hello");
  expect(await readUntil(client, '"body":"hello"')).toMatch(/^HTTP\/1\.1 200 /);
  client.destroy();
});

test("the gateway calls no function when a client disconnects while sending the body", async () => {
  const client = await socket();
  const arrived = once(server, "request");
  client.write("POST /things HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf");
  await arrived;
  client.destroy();
  await api.idle();
  expect(loaded).toEqual([]);
  expect((await send("GET", "/things/1")).status).toBe(200);
});

test("the gateway keeps working after a client disconnects during a call", async () => {
  const slow = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  handlers.set("slow", () => {
    begun.resolve();
    return slow.promise;
  });
  const client = await socket();
  client.write("PUT /slow HTTP/1.1\r\nHost: h\r\n\r\n");
  await begun.promise;
  const gone = once(client, "close");
  client.destroy();
  await gone;
  slow.resolve({ statusCode: 200, body: "x".repeat(1_000_000) });
  await api.idle();
  expect((await send("GET", "/things/1")).status).toBe(200);
  expect(log.error).not.toHaveBeenCalled();
});

test("the gateway keeps connections alive between requests", async () => {
  const connections = vi.fn();
  server.on("connection", connections);
  for (const id of ["1", "2", "3"]) await send("GET", `/things/${id}`);
  expect(connections).toHaveBeenCalledOnce();
});

test.each([
  ["a path that cannot be decoded", "GET /things/%ff HTTP/1.1\r\nHost: h\r\n\r\n", 400],
  ["no path", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 400],
  ["an absolute URL, as sent to proxies", "GET http://h:1/things/9?a=b HTTP/1.1\r\nHost: h\r\n\r\n", 200],
])("the gateway handles a request line with %s", async (_, raw, status) => {
  const client = await socket();
  client.write(raw);
  expect(await readUntil(client, "}")).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  client.destroy();
});

test("the gateway returns its own 404 without a $default route", async () => {
  const bare = gateway(
    { "GET /a": { handler: "a" } },
    lambda(clock.timer, async () => () => "a"),
  );
  server.removeAllListeners("request").on("request", bare.handle);
  expect(await send("GET", "/b")).toMatchObject({ status: 404, body: '{"message":"Not Found"}' });
  expect((await send("GET", "/a")).body).toBe("a");
});
