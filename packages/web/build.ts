/** `node packages/web/build.ts`: build the client. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");

/** Where the built client lies, all of it to be served. */
export const site = join(here, "dist", "site");

/** What the sign-in page may load before it can be used: bytes of script, gzip. */
export const budgetBytes = 120_000;

type Chunk = {
  type: "chunk";
  fileName: string;
  code: string;
  imports: string[];
  isEntry: boolean;
  facadeModuleId: string | null;
  moduleIds: string[];
};

/** What it was built of: a hash for each file, and the id that stands in the pages. */
type Inputs = { analyticsId: string; files: Record<string, string> };

const record = (outDir: string) => `${outDir}.inputs.json`;

type Options = { outDir?: string; analyticsId?: string };

/**
 * Make `outDir` the client of these sources; takes about a second, and nothing when it is that already. In a process of its
 * own, whose memory is gone afterwards. Throws with the build's own words, also when the budget is exceeded.
 */
export async function build({
  outDir = site,
  analyticsId = process.env.ANALYTICS_ID ?? "",
}: Options = {}): Promise<void> {
  if (await isCurrent(outDir, analyticsId)) return;
  const env = { ...process.env, ANALYTICS_ID: analyticsId };
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), outDir], { env });
}

/** Built aside and then moved into place, so that nobody is served half a client. */
async function make(outDir: string, analyticsId: string): Promise<void> {
  const { build: vite } = await import("vite");
  const aside = `${outDir}-${randomUUID().slice(0, 8)}`;
  await mkdir(dirname(outDir), { recursive: true });
  try {
    const result = await vite({
      configFile: join(here, "vite.config.ts"),
      configLoader: "native",
      logLevel: "warn",
      build: { outDir: aside, emptyOutDir: true },
    });
    const { output } = result as unknown as { output: (Chunk | { type: "asset" })[] };
    const chunks = output.filter((one): one is Chunk => one.type === "chunk");
    judge(chunks);
    const built = await inputs(chunks, analyticsId);
    await rm(outDir, { recursive: true, force: true });
    await rename(aside, outDir);
    await writeFile(record(outDir), JSON.stringify(built));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Bytes of script (gzip) that the sign-in page waits for: the entry, the page, and what both import. */
export function firstLoadBytes(chunks: readonly Chunk[]): number {
  const page = chunks.find((one) => one.facadeModuleId?.endsWith("/login-page.tsx"));
  if (!page) throw new Error("The build has no chunk for login-page.tsx, so its size cannot be checked.");
  const wanted = [...chunks.filter(({ isEntry }) => isEntry), page].map(({ fileName }) => fileName);
  for (const name of wanted)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      if (!wanted.includes(next)) wanted.push(next);
  return chunks
    .filter(({ fileName }) => wanted.includes(fileName))
    .reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}

function judge(chunks: readonly Chunk[]): void {
  const bytes = firstLoadBytes(chunks);
  if (bytes > budgetBytes)
    throw new Error(`The sign-in page loads ${bytes} bytes of script (gzip); the budget is ${budgetBytes}.`);
  console.log(`web client built; the sign-in page loads ${bytes} bytes of script (gzip)`);
}

async function inputs(chunks: readonly Chunk[], analyticsId: string): Promise<Inputs> {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds).map((id) => id.replace(/\?.*$/, ""));
  const ours = modules.filter((id) => id.startsWith(root) && !id.includes("/node_modules/"));
  const styles = (await readdir(join(here, "src"), { recursive: true })).filter((name) =>
    name.endsWith(".css"),
  );
  const files = [
    ...ours,
    ...styles.map((name) => join(here, "src", name)),
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
  const text = await readFile(record(outDir), "utf8").catch(() => undefined);
  if (text === undefined) return false;
  const built = JSON.parse(text) as Inputs;
  if (built.analyticsId !== analyticsId) return false;
  const entries = Object.entries(built.files);
  const same = await Promise.all(entries.map(async ([name, was]) => (await hash(name)) === was));
  return same.every(Boolean);
}

async function hash(name: string): Promise<string> {
  const bytes = await readFile(join(root, name)).catch(() => "");
  return createHash("sha256").update(bytes).digest("hex");
}

if (import.meta.main) {
  // React and the build look at it, and a test runner has set it.
  process.env.NODE_ENV = "production";
  await make(process.argv[2] ?? site, process.env.ANALYTICS_ID ?? "");
}
