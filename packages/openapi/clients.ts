import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);
const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const generators = ["openapi-typescript", "hey-api"] as const;
export type Generator = (typeof generators)[number];

/** A folder with clients that were generated from the document, and the calls of clients/ that use them. */
export type Clients = AsyncDisposable & {
  /** Returns the errors of the TypeScript compiler; empty if there are none. */
  compile: () => Promise<string>;
  /** Makes the calls with one of the clients, in another process. Returns what they returned. */
  call: (generator: Generator, ...input: string[]) => Promise<unknown>;
};

/** Generates clients with both generators and their default options. */
export async function generate(document: string): Promise<Clients> {
  const folder = await mkdtemp(join(tmpdir(), "svc-openapi-"));
  await mkdir(join(folder, "generated"));
  await symlink(folderOf("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  for (const generator of generators)
    await copyFile(folderOf(`clients/${generator}.ts`), join(folder, `${generator}.ts`));
  const tool = (path: string, ...options: string[]) =>
    run(process.execPath, [folderOf(`node_modules/${path}`), ...options], { cwd: folder });
  const generated = (name: string) => join(folder, "generated", name);
  await Promise.all([
    tool("openapi-typescript/bin/cli.js", document, "--output", generated("openapi-typescript.ts")),
    tool("@hey-api/openapi-ts/bin/run.js", "--input", document, "--output", generated("hey-api"), "--silent"),
  ]);

  return {
    async compile() {
      const options = ["--strict", "--noUncheckedIndexedAccess", "--noEmit", "--allowImportingTsExtensions"];
      const platform = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
      const files = generators.map((generator) => `${generator}.ts`);
      const compiled = tool("typescript/lib/tsc.js", ...options, ...platform, ...files);
      const { stdout } = await compiled.catch((error) => error);
      return stdout;
    },
    async call(generator, ...input) {
      const contents = `import { fourCalls } from "./${generator}.ts";
        import { openAsBlob } from "node:fs";
        const [url, email, password, picture] = process.argv.slice(1);
        const result = await fourCalls(url, email, password, await openAsBlob(picture));
        console.log(JSON.stringify(result));`;
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: folder },
        bundle: true,
        format: "esm",
        platform: "node",
        write: false,
      });
      const script = outputFiles[0]?.text ?? "";
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script, ...input]);
      return JSON.parse(stdout);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
