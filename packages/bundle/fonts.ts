import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readFontFile } from "@svc/core/report/pdf/font-files";
import { arabic, dejavu, divided, hebrew, parseRanges, weights } from "@svc/core/report/pdf/font-list";
import type { Plugin } from "esbuild";

/** The folder of the font files beside a bundle. */
export const fontFolder = "fonts";

/** Reads the fonts of PDF reports beside the bundle, because a deployed function has no node_modules. */
export const fonts: Plugin = {
  name: "fonts",
  setup(build) {
    build.onLoad({ filter: /\/core\/report\/pdf\/font-files\.ts$/ }, () => ({
      contents: `import { readFileSync } from "node:fs";
        export function readFontFile(path) {
          return readFileSync(new URL("${fontFolder}/" + path, import.meta.url));
        }`,
    }));
  },
};

/** Returns the paths of all font files of PDF reports in node_modules. */
function fontFiles(): string[] {
  const parts = divided.flatMap(({ ranges, file }) => [
    ranges,
    ...parseRanges(readFontFile(ranges).toString()).map(({ part }) => file(part)),
  ]);
  return [...Object.values(weights), arabic, hebrew, dejavu, ...parts];
}

/** Copies the fonts of PDF reports into the folder of a bundle. */
export async function copyFonts(dir: string): Promise<void> {
  const { resolve } = createRequire(new URL("../core/package.json", import.meta.url));
  await Promise.all(fontFiles().map((path) => cp(resolve(path), join(dir, fontFolder, path))));
}
