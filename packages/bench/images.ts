import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transformer } from "@napi-rs/image";
import { Jimp } from "jimp";
import sharp from "sharp";
import { effort, optimise } from "../core/avatar/image.ts";
import { type Contender, interleaved, table } from "./interleaved.ts";

/** Something like a photograph: soft colours, edges and grain, so that neither decoder nor encoder has it easy. */
async function photo(width: number, height: number): Promise<Buffer> {
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

/** 12 MP JPEG to a 400x400 WebP of quality 80, by ourselves and by peers. */
export async function images(): Promise<string> {
  const jpeg = await photo(4000, 3000);
  const directory = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const file = join(directory, "photo.jpg");
  writeFileSync(file, jpeg);
  const contenders: Contender[] = [
    {
      name: "sharp: decode and resize alone",
      run: () => sharp(jpeg).autoOrient().resize(square).raw().toBuffer(),
    },
    { name: `svc (effort ${effort})`, run: () => optimise(jpeg) },
    ...[0, 1, 2, 3, 4, 6].map((other) => ({
      name: `sharp, effort ${other}`,
      run: () => sharp(jpeg).autoOrient().resize(square).webp({ quality: 80, effort: other }).toBuffer(),
    })),
    { name: "@napi-rs/image", run: () => new Transformer(jpeg).rotate().resize(400, 400).webp(80) },
    {
      name: "jimp (PNG: it writes no WebP)",
      run: async () => (await Jimp.read(jpeg)).cover({ w: 400, h: 400 }).getBuffer("image/png"),
    },
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
  return `${table(`12 MP JPEG (${(jpeg.length / 1e6).toFixed(1)} MB) to 400x400 WebP (ratio to decode and resize alone)`, rows)}\nBytes of the result: ${sizes.join(", ")}.\n`;
}

/** Programs that happen to be on this machine; a process of their own is part of their price. */
function commands(from: string, to: string): Contender[] {
  const known: [string, string[]][] = [
    ["vipsthumbnail", [from, "--size", "400x400", "--smartcrop", "centre", "-o", `${to}[Q=80]`]],
    [
      "gm",
      [
        "convert",
        "-size",
        "800x800",
        from,
        "-resize",
        "400x400^",
        "-gravity",
        "center",
        "-extent",
        "400x400",
        "-quality",
        "80",
        to,
      ],
    ],
    [
      "magick",
      [
        "-define",
        "jpeg:size=800x800",
        from,
        "-resize",
        "400x400^",
        "-gravity",
        "center",
        "-extent",
        "400x400",
        "-quality",
        "80",
        to,
      ],
    ],
  ];
  return known
    .filter(([program]) => spawnSync(program, ["--version"]).status === 0)
    .map(([program, args]) => ({
      name: `${program} (a process)`,
      run: () => execFileSync(program, args, { stdio: "ignore" }),
    }));
}

/** Refusing a bomb by its header against decoding it. */
export async function bombs(): Promise<string> {
  const avif = await sharp({ create: { width: 10_000, height: 5000, channels: 3, background: "#357" } })
    .avif({ effort: 0 })
    .toBuffer();
  const rows = await interleaved(
    [
      { name: "svc: refused from the header", run: () => optimise(avif).catch(() => undefined) },
      { name: "decoded", run: () => sharp(avif).resize(square).webp().toBuffer() },
    ],
    3,
  );
  return table(`A 50 MP AVIF of ${(avif.length / 1000).toFixed(0)} kB`, rows);
}
