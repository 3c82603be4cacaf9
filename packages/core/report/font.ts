import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** Reads the font of PDF reports, which has Latin, Greek and Cyrillic letters and currency signs. Bundles include it. */
export async function font(): Promise<Uint8Array> {
  return readFile(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"));
}
