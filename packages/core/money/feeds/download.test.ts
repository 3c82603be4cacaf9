import { describe, expect, test } from "vitest";
import { type Download, download, type Fetch, type Validators } from "./download.ts";

const unknown: Validators = { etag: null, lastModified: null };
const feedRefused = expect.objectContaining({ kind: "upstream", code: "feed_refused" });
const unreachable = expect.objectContaining({ kind: "upstream", code: "feed_unreachable" });

/** Returns a body of these chunks and whether its reader cancelled it. */
function bodyOf(...chunks: Uint8Array[]) {
  const state = { cancelled: false };
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { source, state };
}

const from = (response: Response, known = unknown, maxBytes = 10): Promise<Download> =>
  download("https://bank.test/", known, { fetch: async () => response, maxBytes });

describe("download", () => {
  test("returns the text and its validators", async () => {
    const headers = { etag: '"1"', "last-modified": "Wed, 18 Nov 2026 15:00:00 GMT" };
    expect(await from(new Response("rates", { headers }))).toEqual({
      kind: "new",
      text: "rates",
      etag: '"1"',
      lastModified: "Wed, 18 Nov 2026 15:00:00 GMT",
    });
    expect(await from(new Response(null))).toEqual({ kind: "new", text: "", etag: null, lastModified: null });
  });

  test.each<[Validators, Record<string, string>]>([
    [unknown, {}],
    [{ etag: '"1"', lastModified: null }, { "if-none-match": '"1"' }],
    [{ etag: null, lastModified: "then" }, { "if-modified-since": "then" }],
  ])("sends the known validators %j as %j", async (known, sent) => {
    const requests: unknown[] = [];
    const fetch: Fetch = async (url, { headers, signal } = {}) => {
      requests.push([url, headers, signal instanceof AbortSignal]);
      return new Response(null, { status: 304 });
    };
    expect(await download("https://bank.test/", known, { fetch })).toEqual({ kind: "unchanged" });
    expect(requests).toEqual([["https://bank.test/", sent, true]]);
  });

  test("is absent after a 404 and fails after any other status", async () => {
    expect(await from(new Response(null, { status: 404 }))).toEqual({ kind: "absent" });
    for (const status of [201, 403, 500]) {
      const { source, state } = bodyOf(Buffer.from("error"), Buffer.from("page"));
      await expect(from(new Response(source, { status }))).rejects.toThrow(unreachable);
      expect(state.cancelled).toBe(true);
    }
  });

  test("fails with the cause when the connection fails", async () => {
    const cause = new TypeError("fetch failed");
    const fetch: Fetch = () => Promise.reject(cause);
    await expect(download("https://bank.test/", unknown, { fetch })).rejects.toMatchObject({
      code: "feed_unreachable",
      cause,
    });
  });

  test("joins characters that the transfer split", async () => {
    const [first, second] = [Buffer.from("1 €").subarray(0, 3), Buffer.from("1 €").subarray(3)];
    expect(await from(new Response(bodyOf(first, second).source))).toMatchObject({ text: "1 €" });
  });

  test.each([
    ["an invalid byte", [0x3c, 0xff, 0x3e]],
    ["a character without its end", [0x31, 0xe2, 0x82]],
  ])("rejects a body with %s", async (_, bytes) => {
    await expect(from(new Response(Uint8Array.from(bytes)))).rejects.toThrow(feedRefused);
  });

  test("accepts a body of exactly the maximum size", async () => {
    const headers = { "content-length": "10" };
    expect(await from(new Response("0123456789", { headers }))).toMatchObject({ text: "0123456789" });
  });

  test("stops reading a body at the first byte above the maximum", async () => {
    const { source, state } = bodyOf(Buffer.from("0123456789"), Buffer.from("0"), Buffer.from("more"));
    await expect(from(new Response(source))).rejects.toThrow(feedRefused);
    expect(state.cancelled).toBe(true);
  });

  test("does not read a body that announces more than the maximum", async () => {
    const { source, state } = bodyOf(Buffer.from("0"));
    const headers = { "content-length": "11" };
    await expect(from(new Response(source, { headers }))).rejects.toThrow(feedRefused);
    expect(state.cancelled).toBe(true);
  });
});
