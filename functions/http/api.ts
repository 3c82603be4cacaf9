import middy from "@middy/core";
import type { RequestOrigin } from "@svc/core/base/actor";
import { Fault } from "@svc/core/base/fault";
import { log } from "@svc/core/platform/log/log";
import type {
  Context,
  APIGatewayProxyEventV2 as Event,
  APIGatewayProxyStructuredResultV2 as Result,
} from "aws-lambda";
import type { Contract, Described, StepContract } from "./contract.ts";
import { cors } from "./cors.ts";
import { problem } from "./faults.ts";
import { ok, type Reply } from "./reply.ts";
import { requestOrigin } from "./request-origin.ts";

/** The state of a request. Steps add to it. */
export type Call = {
  event: Event;
  origin: RequestOrigin;
  /** Headers of the response, whether the request succeeds or fails. */
  headers: Record<string, string>;
};

/** A step of a handler: checks a requirement, adds members to the call, and contributes to the OpenAPI document. */
export type Step<In extends Call, Out extends object> = {
  before: (call: In) => Promise<Out> | Out;
  contract: StepContract;
};

/** The member that `idempotent()` adds. Runs the work, or returns the result of an earlier request with the same key. */
export type Once = { once: <T>(work: () => Promise<T>) => Promise<T> };

export type Handler = ((event: Event, context: Context) => Promise<Result>) & { contract: Contract };

/** Builds a handler step by step. */
export type Chain<C extends Call> = {
  use<Out extends object>(step: Step<C, Out>): Chain<C & Out>;
  /**
   * Does the work and presents its result. With an Idempotency-Key the result is stored and a replay calls `present` with
   * it again, so signed URLs and other short-lived values belong in `present`.
   */
  handler<T>(
    work: (call: C) => Promise<T>,
    present?: (result: T, call: C) => Promise<Reply> | Reply,
  ): Handler;
};

/** The members that an invocation adds to middy's context. */
type Invocation = Context & { call: Call; failure: { error?: unknown } };

const securityHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000; includeSubDomains",
};

/**
 * Starts an HTTP endpoint. Every response has a request id, security headers and CORS; every request writes one log line;
 * errors become RFC 9457 problem documents.
 */
export function api(described: Described): Chain<Call> {
  const steps: StepContract[] = [];
  const stack = middy<Event, Reply, Error, Invocation>();
  stack.onError((request) => {
    const { call, failure } = request.context;
    failure.error = asFault(request.error);
    request.response = problem(failure.error, call.origin.requestId, call.event.rawPath);
  });

  const chain: Chain<Call> = {
    use(step) {
      steps.push(step.contract);
      stack.before(async ({ context: { call } }) => {
        Object.assign(call, await step.before(call));
      });
      // The type of the call grows with each step; the object stays the same.
      return chain as never;
    },
    handler(work, present = ok) {
      const run = stack.handler(async (_event: Event, { call }: Invocation): Promise<Reply> => {
        const { once }: Call & Partial<Once> = call;
        const result = await (once ? once(() => work(call)) : work(call));
        return present(result, call);
      });
      const respond = async (event: Event, context: Context): Promise<Result> => {
        const startedAt = performance.now();
        const call: Call = { event, origin: requestOrigin(event), headers: {} };
        const failure: Invocation["failure"] = {};
        const reply = await run(event, { ...context, call, failure });
        writeLogLine(call, reply.status, performance.now() - startedAt, failure.error);
        return toResult(reply, call);
      };
      return Object.assign(respond, { contract: { ...described, steps } });
    },
  };
  return chain;
}

function toResult({ status, body, text, headers = {}, cookies }: Reply, call: Call): Result {
  return {
    statusCode: status,
    headers: {
      ...securityHeaders,
      ...cors(call.event.headers.origin),
      "x-request-id": call.origin.requestId,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...call.headers,
      ...headers,
    },
    ...(cookies && { cookies }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(text !== undefined && { body: text }),
  };
}

/** Turns middy's timeout, which fires just before Lambda's, into `unavailable` `timed_out`. */
function asFault(error: unknown): unknown {
  if (!(error instanceof Error && error.name === "TimeoutError")) return error;
  return new Fault("unavailable", "timed_out", "The request took too long. Try again in a moment.", {
    cause: error,
    retryAfterSeconds: 5,
  });
}

/**
 * Writes the log line of a request. Logs a fault by its code, and from status 500 also with its cause. Logs any other error
 * completely.
 */
function writeLogLine(
  call: Call & { actor?: { userId: string } },
  status: number,
  ms: number,
  error: unknown,
): void {
  const { routeKey, rawPath } = call.event;
  const line = {
    route: routeKey,
    ...(routeKey === "$default" && { path: rawPath }),
    status,
    durationMs: Math.round(ms * 10) / 10,
    requestId: call.origin.requestId,
    ...(call.actor && { userId: call.actor.userId }),
    ...(error instanceof Fault && { fault: error.code }),
  };
  const cause = error instanceof Fault ? error.details.cause : error;
  if (status >= 500) log.error("request", { ...line, ...(cause instanceof Error && { error: cause }) });
  else log.info("request", line);
}
