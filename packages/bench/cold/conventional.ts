import { readdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { root } from "../../bundle/bundle.ts";
import type { Unit } from "../../bundle/units.ts";

const core = join(root, "packages", "core");

/**
 * Builds the same handlers conventionally, each into its folder: with the AWS SDK's presigner, zod imported by name, core
 * imported through an index file, and Node's modules imported eagerly. Like our bundles, these are bundled and minified by
 * esbuild with the banner that sst puts before an ES module. Returns the size of each in bytes, by name.
 */
export async function buildConventionally(
  units: readonly Unit[],
  outdir: string,
): Promise<Map<string, number>> {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: units.map(({ name, handler }) => ({ in: `conventional:${handler}`, out: `${name}/index` })),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: ["sharp", "pg-native"],
    legalComments: "none",
    metafile: true,
    logLevel: "error",
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    plugins: [conventional],
  });
  return new Map(
    units.map(({ name }) => {
      const [, output] =
        Object.entries(metafile.outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`)) ?? [];
      return [name, output?.bytes ?? Number.NaN];
    }),
  );
}

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const conventional: Plugin = {
  name: "conventional",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^conventional:/ }, ({ path }) => ({
      path: path.slice("conventional:".length),
      namespace: "conventional",
    }));
    onLoad({ filter: /.*/, namespace: "conventional" }, ({ path }) => ({
      resolveDir: root,
      contents: `export { handler } from "./functions/${path}.ts"; export * as core from "core:index";`,
    }));
    onResolve({ filter: /^core:index$/ }, () => ({ path: "index", namespace: "core" }));
    onLoad({ filter: /.*/, namespace: "core" }, () => ({
      resolveDir: core,
      contents: deployedCore()
        .map((file, at) => `export * as module${at} from "./${file}";`)
        .join("\n"),
    }));
    onLoad({ filter: /packages\/core\/platform\/storage\/signer\.ts$/ }, () => ({
      contents: `export * from ${JSON.stringify(beside("sdk-signer.ts"))}`,
    }));
    // Resolve packages from core, not from the benchmarks.
    onLoad({ filter: /bench\/cold\/[\w-]+\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      resolveDir: core,
      contents: await readFile(path, "utf8"),
    }));
    onLoad({ filter: /\/(core|functions)\/.*\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await readFile(path, "utf8")).replace(
        'import * as z from "zod/mini"',
        `import { z } from ${JSON.stringify(beside("zod-by-name.ts"))}`,
      ),
    }));
  },
};

/** Lists the modules that an index file of core would export: all but tests and the embedded database, which is not deployed. */
function deployedCore(): string[] {
  return readdirSync(core, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => relative(core, join(parentPath, name)))
    .filter(
      (file) =>
        /\.ts$/.test(file) &&
        !/^testing\/|\.test\.ts$|\.cases\.ts$|^platform\/db\/pglite\.ts$|node_modules/.test(file),
    );
}
