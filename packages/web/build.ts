/** `node packages/web/build.ts` builds the web client. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");

/** The directory of the built client. All of its files are served. */
export const site = join(here, "dist", "site");

/** The largest size of the scripts that the sign-in page loads, in bytes after gzip. */
export const budgetBytes = 115_000;

type Chunk = {
  type: "chunk";
  fileName: string;
  code: string;
  imports: string[];
  isEntry: boolean;
  facadeModuleId: string | null;
  moduleIds: string[];
};

/** The inputs of a build: the analytics id and a hash of each source file. */
type Inputs = { analyticsId: string; files: Record<string, string> };

const inputsFile = (outDir: string) => `${outDir}.inputs.json`;

type Options = { outDir?: string; analyticsId?: string };

/**
 * Builds the client into `outDir`, unless it is up to date. Takes about a second. Runs in a child process to release its memory
 * afterwards. Throws the build's error, also when the sign-in page exceeds `budgetBytes`.
 */
export async function build({
  outDir = site,
  analyticsId = process.env.ANALYTICS_ID ?? "",
}: Options = {}): Promise<void> {
  if (await isCurrent(outDir, analyticsId)) return;
  const env = { ...process.env, ANALYTICS_ID: analyticsId };
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), outDir], { env });
}

/** Builds into a temporary directory and then moves it, so that an incomplete client is never served. */
async function buildHere(outDir: string, analyticsId: string): Promise<void> {
  const { build: vite } = await import("vite");
  const temporary = `${outDir}-${randomUUID().slice(0, 8)}`;
  await mkdir(dirname(outDir), { recursive: true });
  try {
    const result = await vite({
      configFile: join(here, "vite.config.ts"),
      configLoader: "native",
      logLevel: "warn",
      build: { outDir: temporary, emptyOutDir: true },
    });
    const { output } = result as unknown as { output: (Chunk | { type: "asset" })[] };
    const chunks = output.filter((one): one is Chunk => one.type === "chunk");
    checkBudget(chunks);
    const built = await inputs(chunks, analyticsId);
    await rm(outDir, { recursive: true, force: true });
    await rename(temporary, outDir);
    await writeFile(inputsFile(outDir), JSON.stringify(built));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Returns the size after gzip of the scripts that the sign-in page loads: the entry, the page and their imports. */
export function firstLoadBytes(chunks: readonly Chunk[]): number {
  const page = chunks.find((one) => one.facadeModuleId?.endsWith("/login-page.tsx"));
  if (!page) throw new Error("The build has no chunk for login-page.tsx, so its size cannot be checked.");
  const files = [...chunks.filter(({ isEntry }) => isEntry), page].map(({ fileName }) => fileName);
  for (const name of files)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      if (!files.includes(next)) files.push(next);
  return chunks
    .filter(({ fileName }) => files.includes(fileName))
    .reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}

function checkBudget(chunks: readonly Chunk[]): void {
  const bytes = firstLoadBytes(chunks);
  if (bytes > budgetBytes)
    throw new Error(
      `The sign-in page loads ${bytes} bytes of script (gzip); the budget is ${budgetBytes} bytes.`,
    );
  console.log(`Built the web client. The sign-in page loads ${bytes} bytes of script (gzip).`);
}

async function inputs(chunks: readonly Chunk[], analyticsId: string): Promise<Inputs> {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds).map((id) => id.replace(/\?.*$/, ""));
  const sources = modules.filter((id) => id.startsWith(root) && !id.includes("/node_modules/"));
  // Styles and the modules of workers are not among the modules of the chunks.
  const ofClient = (await readdir(join(here, "src"), { recursive: true })).filter((name) =>
    /\.(?:css|tsx?)$/.test(name),
  );
  const files = [
    ...sources,
    ...ofClient.map((name) => join(here, "src", name)),
    ...(await readdir(join(here, "public"))).map((name) => join(here, "public", name)),
    ...["index.html", "vite.config.ts", "build.ts"].map((name) => join(here, name)),
    join(root, "package-lock.json"),
  ];
  const names = [...new Set(files.map((file) => relative(root, file)))].sort();
  return {
    analyticsId,
    files: Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hash(name)]))),
  };
}

async function isCurrent(outDir: string, analyticsId: string): Promise<boolean> {
  const text = await readFile(inputsFile(outDir), "utf8").catch(() => undefined);
  if (text === undefined) return false;
  const built = JSON.parse(text) as Inputs;
  if (built.analyticsId !== analyticsId) return false;
  const entries = Object.entries(built.files);
  const same = await Promise.all(entries.map(async ([name, before]) => (await hash(name)) === before));
  return same.every(Boolean);
}

async function hash(name: string): Promise<string> {
  const bytes = await readFile(join(root, name)).catch(() => "");
  return createHash("sha256").update(bytes).digest("hex");
}

if (import.meta.main) {
  // A test runner may have set NODE_ENV to test, which would build the development version of React.
  process.env.NODE_ENV = "production";
  await buildHere(process.argv[2] ?? site, process.env.ANALYTICS_ID ?? "");
}
