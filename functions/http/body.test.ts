import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { event } from "../testing/request.ts";
import { api } from "./api.ts";
import { input } from "./input.ts";

const handler = api({ summary: "", returns: {} })
  .use(input(z.looseObject({})))
  .handler(async ({ input }) => input);

/** Sends a body as the gateway passes it to the function: base64, unless it is text. */
async function send(body: string | Buffer, headers: Record<string, string>) {
  const {
    statusCode,
    headers: answered,
    body: text,
  } = await handler(
    await event("POST /x", { body, headers: { "content-type": "application/json", ...headers } }),
    { getRemainingTimeInMillis: () => 30_000 } as never,
  );
  return { status: statusCode, headers: answered ?? {}, body: JSON.parse(text ?? "null") };
}

describe("the media type of a JSON body", () => {
  test.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json; charset=utf8",
    "application/json; charset = utf-8",
    "application/json;",
    "application/json; indent=4",
    "application/vnd.svc.v1+json; charset=utf-8",
  ])("can be %s", async (type) => {
    expect(await send('{"a":"é"}', { "content-type": type })).toMatchObject({
      status: 200,
      body: { a: "é" },
    });
  });

  test.each([
    ["", "unsupported_media_type"],
    ["json", "unsupported_media_type"],
    ["text/json", "unsupported_media_type"],
    ["application/jsonp", "unsupported_media_type"],
    ["application/+json", "unsupported_media_type"],
    ["application/json, application/json", "unsupported_media_type"],
    ["application/json; charset=iso-8859-1", "unsupported_charset"],
    ['application/json; charset="latin1"', "unsupported_charset"],
    ["application/json; charset=utf-16", "unsupported_charset"],
    ["application/json; charset=utf-80", "unsupported_charset"],
    ["application/json; CHARSET=us-ascii", "unsupported_charset"],
  ])("cannot be %j (%s)", async (type, code) => {
    const answer = await send('{"a":1}', { "content-type": type });
    expect([answer.status, answer.body.code, answer.headers.accept]).toEqual([415, code, "application/json"]);
  });
});

describe("the encoding of a JSON body", () => {
  const latin1 = Buffer.from('{"name":"caf\xe9"}', "latin1");
  const utf16 = Buffer.from('\ufeff{"name":"café"}', "utf16le");
  const cut = Buffer.concat([Buffer.from('{"name":"😀').subarray(0, -2), Buffer.from('"}')]);

  test.each([
    ["ISO 8859-1", latin1],
    ["UTF-16", utf16],
    ["UTF-8 that is cut off", cut],
  ])("cannot be %s, whether the gateway passes bytes or text", async (_, bytes) => {
    const asBytes = await send(bytes, { "content-type": "application/vnd.svc+json" });
    expect([asBytes.status, asBytes.body.code]).toEqual([415, "unsupported_charset"]);
    const asText = await send(bytes.toString("utf8"), { "content-length": String(bytes.length) });
    expect([asText.status, asText.body.code]).toEqual([415, "unsupported_charset"]);
  });

  test("can contain the replacement character itself", async () => {
    const bytes = Buffer.from('{"name":"caf\ufffd"}');
    const sent = { "content-length": String(bytes.length) };
    for (const answer of [await send(bytes, {}), await send(bytes.toString(), sent)])
      expect(answer).toMatchObject({ status: 200, body: { name: "caf\ufffd" } });
  });

  test.each(["gzip", "br", "deflate", "zstd", "gzip, identity", "identity, gzip", "aws-chunked", "x"])(
    "cannot be the Content-Encoding %s",
    async (encoding) => {
      const answer = await send(Buffer.from("{}"), { "content-encoding": encoding });
      expect([answer.status, answer.body.code]).toEqual([415, "unsupported_content_encoding"]);
      expect(answer.headers["accept-encoding"]).toBe("identity");
    },
  );

  test.each(["", "identity", " Identity "])("can be the Content-Encoding %j", async (encoding) => {
    expect((await send(Buffer.from("{}"), { "content-encoding": encoding })).status).toBe(200);
  });
});
