import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { Fault } from "@svc/core/base/fault";
import { log } from "@svc/core/platform/log/log";
import { load } from "@svc/functions/load";
import type { Context } from "aws-lambda";
import type { Timer } from "./timer.ts";

export type Handler = (event: unknown, context: Context) => unknown;

export type Invocation = {
  /** Path under functions/ without the extension, as routes.ts and jobs.ts name it. */
  file: string;
  event: unknown;
  timeoutMs: number;
  requestId?: string;
};

/** Runs one function as Lambda does. */
export type Lambda = (invocation: Invocation) => Promise<unknown>;

/** Fault code of a function that timed out. */
export const timedOut = "function_timed_out";

/** Fails the call that is running. */
const running = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Keeps the process alive after an error that nothing caught, such as an `error` event without a listener. Logs the error, and
 * fails the call that caused it. On Lambda such an error ends only the instance of one function, but here all functions share
 * the process. Returns a function that stops this.
 */
export function surviveUncaughtErrors(): () => void {
  const survive = (error: unknown) => {
    log.error("uncaught error", { error: error as Error });
    running.getStore()?.(error);
  };
  process.on("uncaughtException", survive).on("unhandledRejection", survive);
  return () => void process.off("uncaughtException", survive).off("unhandledRejection", survive);
}

/**
 * Runs the functions of this repository, each loaded on its first call. Throws the handler's errors, also those that
 * `surviveUncaughtErrors` catches, and `unavailable` `function_timed_out` when a call exceeds its timeout. The result of a
 * timed-out call is ignored.
 */
export function lambda(timer: Timer, loader: (file: string) => Promise<Handler> = load): Lambda {
  return async ({ file, event, timeoutMs, requestId = randomUUID() }) => {
    const handler = await loader(file);
    const failure = Promise.withResolvers<never>();
    const cancel = timer(timeoutMs, () =>
      failure.reject(
        new Fault("unavailable", timedOut, `${file} took longer than ${timeoutMs / 1000} seconds.`),
      ),
    );
    try {
      const call = running.run(failure.reject, () => handler(event, context(file, requestId, timeoutMs)));
      return await Promise.race([call, failure.promise]);
    } finally {
      cancel();
    }
  };
}

/** Builds a Lambda context without `done`, `fail` and `succeed`, which current runtimes no longer support. */
function context(file: string, awsRequestId: string, timeoutMs: number): Context {
  const endsAt = performance.now() + timeoutMs;
  const functionName = `svc-local-${file.replaceAll("/", "-")}`;
  const supported: Omit<Context, "done" | "fail" | "succeed"> = {
    awsRequestId,
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: "1024",
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: "local",
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, Math.round(endsAt - performance.now())),
  };
  return supported as Context;
}
