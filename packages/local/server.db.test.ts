import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { testPool } from "@svc/core/testing/database";
import { owner, person } from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LocalServer, type Options, startLocal } from "./server.ts";

let data: string;
let running: LocalServer[];
let closing: (() => unknown)[];

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "svc-local-"));
  running = [];
  closing = [];
});

afterEach(async () => {
  for (const server of running) await server.close();
  for (const close of closing) await close();
  await rm(data, { recursive: true, force: true });
  Clock.reset();
});

async function start(options: Partial<Options> = {}): Promise<LocalServer> {
  const server = await startLocal({ port: 0, data, seed: "none", database: testPool(), env: {}, ...options });
  running.push(server);
  return server;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of a body depends on the test.
type Answered = { status: number; headers: Headers; body: any };

async function json(url: string, init?: RequestInit): Promise<Answered> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const post = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("the local server serves the routes, the $default function and the control endpoints", async () => {
  const { url, toolsUrl } = await start();
  expect(await json(`${url}/health`)).toMatchObject({ status: 200, body: { status: "ok" } });
  const missing = await json(`${url}/nothing`);
  expect(missing.status).toBe(404);
  expect(missing.headers.get("content-type")).toBe("application/problem+json");
  const wrong = await fetch(`${url}/health`, { method: "DELETE" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const { body } = await json(`${toolsUrl}/_local/state`);
  expect(body).toMatchObject({
    buckets: { "svc-files": [], "svc-avatars": [] },
    queue: { visible: 0, inFlight: 0, delayed: 0, deadLetters: 0 },
  });
});

test("a user can register, receive the email and verify it, and moving the clock runs scheduled jobs", async () => {
  const { url, toolsUrl, mails } = await start();
  const ada = {
    email: "ada@local.test",
    password: "an unlikely pass phrase",
    name: "Ada",
    workspaceName: "A",
  };
  expect((await json(`${url}/auth/register`, post(ada))).status).toBe(202);
  const { body } = await json(`${toolsUrl}/_local/mail`);
  expect(body.data).toEqual(mails());
  const [, token] = /verify-email#token=([\w.~-]+)/.exec(body.data[0].text) ?? [];
  expect(body.data[0]).toMatchObject({ to: "ada@local.test" });
  expect(body.data[0].text).toContain(`${url}/verify-email#token=`);
  const opened = await json(`${url}/auth/email/verify`, post({ token, password: ada.password }));
  expect(opened.status).toBe(200);
  const me = await json(`${url}/auth/me`, { headers: { authorization: `Bearer ${opened.body.token}` } });
  expect(me).toMatchObject({ status: 200, body: { email: "ada@local.test", avatar: "" } });

  const moved = await json(`${toolsUrl}/_local/clock`, post({ advanceSeconds: 91 * 86_400 }));
  expect(moved.body.ran.sort()).toEqual(expect.arrayContaining(["purge-expired", "sweep-avatars"]));
  const expired = await json(`${url}/auth/me`, { headers: { authorization: `Bearer ${opened.body.token}` } });
  expect(expired.status).toBe(401);
});

test("POST /_local/jobs/{name} runs real jobs", async () => {
  const { toolsUrl } = await start();
  expect(await json(`${toolsUrl}/_local/jobs/migrate`, post({}))).toMatchObject({
    status: 200,
    body: { applied: [] },
  });
  expect(await json(`${toolsUrl}/_local/jobs/sweep-avatars`, post({ dryRun: true }))).toMatchObject({
    status: 200,
    body: { dryRun: true, orphans: [] },
  });
});

test("the control endpoints return 403 for another host name", async () => {
  const { toolsUrl } = await start();
  const { port } = new URL(toolsUrl);
  const outgoing = request({
    port,
    host: "127.0.0.1",
    path: "/_local/state",
    headers: { host: "evil.example" },
  });
  outgoing.end();
  const [response] = await once(outgoing, "response");
  response.resume();
  expect(response.statusCode).toBe(403);
});

/** Forwards requests as nginx does by default: with the host name of its upstream. */
async function reverseProxy(upstream: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { host } = new URL(upstream);
    const options = { method: incoming.method, headers: { ...incoming.headers, host } };
    const forwarded = request(new URL(incoming.url ?? "", upstream), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  closing.push(() => proxy.close());
  await once(proxy, "listening");
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test("a reverse proxy in front of the server reaches the API and the web client, but none of the tools", async () => {
  const { url, toolsUrl } = await start({
    site: (_request, response) => void response.end("the web client"),
  });
  const proxied = await reverseProxy(url);
  const send = async (origin: string, path: string, method: string) => {
    const body = method === "POST" ? '{"advanceSeconds":3600,"dryRun":true}' : null;
    return (await fetch(origin + path, { method, body })).status;
  };
  expect(await send(proxied, "/health", "GET")).toBe(200);
  expect(await (await fetch(`${proxied}/login`)).text()).toBe("the web client");
  for (const [method, path] of [
    ["GET", "/_local"],
    ["GET", "/_local/mail"],
    ["GET", "/_local/mail?x"],
    ["GET", "/_local/state"],
    ["POST", "/_local/jobs/sweep-avatars"],
    ["POST", "/_local/clock"],
  ] as const)
    for (const origin of [proxied, url])
      expect([origin, path, await send(origin, path, method)]).toEqual([origin, path, 404]);
  expect(Clock.offset()).toBe(0);
  expect(await send(toolsUrl, "/_local/mail", "GET")).toBe(200);
});

test("the port of the tools serves neither the API nor the web client", async () => {
  const { toolsUrl } = await start({ site: (_request, response) => void response.end("the web client") });
  for (const path of ["/health", "/", "/login"]) expect((await fetch(toolsUrl + path)).status).toBe(404);
});

describe("demo data", () => {
  const emails = async () =>
    (await db().selectFrom("users").select("email").execute()).map(({ email }) => email);

  test("is not created for an APP_URL that is not loopback, and the server says so", async () => {
    const { notice } = await start({ seed: "demo", env: { APP_URL: "https://app.example" } });
    expect(notice).toBe(
      "No demo data: APP_URL is https://app.example, and the password of the demo users is public.",
    );
    expect(await emails()).not.toContain("owner@demo.test");
  });

  test("is not created in a database that holds other accounts, and the server says so", async () => {
    const { email } = await person();
    const { notice } = await start({ seed: "demo" });
    expect(notice).toBe("No demo data: the database already holds other accounts.");
    expect(await emails()).toContain(email);
    expect(await emails()).not.toContain("owner@demo.test");
  });

  test("from an earlier start causes a warning when APP_URL is no longer loopback", async () => {
    const email = "owner@demo.test";
    const { id } = await person();
    await db().updateTable("users").set({ email, email_key: email }).where("id", "=", id).execute();
    const local = await start({ seed: "demo" });
    expect(local.notice).toBeUndefined();
    await local.close();
    const { notice, url } = await start({ seed: "demo", env: { APP_URL: "https://app.example" } });
    expect(notice).toContain("Warning: APP_URL is https://app.example, and the database has the demo users");
    expect(await (await fetch(`${url}/demo-people.json`)).json()).toEqual({ password: "", people: [] });
  });
});

describe("the token of a demo user that comes with the OpenAPI document", () => {
  const offered = async ({ url }: { url: string }) =>
    (await fetch(`${url}/openapi.json`)).headers.get("x-demo-token");

  test("is left out without demo users, and for an APP_URL that is not loopback", async () => {
    const plain = await start({ seed: "none" });
    expect(await offered(plain)).toBeNull();
    await plain.close();
    await person();
    const others = await start({ seed: "demo" });
    expect(await offered(others)).toBeNull();
    await others.close();
    expect(await offered(await start({ seed: "demo", env: { APP_URL: "https://app.example" } }))).toBeNull();
  });

  test("is accepted by the API until the next start", async () => {
    const email = "owner@demo.test";
    const { id } = await owner();
    const former = `${id}@demo.test`;
    const users = db().updateTable("users");
    await users.set({ email: former, email_key: former }).where("email_key", "=", email).execute();
    await users.set({ email, email_key: email }).where("id", "=", id).execute();
    const me = (url: string, token: string | null) =>
      fetch(`${url}/api/v1/workspace`, { headers: { authorization: `Bearer ${token}` } });
    const first = await start({ seed: "demo" });
    const token = await offered(first);
    expect((await me(first.url, token)).status).toBe(200);
    expect(await offered(first)).toBe(token);
    await first.close();
    const second = await start({ seed: "demo" });
    expect((await me(second.url, await offered(second))).status).toBe(200);
    expect((await me(second.url, token)).status).toBe(401);
  });
});

test("startLocal prefers the given configuration, and close restores the environment", async () => {
  const before = { ...process.env };
  const server = await start({ env: { APP_URL: "http://app.test", RATE_LIMITS: "off", MAIL_FROM: "" } });
  expect(process.env).toMatchObject({ APP_URL: "http://app.test", RATE_LIMITS: "off" });
  expect(process.env.STORAGE_ENDPOINT).toBe(server.bucket?.url);
  expect(process.env.MAIL_FROM).toContain("no-reply");
  await server.close();
  expect(process.env).toEqual(before);
});

test("keys and the port of the bucket stay the same after a restart", async () => {
  const first = await start();
  const { TOKEN_KEYS, STORAGE_ENDPOINT, STORAGE_SECRET_ACCESS_KEY } = process.env;
  await first.close();
  await start();
  expect(process.env).toMatchObject({ TOKEN_KEYS, STORAGE_ENDPOINT, STORAGE_SECRET_ACCESS_KEY });
});

test("the bucket uses another port if its previous one is in use", async () => {
  const first = await start();
  const port = first.bucket?.port ?? 0;
  await first.close();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  const second = await start();
  expect(second.bucket?.port).not.toBe(port);
  other.close();
});

test("startLocal throws data_in_use for a directory in use and does not disturb the running server", async () => {
  const { url } = await start();
  const before = { ...process.env };
  await expect(start()).rejects.toMatchObject({
    code: "data_in_use",
    message: expect.stringContaining(data),
  });
  expect(process.env).toEqual(before);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("startLocal throws port_unusable for a port in use and unlocks the directory", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(start({ port })).rejects.toMatchObject({
    code: "port_unusable",
    message: `Port ${port} is already in use. Set PORT to another port.`,
  });
  other.close();
  expect((await fetch(`${(await start()).url}/health`)).status).toBe(200);
});

test("with ORIGIN_SECRET the server starts, and then serves only a router that sends it", async () => {
  const secret = "x".repeat(32);
  const { url } = await start({ env: { ORIGIN_SECRET: secret } });
  expect(await json(`${url}/health`)).toMatchObject({ status: 403, body: { code: "router_bypassed" } });
  expect((await json(`${url}/health`, { headers: { "x-origin-secret": secret } })).status).toBe(200);
});

test("startLocal names an invalid variable without its value", async () => {
  await expect(start({ env: { TOKEN_KEYS: "not a key" } })).rejects.toMatchObject({
    code: "configuration",
    message: expect.stringMatching(/^(?!.*not a key).*TOKEN_KEYS/),
  });
});

test("close waits for a running request", async () => {
  const server = await start();
  const { port } = new URL(server.url);
  const outgoing = request({ port, host: "127.0.0.1", method: "POST", path: "/auth/login" });
  outgoing.setHeader("content-type", "application/json");
  outgoing.setHeader("expect", "100-continue");
  outgoing.flushHeaders();
  await once(outgoing, "continue");
  const closing = server.close();
  outgoing.end(JSON.stringify({ email: "unknown@local.test", password: "an unlikely pass phrase" }));
  const [response] = await once(outgoing, "response");
  response.resume();
  expect(response.statusCode).toBe(401);
  await closing;
  await expect(fetch(server.url)).rejects.toThrow();
});

test("close leaves only persistent data in the directory", async () => {
  const server = await start();
  await server.close();
  expect((await readdir(data)).sort()).toEqual(["buckets", "keys.json", "lock"]);
});
