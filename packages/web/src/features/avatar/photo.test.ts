import { maxBytes } from "@svc/core/avatar/accepted";
import { describe, expect, it } from "vitest";
import { fitsApi, reducedSize } from "./photo.ts";

describe("reducedSize", () => {
  it.each([
    [
      { width: 640, height: 480 },
      { width: 640, height: 480 },
    ],
    [
      { width: 8000, height: 6000 },
      { width: 2667, height: 2000 },
    ],
    [
      { width: 6000, height: 8000 },
      { width: 2000, height: 2667 },
    ],
    [
      { width: 40_000, height: 2000 },
      { width: 17_889, height: 894 },
    ],
    [
      { width: 10_000, height: 1 },
      { width: 10_000, height: 1 },
    ],
  ])("of %j is %j", (size, reduced) => expect(reducedSize(size)).toEqual(reduced));
});

describe("fitsApi", () => {
  it.each([
    ["a JPEG", { size: maxBytes }, "jpeg", 33_000_000, true],
    ["a file that is too large", { size: maxBytes + 1 }, "jpeg", 1, false],
    ["a JPEG that could be a progressive CMYK image of over 128 MiB", { size: 1 }, "jpeg", 34_000_000, false],
    [
      "a PNG that could be an interlaced image of 16 bits of over 128 MiB",
      { size: 1 },
      "png",
      17_000_000,
      false,
    ],
    ["a PNG", { size: 1 }, "png", 16_000_000, true],
    ["a WebP", { size: 1 }, "webp", 50_000_000, true],
    ["a WebP of too many pixels", { size: 1 }, "webp", 50_000_001, false],
    ["a GIF of too many pixels", { size: 1 }, "gif", 20_000_000, false],
  ] as const)("for %s", (_, file, type, pixels, fits) => expect(fitsApi(file, type, pixels)).toBe(fits));
});
