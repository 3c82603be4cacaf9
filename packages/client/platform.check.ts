import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { build, dist } from "./build.ts";
import { installNode20, node20 } from "./node20/install.ts";
import { readmeExamples } from "./testing/readme.ts";
import { platformScript } from "./testing/script.ts";
import { startPlatformServer } from "./testing/server.ts";

const run = promisify(execFile);

beforeAll(async () => {
  installNode20();
  await build();
});

it.each([
  ["20", node20],
  ["24", process.execPath],
])("the built package works in Node %s", async (major, node) => {
  await using server = await startPlatformServer();
  const script = `${await platformScript(dist)}
    console.log(process.version, ...(await tryClient(${JSON.stringify(server.url)})));`;
  const { stdout } = await run(node, ["--input-type=module", "--eval", script]);
  expect(stdout).toMatch(new RegExp(`^v${major}\\..*cancels an upload`));
});

it.each([
  ["nodenext", ["--module", "nodenext"]],
  ["bundler", ["--module", "esnext", "--moduleResolution", "bundler", "--exactOptionalPropertyTypes"]],
])("the examples of the README compile with the built package and the resolution %s", async (_, options) => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "svc-client-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  for (const scope of ["@svc", "@types"])
    await mkdir(join(folder, "node_modules", scope), { recursive: true });
  await symlink(fileURLToPath(dist), join(folder, "node_modules/@svc/client"));
  const types = new URL("../../node_modules/@types/node", import.meta.url);
  await symlink(fileURLToPath(types), join(folder, "node_modules/@types/node"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const files = await Promise.all(
    (await readmeExamples()).map(async (code, index) => {
      const file = join(folder, `example-${index}.ts`);
      await writeFile(file, code);
      return file;
    }),
  );
  const tsc = fileURLToPath(import.meta.resolve("typescript/lib/tsc.js"));
  const all = [tsc, "--noEmit", "--strict", "--target", "es2022", ...options, ...files];
  const { stdout } = await run(process.execPath, all, { cwd: folder }).catch((error) => error);
  expect(stdout).toBe("");
});
