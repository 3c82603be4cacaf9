import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Outcome, openRuntimeApi } from "./runtime-api.ts";

/** A function as the stack makes it. */
export type Deployed = {
  name: string;
  arn: string;
  /** `index.handler` */
  handler: string;
  memoryMb: number;
  timeoutSeconds: number;
  environment: Record<string, string>;
};

/** One execution environment of a function. */
export type Instance = {
  /** From the start of the process until the function asked for its first event: what AWS calls the init duration. */
  initMs: number;
  invoke(event: unknown): Promise<Outcome>;
  /** What it logged so far. */
  log(): string;
  stop(): Promise<void>;
};

const client = fileURLToPath(new URL("node_modules/aws-lambda-ric/index.mjs", import.meta.url));
const initLimitMs = 10_000;

/**
 * Boot the bundle in `dir` under AWS's own runtime client, with the function's environment, the variables that Lambda
 * itself sets, and nothing of this process's own. Throws with the client's words when it does not start in ten seconds,
 * as Lambda would.
 */
export async function start(fn: Deployed, dir: string): Promise<Instance> {
  const api = await openRuntimeApi(fn.arn, fn.timeoutSeconds);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [client, fn.handler], {
    cwd: dir,
    env: { ...fn.environment, ...reserved(fn, dir, api.address) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      log += text;
    });
  }
  const exited = once(child, "exit");
  const died = exited.then(([code, signal]) => {
    throw new Error(`the process ended (${signal ?? code}): ${log.slice(-2000).trim()}`);
  });
  // Stopped on purpose, nobody waits for it any more.
  died.catch(() => {});
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
    api.close();
  };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no call for an event in 10 s")), initLimitMs);
  try {
    await Promise.race([api.initialised, died, late.promise]);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return {
    initMs: performance.now() - startedAt,
    invoke: (event) => Promise.race([api.invoke(event), died]),
    log: () => log,
    stop,
  };
}

/** What Lambda sets itself (its documentation, "Defined runtime environment variables"). */
function reserved({ name, memoryMb, handler }: Deployed, dir: string, address: string) {
  return {
    _HANDLER: handler,
    AWS_LAMBDA_RUNTIME_API: address,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "check",
    AWS_LAMBDA_LOG_FORMAT: "JSON",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_REGION: "eu-central-1",
    AWS_DEFAULT_REGION: "eu-central-1",
    // The role's own, which die in hours.
    AWS_ACCESS_KEY_ID: "ASIACHECK",
    AWS_SECRET_ACCESS_KEY: "a secret of the check",
    AWS_SESSION_TOKEN: "a token of the check",
    LAMBDA_TASK_ROOT: dir,
    LAMBDA_RUNTIME_DIR: "/var/runtime",
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    PATH: "/usr/local/bin:/usr/bin:/bin:/opt/bin",
  };
}
