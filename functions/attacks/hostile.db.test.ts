import * as Clock from "@svc/core/base/clock";
import * as Queue from "@svc/core/platform/queue/queue";
import { long, sample } from "@svc/core/testing/sample";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "../http/api.ts";
import { load } from "../load.ts";
import { type RouteKey, routes } from "../routes.ts";
import { calls, everyCall } from "../testing/calls.ts";
import { fieldsOf, has, hostileRequests, withJson } from "../testing/hostile.ts";
import { mailServer } from "../testing/mails.ts";
import { type RequestOptions, request } from "../testing/request.ts";

const routeKeys = Object.keys(routes) as RouteKey[];
let bucket: TestBucket;

mailServer();
beforeAll(async () => {
  process.env.DATABASE_URL = "postgres://connected.invalid/svc";
  process.env.RATE_LIMITS = "off";
  bucket = await startBucket();
  Queue.connect(async () => {});
});
afterAll(async () => {
  delete process.env.DATABASE_URL;
  delete process.env.RATE_LIMITS;
  Queue.connect(undefined);
  await bucket.close();
});
afterEach(() => Clock.reset());

const prepared = new Map<string, Promise<RequestOptions>>();

/** Prepares a valid request. The tests of rejected input share it, because a rejected request changes nothing. */
function validRequest(name: string, make: () => Promise<RequestOptions>): Promise<RequestOptions> {
  const request = prepared.get(name) ?? make();
  prepared.set(name, request);
  return request;
}

/** Returns the fields of a route's body, in the variant of a valid one, and the names of its query parameters. */
async function inputOf(key: RouteKey, valid: RequestOptions) {
  const { steps } = (await load<Handler>(routes[key].handler)).contract;
  return {
    fields: fieldsOf(steps.find(({ body }) => body)?.body, valid.body),
    parameters: fieldsOf(steps.find(({ query }) => query)?.query).map(({ path }) => String(path[0])),
  };
}

describe("text that is not well-formed Unicode", () => {
  test.each(everyCall)("%s returns 422 for it in every text field", async (name, key, make) => {
    const valid = await validRequest(name, make);
    const { fields, parameters } = await inputOf(key, valid);
    const wrong: string[] = [];
    for (const { path, isText } of fields) {
      // A field of another variant of an object is ignored.
      if (!isText || !has(valid.body, path.slice(0, -1))) continue;
      if (path.length > 1 && !has(valid.body, path)) continue;
      const { status } = await request(key, { ...valid, body: withJson(valid.body, path, '"Ada\\ud800"') });
      if (status !== 422) wrong.push(`${status} for /${path.join("/")}`);
    }
    for (const name of parameters) {
      const { status } = await request(key, { ...valid, query: { ...valid.query, [name]: "Ada\ud800" } });
      if (status !== 422) wrong.push(`${status} for ${name}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("control characters for the direction of text", () => {
  const isName = /(?:name|title|label|client)$/i;

  test.each(routeKeys)("%s returns 422 for them in names and titles", async (key) => {
    const valid = await validRequest(key, calls[key]);
    const { fields } = await inputOf(key, valid);
    const names = fields.filter(({ path, isText }) => isText && isName.test(String(path.at(-1))));
    for (const { path } of names)
      for (const direction of long
        ? "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        : "\u202e\u2066") {
        const body = withJson(valid.body, path, JSON.stringify(`Ada${direction}nimda`));
        expect([path, (await request(key, { ...valid, body })).status]).toEqual([path, 422]);
      }
  });
});

describe("hostile input", () => {
  test.each(routeKeys)("%s answers it without a server error", { timeout: 300_000 }, async (key) => {
    const valid = await validRequest(key, calls[key]);
    const { fields, parameters } = await inputOf(key, valid);
    const all = hostileRequests(valid, fields, parameters);
    const failed: string[] = [];
    for (const { name, options } of sample(all, 6)) {
      const { status, body } = await request(key, options);
      if (status >= 500) failed.push(`${status} for ${name}: ${body?.code}`);
    }
    expect(failed).toEqual([]);
  });
});

describe("a cache between a user and the API", () => {
  const mayBeCached = new Set<string>(["GET /openapi.json", "HEAD /openapi.json"]);
  // Their user's browser may store these, and must ask whether they are still current.
  const revalidated: RouteKey[] = [
    "GET /api/v1/projects/{id}",
    "GET /api/v1/security/ip-allowlist",
    "GET /api/v1/webhooks/{id}",
    "GET /api/v1/workspace",
    "GET /team/{id}",
  ];
  const reads = routeKeys.filter((key) => /^(?:GET|HEAD) /.test(key) && !revalidated.includes(key));
  const writes = routeKeys.filter((key) => !/^(?:GET|HEAD) /.test(key));

  test.each([...reads, ...sample(writes, 10)])("may not store the response of %s", async (key) => {
    const { headers } = await request(key, await calls[key]());
    expect(headers["cache-control"] === "no-store").toBe(!mayBeCached.has(key));
  });

  test.each(revalidated)("must ask before it shows the response of %s again", async (key) => {
    const { headers } = await request(key, await calls[key]());
    expect([headers["cache-control"], headers.vary]).toEqual([
      "private, no-cache",
      "Origin, Authorization, Cookie, X-Workspace-Id",
    ]);
  });

  test.each(routeKeys)("may not store an error of %s", async (key) => {
    const { status, headers } = await request(key, { token: "svc_pat_unknown" });
    if (status >= 400) expect(headers["cache-control"]).toBe("no-store");
  });
});
