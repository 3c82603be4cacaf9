import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Clock from "@svc/core/base/clock";
import { openBanks } from "@svc/core/testing/bank";
import { testPool } from "@svc/core/testing/database";
import { type JobName, jobs } from "@svc/functions/jobs";
import type { RouteKey } from "@svc/functions/routes";
import { calls, everyCall, jobInputs } from "@svc/functions/testing/calls";
import type { RequestOptions } from "@svc/functions/testing/request";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type LocalServer, startLocal } from "../server.ts";
import { call } from "../testing/server-process.ts";

// Calls every function as when deployed. `npm run check:permissions` runs this test to find the permissions that each uses.
const close: (() => unknown)[] = [];
let server: LocalServer;

beforeAll(async () => {
  const data = await mkdtemp(join(tmpdir(), "svc-every-"));
  server = await startLocal({
    port: 0,
    data,
    seed: "none",
    env: { RATE_LIMITS: "off" },
    database: testPool(),
  });
  const banks = await openBanks({
    ecb: { "2026-11-18": { USD: "1.25" } },
    a: { "2026-11-18": { EUR: "4" } },
    b: { "2026-11-18": { KWD: "12" } },
  });
  close.push(
    () => banks[Symbol.asyncDispose](),
    () => server.close(),
    () => rm(data, { recursive: true, force: true }),
  );
});
afterAll(async () => {
  for (const end of close) await end();
});
afterEach(() => {
  Clock.reset();
  // Some denied permissions cause no error: a failed wake-up is only logged, and a retry can succeed.
  expect(server.refused()).toEqual([]);
});

function requestOf(
  key: RouteKey,
  { token, headers, path = {}, query, body, form }: RequestOptions,
): [string, RequestInit] {
  const [method = "", pattern = "/nothing"] = key === "$default" ? ["GET"] : key.split(" ");
  const url = new URL(
    pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? "")),
    server.url,
  );
  url.search = new URLSearchParams(query).toString();
  const sent = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  };
  return [
    url.href,
    { method, headers: sent, body: form ?? (body === undefined ? null : JSON.stringify(body)) },
  ];
}

test.each(everyCall)("%s succeeds with the permissions of its function", async (_, key, make) => {
  const { status, body } = await call(...requestOf(key, await make()));
  expect([status, body?.code]).toEqual(
    key === "$default" ? [404, "route_not_found"] : [expect.toSatisfy((is: number) => is < 300), undefined],
  );
  const bucket = server.bucket?.url ?? "";
  const shown = JSON.stringify(body ?? "").match(/http:[^"\\]+X-Amz-[^"\\]+/g) ?? [];
  for (const url of shown) expect([url.startsWith(bucket), (await fetch(url)).status]).toEqual([true, 200]);
});

test("DELETE /api/v1/webhooks/{id} shows the current webhook with the permissions of its function", async () => {
  const options = await calls["DELETE /api/v1/webhooks/{id}"]();
  const stale = { ...options, headers: { "if-match": '"another"' } };
  const { status, body } = await call(...requestOf("DELETE /api/v1/webhooks/{id}", stale));
  expect([status, body.current]).toMatchObject([412, { id: options.path?.id, headers: {} }]);
});

test.each(Object.keys(jobs) as JobName[])(
  "job %s succeeds with the permissions of its function",
  async (name) => {
    const response = await fetch(`${server.toolsUrl}/_local/jobs/${name}`, {
      method: "POST",
      body: JSON.stringify(await jobInputs[name]()),
    });
    expect([
      response.status,
      ((await response.json()) as { errorMessage?: string } | null)?.errorMessage,
    ]).toEqual([200, undefined]);
  },
);
