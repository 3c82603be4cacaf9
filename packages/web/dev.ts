import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

/**
 * Serves the client from its sources with hot reload. Sends no Content-Security-Policy, because hot reload needs inline scripts.
 */
export async function developmentSite(): Promise<
  (request: IncomingMessage, response: ServerResponse) => void
> {
  const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));
  const vite = await createServer({
    configFile,
    // The default loader writes a temporary copy beside the sources, which would trigger file watchers.
    configLoader: "native",
    // By default, Vite serves the whole repository, which contains the data folder with its keys.
    server: {
      middlewareMode: true,
      fs: { allow: ["packages/web", "packages/core", "node_modules"].map(inRepository) },
    },
    appType: "spa",
  });
  return vite.middlewares;
}

function inRepository(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
