import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build } from "vite";

/** The origin at which `serve` answers. It exists only in the browser of the test. */
export const designUrl = "https://design.invalid/";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Builds the page of the design system, which the client does not contain, into a temporary folder. */
export async function buildDesign(): Promise<{
  serve: (page: Page) => Promise<void>;
  remove: () => Promise<void>;
}> {
  const outDir = await mkdtemp(join(tmpdir(), "svc-design-"));
  await build({
    configFile: join(root, "vite.config.ts"),
    configLoader: "native",
    logLevel: "warn",
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(root, "design.html") } },
  });
  return {
    async serve(page) {
      await page.route(`${designUrl}**`, (route) => {
        const { pathname } = new URL(route.request().url());
        return route.fulfill({ path: join(outDir, pathname === "/" ? "design.html" : pathname) });
      });
    },
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
