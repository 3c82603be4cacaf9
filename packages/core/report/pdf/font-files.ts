import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Returns the contents of a font file by its path in node_modules. Synchronous, because text is measured while it is drawn, and
 * a report reads few files. Bundles read their copy instead.
 */
export function readFontFile(path: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(path));
}
