import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Outcome, openRuntimeApi } from "./runtime-api.ts";

/** A function as the stack defines it. */
export type Deployed = {
  name: string;
  arn: string;
  /** Always `index.handler`. */
  handler: string;
  memoryMb: number;
  timeoutSeconds: number;
  environment: Record<string, string>;
};

/** A running execution environment of a function. */
export type Instance = {
  /** Time from the start of the process to the first request for an event, which AWS calls the init duration. */
  initMs: number;
  invoke(event: unknown): Promise<Outcome>;
  /** Returns the output so far. */
  log(): string;
  stop(): Promise<void>;
};

const client = fileURLToPath(new URL("node_modules/aws-lambda-ric/index.mjs", import.meta.url));
const initLimitMs = 10_000;

/**
 * Boots the bundle in `dir` with AWS's runtime client. Its environment consists of the function's variables and those that Lambda
 * sets. Like Lambda, throws the client's error if the bundle does not start within 10 seconds.
 */
export async function start(fn: Deployed, dir: string): Promise<Instance> {
  const api = await openRuntimeApi(fn.arn, fn.timeoutSeconds);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [client, fn.handler], {
    cwd: dir,
    env: { ...fn.environment, ...reservedVariables(fn, dir, api.address) },
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
    throw new Error(`The process exited (${signal ?? code}): ${log.slice(-2000).trim()}`);
  });
  // After a deliberate stop no one awaits this promise.
  died.catch(() => {});
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
    api.close();
  };
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error("The function did not request an event within 10 seconds.")),
    initLimitMs,
  );
  try {
    await Promise.race([api.initialised, died, timeout.promise]);
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

/** Returns the variables that Lambda sets (AWS documentation, "Defined runtime environment variables"). */
function reservedVariables({ name, memoryMb, handler }: Deployed, dir: string, address: string) {
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
    // Temporary credentials of the function's role.
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
