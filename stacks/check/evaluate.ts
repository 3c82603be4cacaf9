import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { region, settings } from "../stage.ts";
import type { App, Evaluated } from "./recorded.ts";

/** The root folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
const platform = join(root, ".sst", "platform");

/** Ends a program that computes forever. One that waits forever ends itself; see stalled.ts. */
const timeoutMinutes = 60;

/** `prebuilt` skips the build of the functions and the web client: the caller has run `npm run build`. */
type Options = { prebuilt?: boolean };

/** The argument of the program: the globals that the sst CLI would define, and where to write the resources. */
export type ProgramInput = {
  app: App & { stage: string };
  cli: { command: string; rpc: string; paths: Record<string, string>; state: object };
  prebuilt: boolean;
  resultFile: string;
};

/**
 * Runs sst.config.ts as `sst deploy` would, with sst's real components but with mocks in place of Pulumi's engine, and
 * returns every resource that the stage would have. Each run has its own process, because Pulumi's state is global. Throws
 * with the program's output when it fails.
 */
export async function evaluate(
  stage: string,
  env: Record<string, string>,
  { prebuilt = false }: Options = {},
): Promise<Evaluated> {
  const work = await mkdtemp(join(tmpdir(), "svc-infra-"));
  const bundles: Record<string, string> = {};
  const server = createServer(async (request, response) => {
    const { method, params } = (await json(request)) as { method: string; params: [Build] };
    if (method === "Runtime.Build") bundles[params[0].functionID] = params[0].bundle;
    response.end(JSON.stringify(cliResponse(method, params[0])));
  }).listen(0, "127.0.0.1");
  // The program is blocked while it builds the functions, and reuses its connection afterwards.
  server.keepAliveTimeout = 0;
  try {
    await once(server, "listening");
    const app = await appOf(stage);
    const resultFile = join(work, "resources.json");
    const paths = { home: work, root, work, platform };
    const input: ProgramInput = {
      app: { ...app, stage },
      cli: { command: "deploy", rpc: "", paths, state: { version: {} } },
      prebuilt,
      resultFile,
    };
    const { port } = server.address() as AddressInfo;
    await run(input, { ...withoutSettings(), ...env, SST_SERVER: `http://127.0.0.1:${port}` });
    const resources = JSON.parse(await readFile(resultFile, "utf8"));
    return { stage, settings: settings(stage, env), app, resources, bundles };
  } finally {
    server.close();
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Options that save a third of the program's CPU time. Pulumi records a stack trace for every promise, and the program
 * allocates many short-lived objects.
 */
const nodeOptions = ["--stack-trace-limit=0", "--max-semi-space-size=64"];

async function run(input: ProgramInput, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [...nodeOptions, await program(), JSON.stringify(input)], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMinutes * 60_000,
    env,
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code === 0) return;
  const end = child.killed
    ? `did not finish within ${timeoutMinutes} minutes`
    : `failed with ${signal ?? `exit code ${code}`}`;
  throw new Error(`The program of stage ${input.app.stage} ${end}.\n${stdout}${stderr}`);
}

/** Returns this process's environment, parts of which npm needs, without the variables that configure a stage. */
function withoutSettings(): NodeJS.ProcessEnv {
  const setting =
    /^(NODE_ENV|APP_URL|ALLOWED_ORIGINS|RATE_LIMITS|AUDIT_RETENTION_DAYS|MAIL_FROM|ANALYTICS_ID|PWNED_PASSWORDS_URL|(SVC|SST|AWS|PULUMI)_\w+)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !setting.test(name)));
}

type Build = { functionID: string; bundle: string; handler: string };

/** Returns the sst CLI's response to its program. Bundles are already built; a missing one is an error. */
function cliResponse(method: string, { bundle, handler }: Build): { result?: object; error?: string } {
  if (method === "Provider.Aws.Bootstrap") return { result: { asset: "sst-asset", state: "sst-state" } };
  if (method === "Runtime.Build") {
    const out = join(root, bundle);
    const errors = existsSync(join(out, "index.mjs")) ? [] : [`There is no bundle in ${bundle}.`];
    return { result: { handler, out, errors, sourcemaps: [] } };
  }
  return { error: `rpc: can't find ${method}` };
}

let bundled: Promise<string> | undefined;

/** Bundles the program once for all evaluations of this process, and returns its path. */
function program(): Promise<string> {
  bundled ??= bundle(join(platform, `check-${process.pid}.mjs`));
  return bundled;
}

/** Bundles sst.config.ts as the sst CLI does, but ends in our mocks and reads the CLI's globals from its argument. */
async function bundle(outfile: string): Promise<string> {
  // The program must lie in the platform's folder, from which Node resolves Pulumi's packages.
  process.once("exit", () => rmSync(outfile, { force: true }));
  const entry = `
    import { run } from "${platform}/src/auto/run.ts";
    import { evaluate } from "${root}/stacks/check/mocks.ts";
    import config from "${root}/sst.config.ts";
    process.on("unhandledRejection", (error) => { console.error(error); process.exit(1); });
    await evaluate($app.stage, () => run(() => config.run()), programInput.resultFile);
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
      $app: "programInput.app",
      $cli: "programInput.cli",
      $dev: "false",
      "process.env.SST_AWS_REGION": JSON.stringify(region),
    },
    banner: {
      js: [
        // Some packages of the platform are CommonJS.
        'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
        "const programInput = JSON.parse(process.argv[2]);",
      ].join("\n"),
    },
    plugins: [globals, prebuild],
  });
  return outfile;
}

/** Imports `aws` and `sst`, which are globals in the program. */
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

/** Makes the `build` that sst.config.ts imports do nothing in a prebuilt evaluation. */
const prebuild: Plugin = {
  name: "prebuild",
  setup({ onResolve, onLoad }) {
    const config = join(root, "sst.config.ts");
    onResolve({ filter: /\/bundles\.ts$/ }, ({ path, importer }) =>
      importer === config ? { path, namespace: "prebuild" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "prebuild" }, () => ({
      resolveDir: root,
      contents: `
        import * as bundles from "./stacks/bundles.ts";
        export const build = () => { if (!programInput.prebuilt) bundles.build(); };`,
    }));
  },
};

/** Returns what sst.config.ts says about the app, without running its program. */
export async function appOf(stage: string): Promise<App> {
  Object.assign(globalThis, { $config: (config: unknown) => config });
  const { default: config } = await import(`${root}/sst.config.ts`);
  return config.app({ stage });
}
