import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transformer } from "@napi-rs/image";
import { crop, PhotonImage, resize, SamplingFilter } from "@silvia-odwyer/photon-node";
import { Jimp } from "jimp";
import sharp, { type Sharp } from "sharp";
import { optimise } from "../core/avatar/image.ts";
import { type Contender, interleaved, median, table } from "./interleaved.ts";

/** Deviations of the noise of a picture, by the size of its grains in pixels. */
type Grains = readonly (readonly [pixels: number, sigma: number])[];

/**
 * Detail at all scales, as in a photo. The JPEG of 12 megapixels has as many bytes per pixel, and its 400 x 400 WebP as many
 * bytes, as the median and the mean of 25 photos of phones and cameras.
 */
const photographic: Grains = [
  [512, 60],
  [128, 45],
  [32, 35],
  [8, 25],
  [2, 20],
  [1, 18],
];

/** Noise of single pixels, also in the 400 x 400 WebP, which makes it as large as those of the most detailed photos. */
const noisy: Grains = [
  [16, 40],
  [1, 12],
];

/** Generates a JPEG that costs as much to decode and encode as a photo of a phone. */
export function photo(width: number, height: number): Promise<Buffer> {
  return picture(width, height, photographic, 90);
}

/** Adds ever finer noise while it enlarges the picture. */
async function picture(width: number, height: number, grains: Grains, quality: number): Promise<Buffer> {
  let result: Buffer | undefined;
  for (const [pixels, sigma] of grains) {
    const size = { width: Math.ceil(width / pixels), height: Math.ceil(height / pixels) };
    const noise = { type: "gaussian", mean: 128, sigma } as const;
    const input = await uncompressed(sharp({ create: { ...size, channels: 3, background: "#888", noise } }));
    result = result ? await blended(result, input, size) : input;
  }
  return sharp(result).jpeg({ quality }).toBuffer();
}

async function blended(
  coarse: Buffer,
  input: Buffer,
  size: { width: number; height: number },
): Promise<Buffer> {
  const enlarged = await uncompressed(sharp(coarse).resize({ ...size, kernel: "cubic", fit: "fill" }));
  return uncompressed(sharp(enlarged).composite([{ input, blend: "soft-light" }]));
}

function uncompressed(image: Sharp): Promise<Buffer> {
  return image.png({ compressionLevel: 0 }).toBuffer();
}

const square = { width: 400, height: 400, fit: "cover" } as const;

/**
 * Compares converting a 12 MP JPEG to a 400 x 400 WebP of quality 80, and for svc the small version too, with other libraries and
 * programs. Then measures the ratio to decoding and resizing alone for a picture of noise, and for the JPEG files in the folder
 * `BENCH_PHOTOS`, if it is set.
 */
export async function images(): Promise<string> {
  const jpeg = await photo(4000, 3000);
  const directory = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const file = join(directory, "photo.jpg");
  writeFileSync(file, jpeg);
  const contenders: Contender[] = [
    ...ownContenders(jpeg),
    ...[0, 1, 2, 3, 4, 6].map((other) => ({
      name: `sharp, effort ${other}`,
      run: () => sharp(jpeg).autoOrient().resize(square).webp({ quality: 80, effort: other }).toBuffer(),
    })),
    { name: "@napi-rs/image", run: () => new Transformer(jpeg).rotate().resize(400, 400).webp(80) },
    {
      name: "jimp (PNG, because it cannot write WebP)",
      run: async () => (await Jimp.read(jpeg)).cover({ w: 400, h: 400 }).getBuffer("image/png"),
    },
    { name: "photon", run: () => photon(jpeg) },
    { name: "jSquash", run: await jSquash(jpeg) },
    ...commands(file, join(directory, "out.webp")),
  ];
  const rows = await interleaved(contenders, 9);
  rmSync(directory, { recursive: true });
  const sizes = await Promise.all(
    [0, 1, 2, 3, 4, 6].map(
      async (other) =>
        `effort ${other}: ${(await sharp(jpeg).resize(square).webp({ quality: 80, effort: other }).toBuffer()).length}`,
    ),
  );
  const others = { "JPEG of noise, 12 MP": await picture(4000, 3000, noisy, 85), ...ownPhotos() };
  return [
    table(`12 MP JPEG (${megabytes(jpeg)} MB) to 400 x 400 WebP (ratio to decoding and resizing only)`, rows),
    `Size of the result in bytes: ${sizes.join(", ")}.`,
    ...(await ratios(others)),
    "",
  ].join("\n");
}

function ownContenders(jpeg: Buffer): [Contender, Contender] {
  return [
    {
      name: "sharp: decode and resize only",
      run: () => sharp(jpeg).autoOrient().resize(square).raw().toBuffer(),
    },
    { name: "svc, both sizes and the ThumbHash", run: () => optimise(jpeg) },
  ];
}

const megabytes = (file: Buffer) => (file.length / 1e6).toFixed(1);

function ownPhotos(): Record<string, Buffer> {
  const folder = process.env.BENCH_PHOTOS;
  if (!folder) return {};
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** Returns the rows of a table, and the median of its ratios. */
async function ratios(files: Record<string, Buffer>): Promise<string[]> {
  const lines: string[] = [];
  const found: number[] = [];
  for (const [name, jpeg] of Object.entries(files)) {
    const [alone, both] = await interleaved(ownContenders(jpeg), 15);
    if (!alone || !both) continue;
    found.push(both.ratio);
    const times = `${alone.medianMs.toFixed(1)} | ${both.medianMs.toFixed(1)}`;
    lines.push(`| ${name} | ${megabytes(jpeg)} | ${times} | ${both.ratio.toFixed(2)} |`);
  }
  const head = [
    "| picture | MB | ms of decoding and resizing only | ms of svc | ratio |",
    "|---|---|---|---|---|",
  ];
  return ["", ...head, ...lines, "", `Median of the ratios: ${median(found).toFixed(2)}.`];
}

/** Crops the centre square before resizing, because photon cannot crop while it resizes. */
function photon(jpeg: Buffer): Uint8Array {
  const whole = PhotonImage.new_from_byteslice(jpeg);
  const centre = crop(whole, 500, 0, 3500, 3000);
  const small = resize(centre, 400, 400, SamplingFilter.Lanczos3);
  const webp = small.get_bytes_webp();
  for (const image of [whole, centre, small]) image.free();
  return webp;
}

/** Loads jSquash's WebAssembly codecs, which a browser would fetch, from its packages. */
async function jSquash(jpeg: Buffer): Promise<() => Promise<ArrayBuffer>> {
  const wasm = (path: string) =>
    WebAssembly.compile(readFileSync(new URL(`node_modules/@jsquash/${path}`, import.meta.url)));
  const [decoder, encoder, resizer] = await Promise.all([
    import("@jsquash/jpeg/decode.js"),
    import("@jsquash/webp/encode.js"),
    import("@jsquash/resize"),
  ]);
  await decoder.init(await wasm("jpeg/codec/dec/mozjpeg_dec.wasm"));
  await encoder.init(await wasm("webp/codec/enc/webp_enc_simd.wasm"));
  await resizer.initResize(await wasm("resize/lib/resize/pkg/squoosh_resize_bg.wasm"));
  const bytes = new Uint8Array(jpeg).buffer;
  return async () => {
    const picture = await decoder.default(bytes);
    const small = await resizer.default(picture, { width: 400, height: 400, fitMethod: "contain" });
    return encoder.default(small, { quality: 80 });
  };
}

/** Returns the command-line programs installed on this machine. Their time includes starting a process. */
function commands(from: string, to: string): Contender[] {
  const cropAndResize = [
    "-resize",
    "400x400^",
    "-gravity",
    "center",
    "-extent",
    "400x400",
    "-quality",
    "80",
    to,
  ];
  const known: [string, string[]][] = [
    ["vipsthumbnail", [from, "--size", "400x400", "--smartcrop", "centre", "-o", `${to}[Q=80]`]],
    ["gm", ["convert", "-size", "800x800", from, ...cropAndResize]],
    ...["magick", "convert-im6.q16"].map((name): [string, string[]] => [
      name,
      ["-define", "jpeg:size=800x800", from, ...cropAndResize],
    ]),
  ];
  return known
    .filter(([program]) => spawnSync(program, ["--version"]).error === undefined)
    .map(([program, args]) => ({
      name: `${program} (a process)`,
      run: () => execFileSync(program, args, { stdio: "ignore" }),
    }));
}

/** Compares rejecting a decompression bomb by its header with decoding it. */
export async function bombs(): Promise<string> {
  const avif = await sharp({ create: { width: 10_000, height: 5000, channels: 3, background: "#357" } })
    .avif({ effort: 0 })
    .toBuffer();
  const rows = await interleaved(
    [
      { name: "svc: rejected by its header", run: () => optimise(avif).catch(() => undefined) },
      { name: "decoded", run: () => sharp(avif).resize(square).webp().toBuffer() },
    ],
    3,
  );
  return table(`A 50 MP AVIF of ${(avif.length / 1000).toFixed(0)} kB`, rows);
}
