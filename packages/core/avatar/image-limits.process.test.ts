import sharp from "sharp";
import { expect, test } from "vitest";
import * as Pictures from "../testing/pictures.ts";
import { long } from "../testing/sample.ts";
import { optimise } from "./image.ts";

const colour = { r: 190, g: 140, b: 115 };
const size = (width: number, height: number) => ({ width, height });
const tooManyPixels = { kind: "invalid", code: "image_dimensions_exceeded" };
type Refusal = { kind: string; code: string; message?: RegExp };

test.each([
  [1, 1],
  [2, 3],
  [1, 10_000],
  [10_000, 1],
  [2, long ? 25_000_000 : 2_500_000],
  [65_000, 760],
])(
  "optimise crops an image of %i x %i pixels to a square",
  async (width, height) => {
    const pixels = size(width, height);
    const file = await Pictures.plain(colour, pixels)[height === 760 ? "jpeg" : "png"]().toBuffer();
    expect(await sharp((await optimise(file)).buffer).metadata()).toMatchObject({ width: 400, height: 400 });
  },
  60_000,
);

test.each([
  ["a PNG of 268 million pixels", () => Pictures.pngHeader(size(16_384, 16_384)), tooManyPixels],
  [
    "a JPEG of 50.01 million pixels",
    () => Pictures.jpeg(size(10_000, 5001)),
    {
      ...tooManyPixels,
      message: /10000 x 5001 pixels \(50\.1 million\)\. The maximum for JPEG is 50 million/,
    },
  ],
  [
    "an AVIF of 12.51 million pixels",
    () => Pictures.avif(size(4096, 3052)),
    { ...tooManyPixels, message: /\(12\.6 million\)\. The maximum for AVIF is 12\.5 million/ },
  ],
  [
    "a GIF of 12.1 million pixels",
    () => Pictures.gif(size(4000, 3025)),
    { ...tooManyPixels, message: /\(12\.1 million\)\. The maximum for GIF is 12 million/ },
  ],
  [
    "an interlaced PNG of 50 million pixels in 16 bits",
    () => Pictures.interlacedPng(size(10_000, 5000), 16),
    { ...tooManyPixels, message: /10000 x 5000 pixels, 381\.5 MiB when decoded\. The maximum is 128 MiB/ },
  ],
  [
    "an interlaced PNG one row over the limit",
    () => Pictures.interlacedPng(size(4096, 4097), 16),
    tooManyPixels,
  ],
  [
    "a progressive JPEG over the limit",
    () => Pictures.jpeg(size(9000, 5000), { progressive: true }),
    tooManyPixels,
  ],
] as const)("optimise rejects %s", async (_name, picture, { message = /./, ...fault }: Refusal) => {
  await expect(optimise(await picture())).rejects.toMatchObject({
    ...fault,
    message: expect.stringMatching(message),
  });
});

test("optimise rejects an AVIF of 50 million pixels", async () => {
  await expect(optimise(await Pictures.avif(size(10_000, 5000)))).rejects.toMatchObject(tooManyPixels);
});
