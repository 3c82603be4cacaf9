import fc from "fast-check";
import { encodeQR } from "qr";
import { decodeQR } from "qr/decode.js";
import sharp from "sharp";
import { expect, test } from "vitest";
import * as Totp from "./totp.ts";

/** RFC 6238, appendix B, the SHA-1 rows: eight digits, the secret is the ASCII text below. */
const seed = Buffer.from("12345678901234567890");
test.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
])("RFC 6238, appendix B: at %i s the code is %s", (seconds, code) => {
  expect(Totp.code(seed, Totp.step(new Date(seconds * 1000)), 8)).toBe(code);
});

test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("RFC 4648, section 10: base32 of %j is %s, without the padding", (text, encoded) => {
  expect(Totp.base32(Buffer.from(text))).toBe(encoded);
});

test("base32 keeps every bit of every length", () => {
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

const now = new Date(1_234_567_890_000);
const current = Totp.step(now);
const at = (step: number) => Totp.code(seed, step);

test("a code is taken in its own step and one step either side, no further", () => {
  const found = [-2, -1, 0, 1, 2].map((aside) => Totp.matchingStep(seed, at(current + aside), 0, now));
  expect(found).toEqual([undefined, current - 1, current, current + 1, undefined]);
});

test("no step is taken twice, nor one before it", () => {
  expect(Totp.matchingStep(seed, at(current), current, now)).toBeUndefined();
  expect(Totp.matchingStep(seed, at(current - 1), current, now)).toBeUndefined();
  expect(Totp.matchingStep(seed, at(current + 1), current, now)).toBe(current + 1);
});

test.each(["", "12345", "1234567", "abcdef"])("%j is no code", (given) => {
  expect(Totp.matchingStep(seed, given, 0, now)).toBeUndefined();
});

test("the QR code of the address reads back as that address, and an app finds all it needs in it", async () => {
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
