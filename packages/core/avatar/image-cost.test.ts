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

/** What the upload function may take, of the 1769 MB it has. */
const maxPeakMiB = 400;

const size = (width: number, height: number) => ({ width, height });

// The most expensive picture of each kind that the limits let through.
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
  "12mp.avif": () => Pictures.avif(size(4000, 3000)),
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

test("20 of the most expensive pictures in a row stay small in memory and are all taken", async () => {
  const { results, peakMiB } = await run("in-a-row", [...files, ...files]);
  expect(results.filter((result) => typeof result === "string")).toEqual([]);
  expect(peakMiB).toBeLessThan(maxPeakMiB);
}, 60_000);

test("8 at once wait their turn, and take no more memory than one", async () => {
  const { results, peakMiB } = await run("at-once", Array(8).fill(join(directory, "12mp.avif")));
  expect(results.filter((result) => typeof result === "string")).toEqual([]);
  expect(peakMiB).toBeLessThan(maxPeakMiB);
}, 60_000);

// What a process writes, to files without a name too, is counted by Linux alone.
test.runIf(process.platform === "linux")(
  "pictures never touch the disk",
  async () => {
    const normal = await run("in-a-row", files);
    expect(normal.bytesWritten).toBeLessThan(64 * 1024);
    const control = await run("spilling", [join(directory, "50mp.webp")]);
    expect(control.bytesWritten).toBeGreaterThan(1024 * 1024);
  },
  60_000,
);
