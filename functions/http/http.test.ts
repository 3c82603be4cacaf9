import { readdir } from "node:fs/promises";
import { Fault } from "@svc/core/base/fault";
import { close, connect, postgres } from "@svc/core/platform/db/engine";
import { log } from "@svc/core/platform/log/log";
import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { jobs } from "../jobs.ts";
import { load } from "../load.ts";
import { current } from "../openapi/current.ts";
import document from "../openapi/document.json" with { type: "json" };
import { type Route, routes } from "../routes.ts";
import { event, request } from "../testing/request.ts";
import { api, type Handler } from "./api.ts";
import { input } from "./input.ts";

const context = { awsRequestId: "x", getRemainingTimeInMillis: () => 30_000 } as never;
const responseOf = async (handler: Handler, ask: Parameters<typeof event>[1] = {}, route = "POST /x") => {
  const { statusCode, headers, body } = await handler(await event(route, ask), context);
  return { status: statusCode, headers: headers as Record<string, string>, body: JSON.parse(body ?? "null") };
};
const failing = (error: unknown) =>
  api({ summary: "", returns: {} }).handler(async () => {
    throw error;
  });
const fallback = async (method: string, rawPath: string, headers: Record<string, string> = {}) => {
  const handler = await load<Handler>(routes.$default.handler);
  const asked = { ...(await event("$default", { headers })), rawPath };
  asked.requestContext.http.method = method;
  const { statusCode, headers: sent, body } = await handler(asked, context);
  return {
    status: statusCode,
    headers: sent as Record<string, string>,
    body: body ? JSON.parse(body) : undefined,
  };
};

test("a Fault becomes a problem document with its code and without its cause", async () => {
  const fault = new Fault("conflict", "timer_already_running", "Stop it first.", {
    cause: new Error("secret detail"),
  });
  const { status, headers, body } = await responseOf(failing(fault));
  expect(status).toBe(409);
  expect(headers["content-type"]).toBe("application/problem+json");
  expect(body).toMatchObject({
    type: "about:blank",
    title: "Conflict",
    status: 409,
    detail: "Stop it first.",
    code: "timer_already_running",
    instance: "/x",
  });
  expect(body.requestId).toBe(headers["x-request-id"]);
  expect(JSON.stringify(body)).not.toContain("secret");
});

test("any other error becomes a 500 that reveals only the request id", async () => {
  const { status, headers, body } = await responseOf(
    failing(new Error("column users.secret does not exist")),
  );
  expect([status, body.code]).toEqual([500, "internal_error"]);
  expect(body.requestId).toBe(headers["x-request-id"]);
  expect(JSON.stringify(body)).not.toContain("column");
});

test("responses have Retry-After, Accept or WWW-Authenticate when the fault requires it", async () => {
  const of = async (fault: Fault) => (await responseOf(failing(fault))).headers;
  expect((await of(new Fault("busy", "x", "", { retryAfterSeconds: 7 })))["retry-after"]).toBe("7");
  expect((await of(new Fault("unsupported", "x", "", { accept: "image/png" }))).accept).toBe("image/png");
  expect((await of(new Fault("unauthenticated", "x", "")))["www-authenticate"]).toBe("Bearer");
});

test("every response has the security headers, including errors", async () => {
  const fine = api({ summary: "", returns: {} }).handler(async () => ({}));
  for (const { headers } of [await responseOf(fine), await responseOf(failing(new Error("x")))])
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "strict-transport-security": expect.stringContaining("max-age="),
    });
});

test("CORS headers allow only scripts of allow-listed origins to read responses and errors", async () => {
  const of = async (origin: string) =>
    (await responseOf(failing(new Error("x")), { headers: { origin } })).headers;
  expect(await of("http://localhost:4000")).toMatchObject({
    "access-control-allow-origin": "http://localhost:4000",
    "access-control-allow-credentials": "true",
    vary: "Origin",
  });
  const otherOrigin = await of("https://evil.test");
  expect(otherOrigin["access-control-allow-origin"]).toBeUndefined();
  expect(otherOrigin.vary).toBe("Origin");
});

test.each([
  ["/api/v1/projects/a b", "/api/v1/projects/a%20b"],
  ["/café", "/caf%C3%A9"],
  ["/100%", "/100%25"],
  ['/what?#["<\\', "/what%3F%23%5B%22%3C%5C"],
  ["/a:@!$&'()*+,;=~-._", "/a:@!$&'()*+,;=~-._"],
  ["/\ud800", "/%EF%BF%BD"],
])("the instance of a problem at the decoded path %j is %s", async (rawPath, instance) => {
  expect((await fallback("GET", rawPath)).body.instance).toBe(instance);
  const handler = failing(new Fault("conflict", "x", ""));
  const result = await handler({ ...(await event("POST /x", {})), rawPath }, context);
  expect(JSON.parse(result.body ?? "").instance).toBe(instance);
});

test.each(["%", "a=%", "a=%4", "a=%zz", "a=%ff", "%ff=a", "a=%c0%af", "a=%ed%a0%80", "a=caf\xe9", "a=b c"])(
  "the query %j, which is not percent-encoded UTF-8, returns 400 query_malformed",
  async (rawQueryString) => {
    const worked = vi.fn(async () => ({}));
    const handler = api({ summary: "", returns: {} }).handler(worked);
    const result = await handler({ ...(await event("GET /x", {})), rawQueryString }, context);
    expect([result.statusCode, JSON.parse(result.body ?? "").code]).toEqual([400, "query_malformed"]);
    expect(worked).not.toHaveBeenCalled();
  },
);

test.each(["", "a", "a=b&&c=+d", "a=caf%C3%A9&%F0%9F%98%80=%00", "a=?/:@!$'()*,;[]{}|^`<>\"\\"])(
  "the query %j is accepted",
  async (rawQueryString) => {
    const handler = api({ summary: "", returns: {} }).handler(async () => ({}));
    const { statusCode } = await handler({ ...(await event("GET /x", {})), rawQueryString }, context);
    expect(statusCode).toBe(200);
  },
);

test("an unknown path returns 404, and an unsupported method returns 405 with Allow", async () => {
  const missing = await fallback("GET", "/nowhere");
  expect([missing.status, missing.body.code]).toEqual([404, "route_not_found"]);
  const wrong = await fallback("PUT", "/team/team_1/members");
  expect([wrong.status, wrong.body.code, wrong.headers.allow]).toEqual([
    405,
    "method_not_allowed",
    "GET, POST, OPTIONS",
  ]);
  expect((await fallback("GET", "/openapiXjson")).status).toBe(404);
});

test("OPTIONS returns the methods of the path in Allow, each once, with and without an origin", async () => {
  const allowed: [path: string, allow: string][] = [
    ["/health", "GET, HEAD, OPTIONS"],
    ["/openapi.json", "GET, HEAD, OPTIONS"],
    ["/auth/login", "POST, OPTIONS"],
    // The methods of {id} are also those of a project with this id.
    ["/api/v1/projects/recent", "GET, PATCH, DELETE, OPTIONS"],
  ];
  for (const [path, allow] of allowed)
    for (const origin of [undefined, "http://localhost:4000", "https://evil.test"]) {
      const { status, headers } = await fallback("OPTIONS", path, origin === undefined ? {} : { origin });
      expect([path, status, headers.allow]).toEqual([path, 204, allow]);
    }
  const missing = await fallback("OPTIONS", "/nowhere");
  expect([missing.status, missing.headers.allow]).toEqual([404, undefined]);
});

test("a preflight request returns the methods of the path, for allow-listed origins only", async () => {
  const fine = await fallback("OPTIONS", "/api/upload/avatar", { origin: "http://localhost:4000" });
  expect(fine.status).toBe(204);
  expect(fine.headers["access-control-allow-methods"]).toBe("POST, DELETE");
  expect(fine.headers["access-control-allow-headers"]).toContain("authorization");
  const otherOrigin = await fallback("OPTIONS", "/api/upload/avatar", { origin: "https://evil.test" });
  expect(otherOrigin.headers["access-control-allow-methods"]).toBeUndefined();
});

test("a validation error has a JSON pointer that is escaped as in RFC 6901", async () => {
  const handler = api({ summary: "", returns: {} })
    .use(input(z.object({ "a/b~c": z.array(z.object({ n: z.number() })) })))
    .handler(async () => ({}));
  const { body } = await responseOf(handler, { body: { "a/b~c": [{ n: 1 }, { n: "x" }] } });
  expect(body.errors).toMatchObject([{ pointer: "/a~1b~0c/1/n", code: "invalid_type" }]);
});

test("GET /health returns 503 with Retry-After and without details when the database cannot be reached", async () => {
  connect(postgres("postgres://svc:s3cr3t@127.0.0.1:1/svc", 1));
  const answer = await request("GET /health");
  await close();
  expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "2"]);
  expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|s3cr3t|ECONNREFUSED/);
});

test("a stage with a router rejects requests that bypass it, before anything else", async () => {
  process.env.ORIGIN_SECRET = `${"n".repeat(32)},${"o".repeat(32)}`;
  const worked = vi.fn(async () => ({}));
  const open = api({ summary: "", returns: {} }).handler(worked);
  const of = async (secret?: string) =>
    responseOf(open, { headers: secret === undefined ? {} : { "x-origin-secret": secret } });
  for (const secret of [undefined, "", ",", "n".repeat(31), "x".repeat(32)]) {
    const { status, body } = await of(secret);
    expect([status, body.code]).toEqual([403, "router_bypassed"]);
  }
  expect(worked).not.toHaveBeenCalled();
  for (const secret of ["n".repeat(32), "o".repeat(32), `x,${"o".repeat(32)}`])
    expect((await of(secret)).status).toBe(200);
  delete process.env.ORIGIN_SECRET;
  expect((await of()).status).toBe(200);
});

test("a request writes one log line, without tokens, passwords or signatures", async () => {
  const lines: unknown[][] = [];
  const spies = [
    vi.spyOn(log, "info").mockImplementation((...args) => void lines.push(args)),
    vi.spyOn(log, "error").mockImplementation((...args) => void lines.push(args)),
  ];
  const cause = new Error("GET https://s3.test/a?X-Amz-Signature=abc123 failed for eyJhbGciOi.eyJzdWIi.c2ln");
  await responseOf(failing(new Fault("upstream", "storage_unavailable", "", { cause })), {
    token: "eyJ0.eyJ0.sig",
  });
  for (const spy of spies) spy.mockRestore();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject([
    "request",
    { route: "POST /x", status: 502, fault: "storage_unavailable", durationMs: expect.any(Number) },
  ]);
  expect(JSON.stringify(lines)).not.toContain("eyJ0");
});

test("routes.ts and jobs.ts list exactly the files that export a handler", async () => {
  const named = new Set(
    [...Object.values(routes), ...Object.values(jobs)].map(({ handler }) => handler as string),
  );
  const files = (await readdir(new URL("..", import.meta.url), { recursive: true }))
    .filter(
      (file) => file.endsWith(".ts") && !file.includes("node_modules") && !/\.(?:test|check)\.ts$/.test(file),
    )
    .map((file) => file.slice(0, -3));
  const own = new Set(["routes", "jobs", "load"]);
  const other = files.filter((file) => !own.has(file) && !/^(http|openapi|testing)\//.test(file));
  const handlers = [];
  for (const file of [...other, "openapi/serve"]) if (await load(file)) handlers.push(file);
  expect(handlers.sort()).toEqual([...named].sort());
});

test.each(Object.entries<Route>(routes))(
  "the handler of %s reads the sign-in that routes.ts declares",
  async (_, route) => {
    const { steps } = (await load<Handler>(route.handler)).contract;
    const reads = steps.flatMap(({ signIn }) => signIn ?? []);
    if (route.caller === "anyone") expect(reads).toEqual([]);
    else expect(reads).toEqual([route.caller === "optional" ? "optional" : "required"]);
  },
);

test("API tokens need the scope admin where an admin is required, and to change who belongs to a team", async () => {
  const membershipRoutes = /^(?:POST|DELETE) \/team(?:\/\{id\}\/(?:members|invitations)|$)/;
  const wrong: string[] = [];
  for (const [key, { handler, caller }] of Object.entries<Route>(routes)) {
    const { steps } = (await load<Handler>(handler)).contract;
    const forAdmins =
      steps.some(({ role }) => role === "admin" || role === "owner") || membershipRoutes.test(key);
    if (typeof caller === "object" && (caller.token === "admin") !== forAdmins) wrong.push(key);
  }
  expect(wrong).toEqual([]);
});

test("document.json is the OpenAPI document that the handlers describe (npm run openapi)", async () => {
  expect(document).toEqual(JSON.parse(JSON.stringify(await current())));
});
