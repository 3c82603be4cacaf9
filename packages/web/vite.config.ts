import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // No page may use the path /assets, because files in it are cached as immutable.
  build: { assetsDir: "assets", target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  plugins: [react()],
  // The id is public. Without one, Google's script is never loaded.
  define: { __ANALYTICS_ID__: JSON.stringify(process.env.ANALYTICS_ID ?? "") },
});
