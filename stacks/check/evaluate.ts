import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { App, Evaluated } from "./recorded.ts";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
const platform = join(root, ".sst", "platform");

/** A program whose output never resolves waits for ever. */
const limitMs = 90_000;

/**
 * Run sst.config.ts as `sst deploy` would, with the real components of the platform, but with Pulumi's engine replaced by
 * mocks: every resource that would be made for the stage. In a process of its own, since Pulumi keeps its state there. Throws
 * with the program's own words when it fails.
 */
export async function evaluate(stage: string, env: Record<string, string>): Promise<Evaluated> {
  const work = await mkdtemp(join(tmpdir(), "svc-infra-"));
  const program = join(platform, `check-${stage}-${process.pid}.mjs`);
  const bundles: Record<string, string> = {};
  const answers = createServer(async (request, response) => {
    const { method, params } = (await json(request)) as { method: string; params: [Build] };
    if (method === "Runtime.Build") bundles[params[0].functionID] = params[0].bundle;
    response.end(JSON.stringify(answer(method, params[0])));
  }).listen(0, "127.0.0.1");
  // The program stands still while it builds the functions, and goes on with the connection it had.
  answers.keepAliveTimeout = 0;
  try {
    await once(answers, "listening");
    const app = await appOf(stage);
    await bundle(stage, app, work, program);
    const { port } = answers.address() as AddressInfo;
    const child = spawn(process.execPath, [program], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limitMs,
      env: { ...withoutSettings(), ...env, SST_SERVER: `http://127.0.0.1:${port}` },
    });
    const [log, problems, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    if (code !== 0)
      throw new Error(`The program of stage ${stage} failed (${code ?? "out of time"}).\n${log}${problems}`);
    const resources = JSON.parse(await readFile(join(work, "resources.json"), "utf8"));
    return { stage, app, resources, bundles };
  } finally {
    answers.close();
    await rm(program, { force: true });
    await rm(work, { recursive: true, force: true });
  }
}

/** The environment of this process (npm needs some of it), but for what a stage is made of; NODE_ENV=test is of the checks. */
function withoutSettings(): NodeJS.ProcessEnv {
  const setting =
    /^(NODE_ENV|APP_URL|ALLOWED_ORIGINS|RATE_LIMITS|MAIL_FROM|ANALYTICS_ID|(SVC|SST|AWS|PULUMI)_\w+)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !setting.test(name)));
}

type Build = { functionID: string; bundle: string; handler: string };

/** What the sst CLI answers to its program. A bundle of our own is not built again, but it must be there. */
function answer(method: string, { bundle, handler }: Build): { result?: object; error?: string } {
  if (method === "Provider.Aws.Bootstrap") return { result: { asset: "sst-asset", state: "sst-state" } };
  if (method === "Runtime.Build") {
    const out = join(root, bundle);
    const errors = existsSync(join(out, "index.mjs")) ? [] : [`There is no bundle in ${bundle}.`];
    return { result: { handler, out, errors, sourcemaps: [] } };
  }
  return { error: `rpc: can't find ${method}` };
}

/** The program as the CLI makes it of sst.config.ts, with its globals, but ending in our mocks. */
async function bundle(stage: string, app: App, work: string, outfile: string): Promise<void> {
  const paths = { home: work, root, work, platform };
  const entry = `
    import { run } from "${platform}/src/auto/run.ts";
    import { evaluate } from "${root}/stacks/check/mocks.ts";
    import config from "${root}/sst.config.ts";
    process.on("unhandledRejection", (error) => { console.error(error); process.exit(1); });
    await evaluate($app.stage, () => run(() => config.run()), "${work}/resources.json");
    process.exit();`;
  await build({
    stdin: { contents: entry, resolveDir: platform, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "error",
    nodePaths: [join(platform, "node_modules")],
    external: ["@pulumi/*", "@pulumiverse/*", "esbuild"],
    inject: [join(platform, "src/shim/run.js")],
    define: {
      $app: JSON.stringify({ ...app, stage }),
      $cli: JSON.stringify({ command: "deploy", rpc: "", paths, state: { version: {} } }),
      $dev: "false",
      "process.env.SST_AWS_REGION": JSON.stringify(app.providers.aws.region),
    },
    // Some packages of the platform are CommonJS.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    plugins: [globals],
  });
}

/** `aws` and `sst` are globals of the program. */
const globals: Plugin = {
  name: "globals",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(join(root, "stacks")) && path !== join(root, "sst.config.ts")) return undefined;
      const source = await readFile(path, "utf8");
      const imports = `import * as aws from "@pulumi/aws"; import * as sst from "${platform}/src/components/index.ts";`;
      return { contents: `${imports}\n${source}`, loader: "ts" };
    });
  },
};

/** What sst.config.ts says about the app, without running its program. */
export async function appOf(stage: string): Promise<App> {
  Object.assign(globalThis, { $config: (config: unknown) => config });
  const { default: config } = await import(`${root}/sst.config.ts`);
  return config.app({ stage });
}
