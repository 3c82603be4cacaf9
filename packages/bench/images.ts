import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transformer } from "@napi-rs/image";
import { crop, PhotonImage, resize, SamplingFilter } from "@silvia-odwyer/photon-node";
import { Jimp } from "jimp";
import sharp from "sharp";
import { effort, optimise } from "../core/avatar/image.ts";
import { type Contender, interleaved, table } from "./interleaved.ts";

/** Generates a JPEG with soft colours, edges and grain, which is about as expensive to decode and encode as a photo. */
export async function photo(width: number, height: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const small = await sharp({
    create: {
      width: Math.ceil(width / 16),
      height: Math.ceil(height / 16),
      channels: 3,
      background: "#888",
      noise,
    },
  })
    .png()
    .toBuffer();
  const grain = await sharp({
    create: { width, height, channels: 3, background: "#888", noise: { ...noise, sigma: 12 } },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return sharp(await sharp(small).resize(width, height, { kernel: "cubic" }).toBuffer())
    .composite([{ input: grain, blend: "soft-light" }])
    .jpeg({ quality: 85 })
    .toBuffer();
}

const square = { width: 400, height: 400, fit: "cover" } as const;

/** Compares converting a 12 MP JPEG to a 400 x 400 WebP of quality 80 with other libraries and programs. */
export async function images(): Promise<string> {
  const jpeg = await photo(4000, 3000);
  const directory = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const file = join(directory, "photo.jpg");
  writeFileSync(file, jpeg);
  const contenders: Contender[] = [
    {
      name: "sharp: decode and resize only",
      run: () => sharp(jpeg).autoOrient().resize(square).raw().toBuffer(),
    },
    { name: `svc (effort ${effort})`, run: () => optimise(jpeg) },
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
  return `${table(`12 MP JPEG (${(jpeg.length / 1e6).toFixed(1)} MB) to 400 x 400 WebP (ratio to decoding and resizing only)`, rows)}\nSize of the result in bytes: ${sizes.join(", ")}.\n`;
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
