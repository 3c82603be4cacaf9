import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { testPool } from "@svc/core/testing/database";
import { owner } from "@svc/core/testing/people";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalServer, startLocal } from "./server.ts";
import { openSite } from "./site.ts";
import { builtSite } from "./testing/site.ts";

// HTTP as clients see it, from the socket to the database.
let data: string;
let server: LocalServer;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "svc-http-"));
  const site = await openSite(await builtSite(join(data, "site")));
  server = await startLocal({ port: 0, data, seed: "none", env: {}, database: testPool(), site });
});

afterAll(async () => {
  await server.close();
  await rm(data, { recursive: true, force: true });
});

type Sent = { headers?: OutgoingHttpHeaders; body?: string | Buffer };

/** Sends a request with this path as it is. Unlike fetch, does not resolve or encode it, and does not decode the body. */
async function send(method: string, path: string, { headers = {}, body = "" }: Sent = {}) {
  const { hostname, port } = new URL(server.url);
  const outgoing = request({ method, hostname, port, path, headers: { connection: "close", ...headers } });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const bytes = await buffer(response);
  const isJson = /json/.test(response.headers["content-type"] ?? "") && bytes.length > 0;
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes,
    body: isJson && !response.headers["content-encoding"] ? JSON.parse(String(bytes)) : undefined,
  };
}

test.each(["/health", "/openapi.json"])("HEAD %s has the headers of GET and no body", async (path) => {
  const [get, head] = [await send("GET", path), await send("HEAD", path)];
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  for (const name of ["content-type", "content-length", "cache-control", "etag", "vary"])
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  expect(head.headers["content-length"]).toBe(String(get.bytes.length));
});

describe("/openapi.json", () => {
  test("is compressed as the client accepts it, with one ETag for all encodings", async () => {
    const plain = await send("GET", "/openapi.json");
    expect(plain.headers.vary).toBe("Origin, Accept-Encoding");
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const { headers, bytes } = await send("GET", "/openapi.json", {
        headers: { "accept-encoding": encoding },
      });
      expect([headers["content-encoding"], headers.etag]).toEqual([encoding, plain.headers.etag]);
      expect(headers["content-length"]).toBe(String(bytes.length));
      expect(decode(bytes)).toEqual(plain.bytes);
    }
  });

  test("is 304 for a client that has it, and never for one that does not", async () => {
    const { headers } = await send("GET", "/openapi.json");
    const etag = headers.etag ?? "";
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    for (const known of [etag, etag.slice(2), `"x", ${etag}`, "*"])
      for (const method of ["GET", "HEAD"]) {
        const sent = { "if-none-match": known, "accept-encoding": "br" };
        const same = await send(method, "/openapi.json", { headers: sent });
        expect([known, same.status, same.bytes.length, same.headers.etag]).toEqual([known, 304, 0, etag]);
        expect(same.headers).toMatchObject({ vary: headers.vary, "cache-control": headers["cache-control"] });
        expect(same.headers).not.toHaveProperty("content-encoding");
      }
    for (const other of ['"x"', "W/", etag.slice(0, -1), "", '""'])
      expect((await send("GET", "/openapi.json", { headers: { "if-none-match": other } })).status).toBe(200);
  });
});

test("no other response of the API is compressed, because it can contain secrets beside text of the request", async () => {
  const { token } = await owner();
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": "br, gzip" };
  const paths = ["/api/v1/currencies", "/auth/me", `/api/v1/projects?q=${"x".repeat(150)}`, "/api/nowhere"];
  for (const path of paths) {
    const { headers: answered, body } = await send("GET", path, { headers });
    expect([path, answered["content-encoding"], answered.vary]).toEqual([path, undefined, "Origin"]);
    expect(body).toBeDefined();
  }
});

describe("a path of no endpoint", () => {
  test.each([
    "/api",
    "/api/",
    "/api/v1/nothing",
    "/api/v2/projects",
    "/.well-known",
    "/.well-known/openid-configuration",
    "/.well-known/change-password",
    "//",
    "//auth/me",
    "//example.com/login",
    "/login//x",
    "/x/../api/v1/nothing",
    "/auth/me/",
    "/openapi.json/x",
  ])("returns 404 as a problem document, and no page, at %s", async (path) => {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      const { status, headers, body } = await send(method, path);
      expect([method, status, headers["content-type"]]).toEqual([method, 404, "application/problem+json"]);
      if (method !== "HEAD") expect(body).toMatchObject({ code: "route_not_found", instance: path });
    }
  });

  test("is a page of the web client anywhere else", async () => {
    for (const path of ["/", "/login", "/apis", "/well-known", "/login?next=//x"])
      expect((await send("GET", path)).headers["content-type"]).toBe("text/html; charset=utf-8");
  });
});

test("the instance of a problem is percent-encoded", async () => {
  const path = "/api/v1/projects/caf%C3%A9%20%22%3F%23";
  const { token } = await owner();
  const { status, body } = await send("GET", path, { headers: { authorization: `Bearer ${token}` } });
  expect([status, body.code, body.instance]).toEqual([404, "project_not_found", path]);
});

test.each(["%", "q=%ff", "q=%E9", "q=%u00e9", "%zz=1", "q=%C0%AF", "q=%ED%A0%80"])(
  "the query %s returns 400 query_malformed",
  async (query) => {
    for (const path of ["/health", "/api/v1/projects", "/api/nowhere"]) {
      const { status, body } = await send("GET", `${path}?${query}`);
      expect([path, status, body.code]).toEqual([path, 400, "query_malformed"]);
    }
  },
);

describe("a body that is not UTF-8", () => {
  const json = { "content-type": "application/json" };

  test.each([
    ["Latin 1", Buffer.from('{"name":"caf\xe9"}', "latin1"), json],
    [
      "Latin 1 in chunks",
      Buffer.from('{"name":"caf\xe9"}', "latin1"),
      { ...json, "transfer-encoding": "chunked" },
    ],
    ["UTF-16", Buffer.from('{"name":"café"}', "utf16le"), json],
    [
      "Latin 1 of another JSON type",
      Buffer.from('{"name":"caf\xe9"}', "latin1"),
      { "content-type": "application/x+json" },
    ],
    ["declared as Latin 1", '{"name":"cafe"}', { "content-type": "application/json; charset=iso-8859-1" }],
  ])("returns 415 unsupported_charset and stores nothing: %s", async (_, body, headers) => {
    const { token } = await owner();
    const authorization = `Bearer ${token}`;
    const answer = await send("POST", "/api/v1/projects", { headers: { ...headers, authorization }, body });
    expect([answer.status, answer.body.code]).toEqual([415, "unsupported_charset"]);
    const { body: projects } = await send("GET", "/api/v1/projects", { headers: { authorization } });
    expect(projects.data).toEqual([]);
  });

  test("can be UTF-8 with a replacement character", async () => {
    const { token } = await owner();
    const headers = { ...json, authorization: `Bearer ${token}` };
    const answer = await send("POST", "/api/v1/projects", { headers, body: '{"name":"caf\ufffd é"}' });
    expect([answer.status, answer.body.name]).toEqual([201, "caf\ufffd é"]);
  });
});

test.each([
  ["/auth/login", "application/json"],
  ["/api/upload/avatar", "multipart/form-data; boundary=x"],
])("a compressed body of %s returns 415 unsupported_content_encoding", async (path, type) => {
  const { token } = await owner();
  const headers = { authorization: `Bearer ${token}`, "content-type": type, "content-encoding": "gzip" };
  const answer = await send("POST", path, { headers, body: Buffer.from([0x1f, 0x8b, 8]) });
  expect([answer.status, answer.body.code]).toEqual([415, "unsupported_content_encoding"]);
  expect(answer.headers["accept-encoding"]).toBe("identity");
});
