import type { Plugin } from "esbuild";

/** Embeds the font of PDF reports, because a deployed bundle has no node_modules to read it from. */
export const fonts: Plugin = {
  name: "fonts",
  setup(build) {
    build.onLoad({ filter: /\/core\/report\/font\.ts$/ }, () => ({
      contents: `import bytes from "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf";
        export async function font() { return bytes; }`,
    }));
  },
};
