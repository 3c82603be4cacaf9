import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Report } from "../testing/optimise-child.ts";
import * as Pictures from "../testing/pictures.ts";
import { allocator } from "./allocator.ts";

/** Maximum memory of the upload function, which has 1769 MB. */
const maxPeakMiB = 400;

const size = (width: number, height: number) => ({ width, height });

// The most expensive image of each kind within the limits.
const corpus = {
  "photo-12mp.jpg": () => Pictures.photo({ ...size(4000, 3000), orientation: 6 }),
  "50mp.jpg": () => Pictures.jpeg(size(10_000, 5000)),
  "wide.jpg": () => Pictures.jpeg(size(65_000, 760)),
  "progressive-at-its-limit.jpg": () => Pictures.jpeg(size(9440, 4720), { progressive: true }),
  "50mp.png": () => Pictures.png(size(10_000, 5000)),
  "50mp-16-bit.png": () => Pictures.png(size(10_000, 5000), { alpha: 128, depth: 16 }),
  "interlaced-at-its-limit.png": () => Pictures.interlacedPng(size(4096, 4096), 16),
  "50mp.webp": () => Pictures.webp(size(10_000, 5000), { lossless: true, alpha: 128 }),
  "12mp.gif": () => Pictures.gif(size(4000, 3000)),
  "12.5mp.avif": () => Pictures.avif(size(4096, 3051)),
};

let directory: string;
let files: string[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "svc-pictures-"));
  files = [];
  for (const [name, picture] of Object.entries(corpus)) {
    files.push(join(directory, name));
    writeFileSync(join(directory, name), await picture());
  }
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

const child = fileURLToPath(new URL("../testing/optimise-child.ts", import.meta.url));

async function run(mode: "in-a-row" | "at-once" | "spilling", paths: string[]): Promise<Report> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, mode, ...paths], {
    env: { ...process.env, ...allocator },
  });
  return JSON.parse(stdout);
}

test("optimise processes 20 of the most expensive images in a row within the memory limit", async () => {
  const { results, peakMiB } = await run("in-a-row", [...files, ...files]);
  expect(results.filter((result) => typeof result === "string")).toEqual([]);
  expect(peakMiB).toBeLessThan(maxPeakMiB);
}, 60_000);

test("optimise processes 8 concurrent images one at a time, within the memory limit", async () => {
  const { results, peakMiB } = await run("at-once", Array(8).fill(join(directory, "12.5mp.avif")));
  expect(results.filter((result) => typeof result === "string")).toEqual([]);
  expect(peakMiB).toBeLessThan(maxPeakMiB);
}, 60_000);

// Only Linux counts the bytes that a process writes, including to unlinked files.
test.runIf(process.platform === "linux")(
  "optimise never writes images to disk",
  async () => {
    const normal = await run("in-a-row", files);
    expect(normal.bytesWritten).toBeLessThan(64 * 1024);
    const control = await run("spilling", [join(directory, "50mp.webp")]);
    expect(control.bytesWritten).toBeGreaterThan(1024 * 1024);
  },
  60_000,
);
