import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** The font of printed reports: Latin, Greek and Cyrillic letters and the signs of currencies. In a bundle it is part of it. */
export async function font(): Promise<Uint8Array> {
  return readFile(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"));
}
