import fc from "fast-check";
import { encodeQR } from "qr";
import { decodeQR } from "qr/decode.js";
import sharp from "sharp";
import { describe, expect, it, test } from "vitest";
import * as Totp from "./totp.ts";

/** RFC 6238, appendix B, the SHA-1 rows: eight digits; the secret is the ASCII text below. */
const seed = Buffer.from("12345678901234567890");
test.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
])("code() matches RFC 6238, appendix B: the code at %i s is %s", (seconds, code) => {
  expect(Totp.code(seed, Totp.step(new Date(seconds * 1000)), 8)).toBe(code);
});

describe("base32", () => {
  test.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("matches RFC 4648, section 10, without padding: %j becomes %s", (text, encoded) => {
    expect(Totp.base32(Buffer.from(text))).toBe(encoded);
  });

  it("preserves every bit for every input length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const bits = [...Totp.base32(bytes)]
          .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
          .join("");
        const back = bytes.map((_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2));
        expect([...back]).toEqual([...bytes]);
      }),
    );
  });
});

describe("matchingStep", () => {
  const now = new Date(1_234_567_890_000);
  const current = Totp.step(now);
  const at = (step: number) => Totp.code(seed, step);

  it("accepts the codes of the current step and of the steps before and after it, and no others", () => {
    const found = [-2, -1, 0, 1, 2].map((drift) => Totp.matchingStep(seed, at(current + drift), 0, now));
    expect(found).toEqual([undefined, current - 1, current, current + 1, undefined]);
  });

  it("rejects the last used step and earlier ones", () => {
    expect(Totp.matchingStep(seed, at(current), current, now)).toBeUndefined();
    expect(Totp.matchingStep(seed, at(current - 1), current, now)).toBeUndefined();
    expect(Totp.matchingStep(seed, at(current + 1), current, now)).toBe(current + 1);
  });

  test.each(["", "12345", "1234567", "abcdef"])("rejects %j, which is not a six-digit code", (given) => {
    expect(Totp.matchingStep(seed, given, 0, now)).toBeUndefined();
  });
});

test("uri() survives a round trip through a QR code and names the issuer, account, secret and parameters", async () => {
  const secret = Totp.base32(seed);
  const uri = Totp.uri(secret, "svc", "ada+work@people.test");
  const svg = Buffer.from(encodeQR(uri, "svg"));
  const { data, info } = await sharp(svg, { density: 400 })
    .flatten({ background: "#fff" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) })).toBe(uri);
  const { protocol, host, pathname, searchParams } = new URL(uri);
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/svc:ada+work@people.test",
  ]);
  expect(Object.fromEntries(searchParams)).toEqual({
    secret,
    issuer: "svc",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
