import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isForSite, openSite } from "./site.ts";
import { builtSite } from "./testing/site.ts";

let directory: string;
let server: Server;
let url: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-site-"));
  server = createServer(await openSite(await builtSite(directory)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  delete process.env.ANALYTICS_ID;
  server.close();
  server.closeAllConnections();
  await rm(directory, { recursive: true });
});

test.each(["/", "/index.html", "/login", "/settings/preferences?x=1", "/../../etc/passwd"])(
  "openSite serves index.html without caching at %s",
  async (path) => {
    const answer = await fetch(url + path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await answer.text()).toContain("the client");
  },
);

test("openSite caches hashed files forever and returns 404 for a missing one", async () => {
  const file = await fetch(`${url}/assets/app-1234.js`);
  expect(file.headers.get("content-type")).toContain("text/javascript");
  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const gone = await fetch(`${url}/assets/app-0000.js`);
  expect([gone.status, gone.headers.get("cache-control")]).toEqual([404, "no-store"]);
});

test("openSite compresses files, also for HEAD, and says that they depend on Accept-Encoding", async () => {
  const path = `${url}/assets/app-1234.js`;
  const sizes: number[] = [];
  for (const encoding of ["br", "gzip", "identity"]) {
    const headers = { "accept-encoding": encoding };
    const [get, head] = [await fetch(path, { headers }), await fetch(path, { method: "HEAD", headers })];
    expect(get.headers.get("content-encoding") ?? "identity").toBe(encoding);
    expect(get.headers.get("vary")).toBe("Accept-Encoding");
    expect(await get.text()).toBe("run();".repeat(1000));
    for (const name of ["content-encoding", "content-length", "content-type", "vary", "cache-control"])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    sizes.push(Number(get.headers.get("content-length")));
  }
  expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
  expect(sizes[2]).toBe(6000);
});

test("the content security policy allows the bucket, and the analytics vendor only if configured", async () => {
  const policy = async () => (await fetch(url)).headers.get("content-security-policy") ?? "";
  const without = await policy();
  expect(without).toContain("script-src 'self';");
  expect(without).toContain("img-src 'self' data: blob: http://127.0.0.1:1;");
  expect(without).toContain("frame-ancestors 'none'");
  expect(without).not.toMatch(/unsafe|google/);
  process.env.ANALYTICS_ID = "G-TEST123456";
  expect(await policy()).toContain("script-src 'self' https://www.googletagmanager.com;");
});

test.each([
  ["GET", "/", true],
  ["HEAD", "/members", true],
  ["GET", "/teams", true],
  ["GET", "/team", false],
  ["GET", "/team/team_1", false],
  ["GET", "/api", false],
  ["GET", "/api?x", false],
  ["GET", "/openapi.json", false],
  ["GET", "/.well-known", false],
  ["HEAD", "/.well-known/openid-configuration", false],
  ["GET", "/api%2Fuser", false],
  ["GET", "/%61pi/v1/projects", false],
  ["GET", "/login%2F%2Fx", false],
  ["GET", "/members/%61pi", true],
  ["GET", "/100%", true],
  ["GET", "//", false],
  ["GET", "//example.com/login", false],
  ["GET", "/login//", false],
  ["GET", "/login?next=//example.com", true],
  ["GET", "/x/../api/v1", false],
  ["GET", "/./team/team_1", false],
  ["GET", "http://localhost/login", false],
  ["POST", "/members", false],
])("isForSite of %s %s is %s", (method, path, expected) =>
  expect(isForSite({ method, url: path } as never)).toBe(expected),
);
