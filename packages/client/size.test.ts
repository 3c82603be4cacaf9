import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

/** The largest size of the client without types, in bytes after minification and gzip. */
const budgetBytes = 8000;

it("the client with the verification of webhooks has at most 8 kB and no dependencies", async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: 'export * from "./client.ts"; export * from "./webhook.ts";',
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "").length;
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThanOrEqual(budgetBytes);
  expect(Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"))).toEqual([]);
});
