/** `node packages/client/build.ts` writes the package as it is published to dist/: JavaScript, declarations and a manifest. */
import { execFile } from "node:child_process";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder of the built package. */
export const dist = new URL("dist/", import.meta.url);

/** Builds the package. */
export async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const tsc = fileURLToPath(import.meta.resolve("typescript/lib/tsc.js"));
  await promisify(execFile)(process.execPath, [tsc, "-p", file("tsconfig.build.json")]);
  const {
    devDependencies,
    exports: _,
    ...manifest
  } = JSON.parse(await readFile(file("package.json"), "utf8"));
  const exports = { ".": "./client.js", "./webhook": "./webhook.js" };
  const published = { ...manifest, private: undefined, exports, engines: { node: ">=20" } };
  await writeFile(new URL("package.json", dist), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(file("README.md"), new URL("README.md", dist));
}

function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

if (import.meta.main) await build();
