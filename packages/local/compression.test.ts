import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressor } from "./compression.ts";
import { compressPublic } from "./edge.ts";

const text = Buffer.from("run(); ".repeat(500));
const script = { key: "app", type: "text/javascript; charset=utf-8", body: text };
const decoders: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (body) => body,
};

describe("compressor", () => {
  test.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["deflate, gzip", "gzip"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["*", "br"],
    ["GZIP", "gzip"],
    ["br;q=0.5, identity;q=0.8", "identity"],
    ["identity", "identity"],
    ["zstd, deflate", "identity"],
    ["*;q=0", "identity"],
    ["br;q=x", "identity"],
    ["", "identity"],
    [",,;q=1", "identity"],
    [undefined, "identity"],
  ])("for the Accept-Encoding %j uses %s", async (accepted, encoding) => {
    const { body, headers } = await compressor()(accepted, script);
    expect(headers["content-encoding"] ?? "identity").toBe(encoding);
    expect(decoders[encoding]?.(body)).toEqual(text);
  });

  test("compresses each content once per encoding", async () => {
    const compress = compressor();
    const [one, other] = await Promise.all([compress("br", script), compress("br", script)]);
    expect(other.body).toBe(one.body);
    expect((await compress("br", script)).body).toBe(one.body);
    expect((await compress("gzip", script)).body).not.toBe(one.body);
    expect((await compress("br", { ...script, key: "other" })).body).not.toBe(one.body);
  });

  test.each([
    ["a font", { type: "font/woff2" }],
    ["a picture", { type: "image/webp" }],
    ["a small body", { body: Buffer.from("x".repeat(999)) }],
  ])("does not compress %s", async (_, change) => {
    const content = { ...script, ...change };
    expect(await compressor()("br, gzip", content)).toEqual({ body: content.body, headers: {} });
  });
});

describe("compressPublic", () => {
  const request = { headers: { "accept-encoding": "br" } } as never;
  const reply = (headers: Record<string, string>) => ({
    status: 200,
    headers: Object.entries({ "content-type": "application/json", etag: 'W/"a"', ...headers }),
    body: text,
  });

  test("compresses a response that any cache may store", async () => {
    const { headers, body } = await compressPublic(compressor())(
      request,
      reply({ "cache-control": "public, max-age=300" }),
    );
    expect(Object.fromEntries(headers)).toMatchObject({ "content-encoding": "br", etag: 'W/"a"' });
    expect(brotliDecompressSync(body)).toEqual(text);
  });

  test.each([
    ["no-store", {}],
    ["private, no-cache", {}],
    ["private, max-age=60", {}],
    ["public", { "content-type": "image/webp" }],
    ["public", { etag: "" }],
  ])("leaves one with the Cache-Control %s and %j as it is", async (cacheControl, headers) => {
    const given = reply({ "cache-control": cacheControl, ...headers });
    expect(await compressPublic(compressor())(request, given)).toBe(given);
  });
});
