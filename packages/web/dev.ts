import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

/**
 * The client straight from its sources, with changes shown as they are made. Without the pages' policy: what makes changes
 * show needs scripts in the page.
 */
export async function developmentSite(): Promise<
  (request: IncomingMessage, response: ServerResponse) => void
> {
  const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));
  const vite = await createServer({
    configFile,
    // Read as it is: a copy of it beside the sources would look like a change to whoever watches them.
    configLoader: "native",
    server: { middlewareMode: true },
    appType: "spa",
  });
  return vite.middlewares;
}
