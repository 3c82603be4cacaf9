import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Beside the pages' own paths, so that nothing else is ever taken for a hashed file.
  build: { assetsDir: "assets", target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  plugins: [react()],
  // The id is public: it stands in every page that reports to it. Without one, no vendor's script is ever loaded.
  define: { __ANALYTICS_ID__: JSON.stringify(process.env.ANALYTICS_ID ?? "") },
});
