import { randomUUID } from "node:crypto";
import { Fault } from "@svc/core/base/fault";
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

/** Runs one function as Lambda would. */
export type Lambda = (invocation: Invocation) => Promise<unknown>;

/** Code of the fault of a function that was not done in time. */
export const timedOut = "function_timed_out";

/**
 * The functions of this repository, each loaded at its first call and kept. Throws what the handler throws, and a fault
 * `function_timed_out` when it takes longer than it may; what it does afterwards is not heard.
 */
export function lambda(timer: Timer, loader: (file: string) => Promise<Handler> = load): Lambda {
  return async ({ file, event, timeoutMs, requestId = randomUUID() }) => {
    const handler = await loader(file);
    const late = Promise.withResolvers<never>();
    const cancel = timer(timeoutMs, () =>
      late.reject(
        new Fault("unavailable", timedOut, `${file} took longer than ${timeoutMs / 1000} seconds.`),
      ),
    );
    try {
      return await Promise.race([handler(event, context(file, requestId, timeoutMs)), late.promise]);
    } finally {
      cancel();
    }
  };
}

/** The third way to answer, `done`, `fail` and `succeed`, went away with the runtime that knew callbacks. */
function context(file: string, awsRequestId: string, timeoutMs: number): Context {
  const endsAt = performance.now() + timeoutMs;
  const functionName = `svc-local-${file.replaceAll("/", "-")}`;
  const known: Omit<Context, "done" | "fail" | "succeed"> = {
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
  return known as Context;
}
