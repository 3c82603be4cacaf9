import { sample } from "@svc/core/testing/sample";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { multipartCases, statuses } from "../testing/multipart-bodies.ts";
import type { Call } from "./api.ts";
import { imageUpload } from "./image-upload.ts";
import { maxHeaderBytes, parseForm } from "./multipart.ts";

const image = Buffer.alloc(2500, "\xff\xd8 bytes \r\n --BB \r\n\r\n -- \0 \xff\r\n", "latin1");
const cases = multipartCases(image);
const type = "multipart/form-data; boundary=BB";

/** Returns "accepted" if the step reads the image from the body, or the code of its error. */
async function outcome(contentType: string, body: Buffer): Promise<string> {
  const event = {
    headers: { "content-type": contentType },
    body: body.toString("base64"),
    isBase64Encoded: true,
  };
  try {
    const { file } = await imageUpload().before({ event } as unknown as Call);
    return file.equals(image) ? "accepted" : "another file";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

describe("imageUpload", () => {
  it.each(cases)("handles $name", async ({ contentType, body, expected }) => {
    expect(await outcome(contentType, body())).toBe(expected);
  });

  it.each(sample(cases, 20))("answers every cut of $name", async ({ contentType, body }) => {
    const whole = body();
    const lengths = Array.from({ length: Math.min(2000, whole.length) }, (_, length) => length);
    const outcomes = await Promise.all(
      lengths.map((length) => outcome(contentType, whole.subarray(0, length))),
    );
    expect(["accepted", ...Object.keys(statuses)]).toEqual(expect.arrayContaining([...new Set(outcomes)]));
  });

  it("rejects a file that is cut anywhere", async () => {
    const whole = cases[0]?.body() ?? Buffer.alloc(0);
    for (let length = 0; length < whole.lastIndexOf("--BB--") + "--BB--".length; length++)
      expect([length, await outcome(type, whole.subarray(0, length))]).toEqual([
        length,
        "multipart_malformed",
      ]);
  });
});

describe("parseForm", () => {
  const part = fc.record({
    name: fc.stringMatching(/^[\w[\]. ]{1,20}$/),
    filename: fc.option(fc.stringMatching(/^[\w. -]{0,20}$/), { nil: undefined }),
    // The parser's buffers hold 16 KiB and 64 KiB.
    content: fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.constantFrom(16_384, 65_536, 65_537, 200_000).map((length) => new Uint8Array(length).fill(13)),
    ),
  });

  it("returns the content of every part, in any number and size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 12 }), async (parts) => {
        const body = Buffer.concat([
          ...parts.flatMap(({ name, filename, content }) => [
            Buffer.from(`--a-boundary\r\nContent-Disposition: form-data; name="${name}"`),
            Buffer.from(`${filename === undefined ? "" : `; filename="${filename}"`}\r\n\r\n`),
            content,
            Buffer.from("\r\n"),
          ]),
          Buffer.from("--a-boundary--"),
        ]);
        const found = await parseForm(body, "multipart/form-data; boundary=a-boundary");
        const summary = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
        expect(found.map(({ content }) => summary(content)).sort()).toEqual(
          parts.map(({ content }) => summary(content)).sort(),
        );
        expect(found.filter(({ filename }) => filename !== undefined)).toHaveLength(
          parts.filter(({ filename }) => filename !== undefined).length,
        );
      }),
      { numRuns: 50 },
    );
  });

  it("answers for headers of any characters", async () => {
    const character = fc.constantFrom(..."form-data; name=\"a\"; filename*=utf-8''%0A\\\t:,\0\r\n\x85\xff");
    const header = fc.oneof(
      fc.string({ unit: character, maxLength: 60 }),
      fc
        .string({ unit: character, maxLength: 60 })
        .map((text) => `Content-Disposition: form-data; name=a;${text}`),
      fc.string({ unit: character, maxLength: 60 }).map((text) => `Content-Type: ${text}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(header, { maxLength: 4 }), async (headers) => {
        const lines = headers.map((line) => `${line}\r\n`).join("");
        // The parser stops at a part of this size that it skips.
        const body = Buffer.from(`--B\r\n${lines}\r\n${"z".repeat(100_000)}\r\n--B--`, "latin1");
        const result = await parseForm(body, "multipart/form-data; boundary=B").catch(({ code }) => code);
        expect(Array.isArray(result) || result === "multipart_malformed").toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it(`accepts ${maxHeaderBytes} bytes of headers in each of 60 parts and not one more`, async () => {
    const disposition = "\r\nContent-Disposition: form-data; name=a\r\nX: ";
    const parts = (length: number) =>
      `--B${disposition}${"x".repeat(length - disposition.length)}\r\n\r\nv\r\n`.repeat(60);
    const parse = (length: number) =>
      parseForm(Buffer.from(`${parts(length)}--B--`), "multipart/form-data; boundary=B");
    expect(await parse(maxHeaderBytes)).toHaveLength(60);
    await expect(parse(maxHeaderBytes + 1)).rejects.toMatchObject({ code: "multipart_malformed" });
  });
});
