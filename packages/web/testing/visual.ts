import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const stored = fileURLToPath(new URL("../journeys/pictures", import.meta.url));

/** Where the pictures that differ are saved. */
const failedPath = fileURLToPath(new URL("../dist/visual", import.meta.url));

/** The largest difference of a channel, of 255, that still counts as equal. */
const channelTolerance = 8;

/** The largest share of pixels that may differ. */
export const shareTolerance = 0.0001;

/** Whether the pictures of this run replace the stored ones, as `npm run visual:accept` asks. */
const accepts = process.env.VISUAL_ACCEPT === "1";

/** Returns the share of pixels in which a screenshot differs from the stored picture. 1 if there is none of this size. */
export async function difference(name: string, screenshot: Buffer): Promise<number> {
  return shareOf(screenshot, await readFile(join(stored, `${name}.webp`)).catch(() => undefined));
}

/**
 * Returns the difference, and saves a screenshot that differs too much: in `failedPath`, or with VISUAL_ACCEPT as the stored
 * picture.
 */
export async function differenceOrAccepted(name: string, screenshot: Buffer): Promise<number> {
  const share = await difference(name, screenshot);
  if (share <= shareTolerance) return share;
  const target = join(accepts ? stored : failedPath, `${name}.webp`);
  await mkdir(dirname(target), { recursive: true });
  // Lossless, so that equal screenshots have equal pixels.
  await writeFile(target, await sharp(screenshot).webp({ lossless: true, effort: 4 }).toBuffer());
  return accepts ? 0 : share;
}

async function shareOf(screenshot: Buffer, before: Buffer | undefined): Promise<number> {
  if (!before) return 1;
  const [one, other] = await Promise.all([pixels(screenshot), pixels(before)]);
  if (one.info.width !== other.info.width || one.info.height !== other.info.height) return 1;
  let different = 0;
  for (let at = 0; at < one.data.length; at += 3)
    if ([0, 1, 2].some((channel) => isFar(one.data[at + channel], other.data[at + channel]))) different++;
  return different / (one.info.width * one.info.height);
}

function isFar(one = 0, other = 0): boolean {
  return Math.abs(one - other) > channelTolerance;
}

function pixels(picture: Buffer) {
  return sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}
