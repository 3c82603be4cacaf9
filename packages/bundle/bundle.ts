import { cp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deployedCountryFile, installedCountryFile } from "@svc/core/platform/location/installed-file";
import { build, formatMessages, type Metafile, type Plugin } from "esbuild";
import { builtins } from "./builtins.ts";
import { copyFonts, fonts } from "./fonts.ts";
import { installSharp, type Target } from "./sharp.ts";
import type { Unit } from "./units.ts";

/** The root folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A bundle that has been built. */
export type Built = Unit & {
  /**
   * The folder to deploy: index.mjs, node_modules if the unit uses sharp, the country file if it needs `places`, and fonts if it
   * needs `documents`.
   */
  dir: string;
  bytes: number;
  /** All files of this repository and of packages in the bundle, relative to the repository. */
  inputs: string[];
  /** Packages that are imported but not part of the bundle. */
  externals: string[];
};

/**
 * Builds each unit into a folder under `outdir`, which is emptied first. sharp is installed for `target`, by default this
 * machine.
 */
export async function bundle(units: readonly Unit[], outdir: string, target?: Target): Promise<Built[]> {
  await rm(outdir, { recursive: true, force: true });
  const { metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: units.map(({ name }) => ({ in: `entry:${name}`, out: `${name}/index` })),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // pg-native is an optional dependency of pg that is not installed. sharp has native code, so it is copied next to the bundle.
    external: ["sharp", "pg-native"],
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
    plugins: [entries(units), builtins, fonts],
  });
  if (warnings.length > 0) throw new Error((await formatMessages(warnings, { kind: "warning" })).join("\n"));
  const withSharp = units.filter(({ sharp }) => sharp);
  if (withSharp.length > 0) {
    const modules = await installSharp(root, target);
    for (const { name } of withSharp)
      await cp(modules, join(outdir, name, "node_modules"), { recursive: true });
  }
  for (const { name, needs } of units) if (needs.includes("documents")) await copyFonts(join(outdir, name));
  for (const { name, needs } of units)
    if (needs.includes("places")) await cp(installedCountryFile(), join(outdir, name, deployedCountryFile));
  return units.map((unit) => ({ ...unit, dir: join(outdir, unit.name), ...metadataOf(unit, metafile) }));
}

/** Generates entry points that validate the configuration before the handler is loaded. */
function entries(units: readonly Unit[]): Plugin {
  const byName = new Map(units.map((unit) => [unit.name, unit]));
  return {
    name: "entries",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(entry|validate):/ }, ({ path }) => {
        const [namespace = "", name = ""] = path.split(":");
        return { path: name, namespace };
      });
      onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({
        resolveDir: root,
        contents: `import "validate:${path}"; export { handler } from "./functions/${byName.get(path)?.handler}.ts"`,
      }));
      onLoad({ filter: /.*/, namespace: "validate" }, ({ path }) => ({
        resolveDir: dirname(fileURLToPath(import.meta.url)),
        contents: `import { validate } from "@svc/core/platform/config/config"; validate(${JSON.stringify(byName.get(path)?.needs)})`,
      }));
    },
  };
}

function metadataOf({ name }: Unit, { outputs }: Metafile) {
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`)) ?? [];
  if (!output) throw new Error(`esbuild built nothing for ${name}.`);
  const externals = output.imports.filter(({ external }) => external).map(({ path }) => path);
  return {
    bytes: output.bytes,
    inputs: Object.entries(output.inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
    externals: [...new Set(externals)],
  };
}
