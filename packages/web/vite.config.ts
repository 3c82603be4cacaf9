import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // No page may use the path /assets, because files in it are cached as immutable.
  build: {
    assetsDir: "assets",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The dictionaries of the password check, which load while a new password is typed.
    chunkSizeWarningLimit: 1800,
  },
  worker: {
    rolldownOptions: {
      output: {
        // A service worker controls only pages below its directory, and keeps its name so that browsers find new versions.
        entryFileNames: ({ name }) => (name === "picture-worker" ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
  plugins: [react(), firstPaint(), englishOnly()],
  // The id is public. Without one, Google's script is never loaded.
  define: { __ANALYTICS_ID__: JSON.stringify(process.env.ANALYTICS_ID ?? "") },
});

/**
 * Preloads the font of Latin text, and delays the first paint until the script has run: the page is empty before, and would
 * flash in the colors of the system if the user has chosen others.
 */
function firstPaint(): Plugin {
  return {
    name: "first-paint",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        const preload: HtmlTagDescriptor = {
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${font}`, crossorigin: "" },
          injectTo: "head-prepend",
        };
        return {
          html: html.replace('<script type="module"', '<script type="module" blocking="render"'),
          tags: font ? [preload] : [],
        };
      },
    },
  };
}

/** Leaves out the texts of React Aria in other languages than that of the client: 24 kB of compressed script. */
function englishOnly(): Plugin {
  return {
    name: "english-only",
    load: (id) =>
      /\/(react-aria|react-stately)[\w-]*\/dist\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/.test(id)
        ? 'export { default } from "./en-US.mjs";'
        : undefined,
  };
}
