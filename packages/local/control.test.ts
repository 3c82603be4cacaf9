import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as Clock from "@svc/core/base/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Controls, control } from "./control.ts";

const mail = { to: "a@x.test", subject: "s", text: "t", html: "", at: "2026-11-21T00:00:00.000Z" };
const state = {
  buckets: { "svc-files": [], "svc-avatars": ["avatars/usr_1/1.webp"] },
  queue: { visible: 1, inFlight: 0, delayed: 2, deadLetters: 0 },
};

let server: Server;
let ran: [string, unknown][];
let wokenAt: Date | undefined;

beforeEach(async () => {
  ran = [];
  wokenAt = undefined;
  const controls: Controls = {
    mails: () => [mail],
    async wake() {
      wokenAt = Clock.now();
      return ["purge-expired"];
    },
    jobs: ["migrate", "set-plan"],
    async runJob(name, payload) {
      ran.push([name, payload]);
      if (name === "set-plan") throw new TypeError("no such workspace");
      return { applied: [] };
    },
    state: () => state,
  };
  server = createServer(control(controls));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  Clock.reset();
});

async function send(
  method: string,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
) {
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, host: "127.0.0.1", method, path, headers, agent: false });
  outgoing.end(body);
  const [response] = await once(outgoing, "response");
  return { status: response.statusCode, headers: response.headers, json: JSON.parse(await text(response)) };
}

test("GET /_local/mail returns the captured emails", async () => {
  expect(await send("GET", "/_local/mail")).toMatchObject({ status: 200, json: { data: [mail] } });
});

test("POST /_local/clock moves the clock, runs due jobs and returns their names", async () => {
  const before = Date.now();
  const { status, json } = await send("POST", "/_local/clock", { body: '{"advanceSeconds":3600}' });
  expect([status, json.ran]).toEqual([200, ["purge-expired"]]);
  expect(Date.parse(json.now)).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(wokenAt?.getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
});

test.each([
  "",
  "{}",
  '{"advanceSeconds":"60"}',
  '{"advanceSeconds":1e300}',
  '{"advanceSeconds":null}',
  "[]",
  "{",
])("POST /_local/clock returns 400 and keeps the clock for the body %j", async (body) => {
  expect((await send("POST", "/_local/clock", { body })).status).toBe(400);
  expect(Clock.offset()).toBe(0);
});

test("POST /_local/jobs/{name} runs a job with its payload or an empty one and returns the result", async () => {
  expect(await send("POST", "/_local/jobs/migrate", { body: '{"a":1}' })).toMatchObject({
    status: 200,
    json: { applied: [] },
  });
  await send("POST", "/_local/jobs/migrate");
  expect(ran).toEqual([
    ["migrate", { a: 1 }],
    ["migrate", {}],
  ]);
});

test("POST /_local/jobs/{name} reports an error in the format of Lambda", async () => {
  expect(await send("POST", "/_local/jobs/set-plan")).toMatchObject({
    status: 500,
    json: { errorType: "TypeError", errorMessage: "no such workspace" },
  });
});

test("GET /_local/state returns buckets, queue and time", async () => {
  const { json } = await send("GET", "/_local/state?x=1");
  expect(json).toMatchObject(state);
  expect(Date.parse(json.now)).not.toBeNaN();
});

test.each([
  ["GET", "/_local", 404],
  ["GET", "/_local/other", 404],
  ["GET", "/_local/mail/1", 404],
  ["POST", "/_local/jobs/nothing", 404],
  ["POST", "/_local/jobs/toString", 404],
  ["POST", "/_local/mail", 405],
  ["GET", "/_local/clock", 405],
  ["DELETE", "/_local/jobs/migrate", 405],
])("%s %s returns %i", async (method, path, status) => {
  expect((await send(method, path)).status).toBe(status);
});

test("a 405 response names the allowed method", async () => {
  expect((await send("GET", "/_local/clock")).headers.allow).toBe("POST");
});

test("POST /_local/clock returns 413 for a body that is too large", async () => {
  const body = JSON.stringify({ advanceSeconds: 1, padding: "x".repeat(1024 * 1024) });
  expect((await send("POST", "/_local/clock", { body })).status).toBe(413);
  expect(Clock.offset()).toBe(0);
});

test.each([
  ["localhost", undefined, 200],
  ["LOCALHOST:1", undefined, 200],
  ["127.0.0.1:4000", "http://localhost:5173", 200],
  ["evil.example", undefined, 403],
  ["localhost.evil.example", undefined, 403],
  ["127.0.0.1.evil.example:4000", undefined, 403],
  ["evil.example:4000@localhost", undefined, 403],
  ["localhost:4000", "https://evil.example", 403],
  ["localhost:4000", "http://localhost.evil.example", 403],
  ["localhost:4000", "null", 403],
])("a request with Host %s and Origin %s returns %i", async (host, origin, status) => {
  const headers = { host, ...(origin && { origin }) };
  expect((await send("POST", "/_local/clock", { headers, body: '{"advanceSeconds":5}' })).status).toBe(
    status,
  );
  expect(Clock.offset()).toBe(status === 200 ? 5000 : 0);
});
