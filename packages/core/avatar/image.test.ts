import sharp from "sharp";
import { rgbaToThumbHash, thumbHashToRGBA } from "thumbhash";
import { expect, test } from "vitest";
import * as Pictures from "../testing/pictures.ts";
import { maxBytes } from "./accepted.ts";
import { optimise, reduce, side } from "./image.ts";
import * as ThumbHash from "./thumb-hash.ts";

type Rgba = [r: number, g: number, b: number, alpha: number];

/** Returns the colour in the middle of each quarter of an image. */
async function cornerColours(picture: Buffer) {
  const raw = await sharp(picture).ensureAlpha().raw().toBuffer();
  const at = (x: number, y: number) => [...raw.subarray((y * side + x) * 4, (y * side + x) * 4 + 4)] as Rgba;
  const [near, far] = [side / 4, (side * 3) / 4];
  return {
    topLeft: at(near, near),
    topRight: at(far, near),
    bottomLeft: at(near, far),
    bottomRight: at(far, far),
  };
}

async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((it) => sharp(it).removeAlpha().raw().toBuffer()));
  if (!a || !b || a.length !== b.length) throw new Error("The images differ in size.");
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

function near(actual: Rgba, { r, g, b }: Pictures.Colour, tolerance = 6): boolean {
  return [r, g, b].every((value, at) => Math.abs(value - (actual[at] ?? -1)) <= tolerance);
}

/** Returns the four-letter names of the chunks of a RIFF file. */
function chunks(webp: Buffer): string[] {
  const names: string[] = [];
  for (
    let at = 12;
    at + 8 <= webp.length;
    at += 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2)
  )
    names.push(webp.toString("latin1", at, at + 4));
  return names;
}

const skin = { r: 190, g: 140, b: 115 };
const size = (width: number, height: number) => ({ width, height });

test("optimise returns a 400 x 400 WebP with its sizes", async () => {
  const file = await Pictures.photo();
  const result = await optimise(file);
  expect(result).toEqual({
    buffer: expect.any(Buffer),
    contentType: "image/webp",
    ext: ".webp",
    originalSize: file.length,
    optimizedSize: result.buffer.length,
    small: { buffer: expect.any(Buffer), thumbHash: expect.any(Uint8Array) },
  });
  expect(await sharp(result.buffer).metadata()).toMatchObject({ format: "webp", width: 400, height: 400 });
});

test("optimise returns a small version of 96 x 96 pixels, with the same content and without metadata", async () => {
  for (const file of [
    await Pictures.photo({ orientation: 6 }),
    await Pictures.png(size(600, 500), { alpha: 128 }),
  ]) {
    const { buffer, small } = await optimise(file);
    const { format, width, height, hasAlpha } = await sharp(small.buffer).metadata();
    const large = await sharp(buffer).metadata();
    expect({ format, width, height, hasAlpha }).toEqual({
      ...{ format: "webp", width: 96, height: 96 },
      hasAlpha: large.hasAlpha,
    });
    expect(chunks(small.buffer).filter((name) => !["VP8 ", "VP8X", "ALPH"].includes(name))).toEqual([]);
    const reduced = await sharp(buffer).resize(96, 96).png().toBuffer();
    expect(await meanDifference(small.buffer, reduced)).toBeLessThan(3);
  }
});

/** Draws an SVG of 100 x 100 units. */
function drawing(shapes: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="480" height="480">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const gradient = (from: string, to: string, direction = 'x2="1"') =>
  `<linearGradient id="g" ${direction}><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>
   <rect width="100" height="100" fill="url(#g)"/>`;

const person =
  '<circle cx="50" cy="45" r="22" fill="#c96"/><ellipse cx="50" cy="98" rx="42" ry="25" fill="#735"/>';

/** Generates smooth patches of about an eighth of the side. */
async function patches(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const small = sharp({ create: { width: 8, height: 8, channels: 3, background: "#888", noise } });
  return sharp(await small.png().toBuffer())
    .resize(480, 480, { kernel: "cubic" })
    .jpeg()
    .toBuffer();
}

/** Returns the mean distance of a ThumbHash, as the reference package decodes it, from the avatar, blurred by a tenth of its side. */
async function distanceFromBlurred(avatar: Buffer, thumbHash: Uint8Array): Promise<number> {
  const { w, h, rgba } = thumbHashToRGBA(thumbHash);
  const blurred = await sharp(
    await sharp(avatar)
      .blur(side / 10)
      .png()
      .toBuffer(),
  )
    .resize(w, h)
    .ensureAlpha()
    .raw()
    .toBuffer();
  return ThumbHash.meanDistance(rgba, blurred);
}

test.each([
  ["a portrait", () => drawing(gradient("#246", "#eca", 'x2="1" y2="1"') + person)],
  ["a portrait without background", () => drawing(person)],
  ["a portrait in front of a window", () => drawing(`${gradient("#fff", "#eee")}${person}`)],
  [
    "a portrait at night",
    () => drawing(`<g opacity=".3">${person}</g><rect width="100" height="100" opacity=".7"/>`),
  ],
  [
    "a landscape",
    () =>
      drawing(
        `${gradient("#8cf", "#fff", 'x2="0" y2="1"')}<path d="M0 60L30 40L60 62L100 48V100H0Z" fill="#352"/>`,
      ),
  ],
  [
    "a letter on a colour",
    () => drawing('<rect width="100" height="100" fill="#06c"/><path d="M45 20h10v60h-10z" fill="#fff"/>'),
  ],
  [
    "a logo on white",
    () => drawing('<rect width="100" height="100" fill="#fff"/><circle cx="50" cy="50" r="40" fill="#06c"/>'),
  ],
  ["a logo without background", () => drawing('<path d="M20 80L50 20L80 80Z" fill="#e22"/>')],
  [
    "a ring without background",
    () => drawing('<circle cx="50" cy="50" r="35" fill="none" stroke="#000" stroke-width="12"/>'),
  ],
  ["a translucent colour", () => drawing('<rect width="100" height="100" fill="#f80" fill-opacity=".5"/>')],
  [
    "black beside white",
    () => drawing('<rect width="100" height="100" fill="#fff"/><rect width="50" height="100"/>'),
  ],
  [
    "red beside blue",
    () => drawing('<rect width="100" height="100" fill="#f00"/><rect width="50" height="100" fill="#00f"/>'),
  ],
  ["smooth patches", () => patches()],
  ["one colour", () => Pictures.plain(skin).png().toBuffer()],
  ["white", () => Pictures.plain({ r: 255, g: 255, b: 255 }).png().toBuffer()],
  ["a grey image", () => Pictures.greyPng({ r: 90, g: 90, b: 90 }, 8)],
] as const)(
  "the ThumbHash of %s is within a mean distance of 12 of the blurred image",
  async (_name, picture) => {
    const { buffer, small } = await optimise(await picture());
    expect(await distanceFromBlurred(buffer, small.thumbHash)).toBeLessThan(12);
    // As a control, another image is far away.
    const other = await Pictures.plain({ r: 20, g: 200, b: 250 }, size(side, side)).png().toBuffer();
    expect(await distanceFromBlurred(other, small.thumbHash)).toBeGreaterThan(24);
  },
);

test("the ThumbHash of saturated quarters is closer than that of the reference encoder", async () => {
  const { buffer, small } = await optimise(await Pictures.jpeg(size(1200, 900)));
  const pixels = await sharp(buffer).resize(32, 32).ensureAlpha().raw().toBuffer();
  const reference = await distanceFromBlurred(buffer, rgbaToThumbHash(32, 32, pixels));
  expect(await distanceFromBlurred(buffer, small.thumbHash)).toBeLessThan(Math.min(16, reference - 2));
});

test("reduce makes the small version of a stored avatar, and rejects other data", async () => {
  const { buffer, small } = await optimise(await Pictures.photo());
  const reduced = await reduce(buffer);
  expect(await sharp(reduced.buffer).metadata()).toMatchObject({ format: "webp", width: 96, height: 96 });
  expect(await meanDifference(reduced.buffer, small.buffer)).toBeLessThan(2);
  await expect(reduce(Buffer.from("x"))).rejects.toMatchObject({ code: "image_invalid" });
});

test("optimise reads a view into a larger buffer", async () => {
  const file = await Pictures.photo();
  const larger = new Uint8Array(file.length + 20);
  larger.set(file, 10);
  expect((await optimise(larger.subarray(10, 10 + file.length))).originalSize).toBe(file.length);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "optimise turns an image of orientation %i upright",
  async (orientation) => {
    const upright = await sharp(await Pictures.photo())
      .resize(side, side)
      .png()
      .toBuffer();
    const file = await Pictures.photo({ orientation });
    expect((await sharp(file).metadata()).orientation).toBe(orientation);
    expect(await meanDifference((await optimise(file)).buffer, upright)).toBeLessThan(2);
    const ignored = await sharp(file).resize(side, side).png().toBuffer();
    if (orientation > 1) expect(await meanDifference(ignored, upright)).toBeGreaterThan(55);
  },
);

test.each(["jpeg", "png", "webp", "avif", "gif"] as const)(
  "optimise turns %s upright and removes its metadata",
  async (format) => {
    const file = await Pictures.photo({ format, orientation: format === "gif" ? 1 : 6 });
    const { buffer } = await optimise(file);
    const colours = await cornerColours(buffer);
    for (const [corner, colour] of Object.entries(Pictures.corners))
      expect(near(colours[corner as keyof typeof colours], colour), `${corner} of ${format}`).toBe(true);
    expect(chunks(buffer).filter((name) => !["VP8 ", "VP8L", "VP8X", "ALPH"].includes(name))).toEqual([]);
    for (const secret of Pictures.secrets) {
      if (format !== "gif") expect(file.includes(secret)).toBe(true);
      expect(buffer.includes(secret)).toBe(false);
    }
  },
);

test("the chunk parser finds metadata in a file that has it", async () => {
  const kept = await sharp(await Pictures.photo())
    .keepMetadata()
    .webp()
    .toBuffer();
  expect(chunks(kept)).toEqual(expect.arrayContaining(["ICCP", "EXIF", "XMP "]));
});

test("optimise crops wide and tall images to their centre", async () => {
  for (const [width, height] of [
    [1600, 400],
    [400, 1600],
    [5000, 1300],
    [1300, 5000],
  ] as const) {
    const colours = await cornerColours((await optimise(await Pictures.jpeg(size(width, height)))).buffer);
    for (const [corner, colour] of Object.entries(Pictures.corners))
      expect(near(colours[corner as keyof typeof colours], colour), `${corner} of ${width} x ${height}`).toBe(
        true,
      );
  }
});

test.each([
  ["PNG", () => Pictures.png(size(600, 500), { alpha: 0 }), 0],
  ["PNG of 16 bits", () => Pictures.png(size(600, 500), { alpha: 128, depth: 16 }), 128],
  ["WebP", () => Pictures.webp(size(600, 500), { alpha: 128 }), 128],
  ["AVIF", () => Pictures.avif(size(600, 500), { deepest: true }), 128],
] as const)("optimise keeps the alpha channel of %s", async (_name, picture, alpha) => {
  const colours = await cornerColours((await optimise(await picture())).buffer);
  expect(colours.topLeft[3]).toBeGreaterThanOrEqual(254);
  expect(Math.abs(colours.bottomRight[3] - alpha)).toBeLessThanOrEqual(2);
});

test.each([
  ["Display P3", () => Pictures.p3Png(skin), skin, 4],
  ["CMYK with its profile", () => Pictures.cmykJpeg(skin), skin, 14],
  ["CMYK without a profile", () => Pictures.cmykJpeg(skin, { profile: false }), skin, 14],
  ["16 bits without a profile", () => Pictures.png16(skin), skin, 4],
  ["16 bits in sRGB", () => Pictures.png16(skin, "srgb"), skin, 4],
  ["16 bits in Display P3", () => Pictures.png16(skin, "p3"), skin, 4],
  ["grey", () => Pictures.greyPng({ r: 90, g: 90, b: 90 }, 8), { r: 90, g: 90, b: 90 }, 4],
  ["grey of 16 bits", () => Pictures.greyPng({ r: 90, g: 90, b: 90 }, 16), { r: 90, g: 90, b: 90 }, 4],
] as const)("optimise converts the colour of %s to sRGB", async (_name, picture, colour, tolerance) => {
  const { buffer } = await optimise(await picture());
  const { topLeft } = await cornerColours(buffer);
  expect(near(topLeft, colour, tolerance), `${topLeft} for ${Object.values(colour)}`).toBe(true);
  expect(chunks(buffer)).not.toContain("ICCP");
});

test.each(["gif", "webp"] as const)("optimise uses the first frame of an animated %s", async (format) => {
  const file = await Pictures.animation(format, Pictures.corners.topLeft, Pictures.corners.bottomLeft);
  expect((await sharp(file).metadata()).pages).toBe(2);
  const { buffer } = await optimise(file);
  expect((await sharp(buffer).metadata()).pages ?? 1).toBe(1);
  expect(near((await cornerColours(buffer)).bottomRight, Pictures.corners.topLeft)).toBe(true);
});

const unsupported = { kind: "unsupported", code: "image_type_not_supported" };
const invalid = { kind: "invalid", code: "image_invalid" };

test.each([
  ["no bytes", () => Buffer.alloc(0), invalid],
  [
    "a text file",
    () => Buffer.from("Dear Ada,\n\nno picture today.\n"),
    { ...unsupported, message: /^Text/ },
  ],
  ["a web page", () => Buffer.from("<!doctype html><title>x</title>"), { ...unsupported, message: /^Text/ }],
  ["an unknown binary", () => Buffer.from([0, 1, 2, 3]), unsupported],
  ["SVG", Pictures.svg, { ...unsupported, message: /^SVG/ }],
  ["HEIC", Pictures.heic, { ...unsupported, message: /^HEIC.*Convert the photo to JPEG/ }],
  ["HEIF by a compatible brand", () => Pictures.ftyp("mif1", "heic"), { ...unsupported, message: /^HEIC/ }],
  ["minimized HEIC", () => Pictures.minimized("heic"), { ...unsupported, message: /^HEIC/ }],
  ["minimized AVIF", () => Pictures.minimized("avif"), { ...unsupported, message: /^Minimized AVIF/ }],
  ["MP4", () => Pictures.ftyp("isom", "mp42"), { ...unsupported, message: /^Video/ }],
  ["TIFF", Pictures.tiff, { ...unsupported, message: /^TIFF/ }],
  ["PDF", Pictures.pdf, { ...unsupported, message: /^PDF/ }],
  ["BMP", () => Buffer.from("BM\x46\0\0\0", "latin1"), { ...unsupported, message: /^BMP/ }],
  ["an AVIF that is only a signature", () => Pictures.ftyp("mif1", "avif"), invalid],
  ["a JPEG that is only a signature", () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]), invalid],
  ["a PNG without pixels", () => Pictures.pngHeader(size(600, 500)), invalid],
  ["a truncated JPEG", () => cut(Pictures.photo(), 0.6), invalid],
  ["a truncated PNG", () => cut(Pictures.photo({ format: "png" }), 0.6), invalid],
  ["a truncated WebP", () => cut(Pictures.photo({ format: "webp" }), 0.6), invalid],
  ["a truncated GIF", () => cut(Pictures.photo({ format: "gif" }), 0.6), invalid],
  ["a truncated AVIF", () => cut(Pictures.photo({ format: "avif" }), 0.9), invalid],
  ["a truncated JPEG with stray bytes", () => cut(withStrayBytes(Pictures.photo()), 0.6), invalid],
  ["a JPEG without image data", () => Buffer.from("\xff\xd8\xff\xe0\0\x04ab\xff\xff\xff", "latin1"), invalid],
  ["a JPEG cut off below the square", () => cut(Pictures.jpeg(size(800, 4000)), 0.99), invalid],
  ["a PNG cut off below the square", () => cut(Pictures.png(size(800, 4000)), 0.99), invalid],
  [
    "a file of 4,500,001 bytes",
    () => Buffer.alloc(maxBytes + 1),
    {
      ...{ kind: "too_large", code: "file_too_large" },
      message: /^The file has 4,500,001 bytes\. The maximum is 4,500,000 \(4\.5 MB\)\.$/,
    },
  ],
] as const)("optimise rejects %s", async (_name, picture, { message = /./, ...fault }: Refusal) => {
  await expect(optimise(await picture())).rejects.toMatchObject({
    ...fault,
    message: expect.stringMatching(message),
  });
});

type Refusal = { kind: string; code: string; message?: RegExp };

async function cut(file: Promise<Buffer>, share: number): Promise<Buffer> {
  const whole = await file;
  return whole.subarray(0, Math.floor(whole.length * share));
}

/** Inserts bytes before a marker of the headers, and fill bytes, as broken software does. The thumbnail has an end marker. */
async function withStrayBytes(file: Promise<Buffer>): Promise<Buffer> {
  const jpeg = await file;
  const afterFirst = 4 + jpeg.readUInt16BE(4);
  const thumbnail = Buffer.from("\xff\xe1\0\x0aExif\xff\xd9\xff\xd9", "latin1");
  const stray = Buffer.from("stray\0\xff\0more\xff\xff", "latin1");
  return Buffer.concat([jpeg.subarray(0, afterFirst), thumbnail, stray, jpeg.subarray(afterFirst)]);
}

test("optimise accepts a JPEG with stray bytes before a marker, as browsers do", async () => {
  const photo = Pictures.photo();
  const [plain, stray] = [await optimise(await photo), await optimise(await withStrayBytes(photo))];
  expect(await meanDifference(stray.buffer, plain.buffer)).toBeLessThan(1);
});

test.each(["avis", "miaf", "mif3"])(
  "optimise accepts an AVIF with the major brand %s, of which libvips knows nothing, and leaves the file as it is",
  async (brand) => {
    const file = await Pictures.avif(size(600, 500));
    const { buffer } = await optimise(file);
    const renamed = Buffer.from(file);
    renamed.write(brand, 8, "latin1");
    const before = Buffer.from(renamed);
    expect((await optimise(renamed)).buffer.equals(buffer)).toBe(true);
    expect(renamed.equals(before)).toBe(true);
  },
);

test("optimise accepts an AVIF of the most common phone sensor", async () => {
  expect((await optimise(await Pictures.avif(size(4032, 3024)))).buffer.length).toBeGreaterThan(0);
});

test("optimise accepts a file of 4,500,000 bytes", async () => {
  const file = await Pictures.photo();
  const padded = Buffer.concat([file, Buffer.alloc(maxBytes - file.length)]);
  expect((await optimise(padded)).originalSize).toBe(maxBytes);
});

test("optimise processes later images after one has failed", async () => {
  const good = await Pictures.photo({ format: "png" });
  const damaged = Buffer.from(good).fill(0, good.length >> 1, (good.length >> 1) + 100);
  const outcomes = await Promise.allSettled([damaged, good, Buffer.alloc(0), good].map(optimise));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
});
