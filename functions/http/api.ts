import middy from "@middy/core";
import type { RequestOrigin } from "@svc/core/base/actor";
import { Fault } from "@svc/core/base/fault";
import { log } from "@svc/core/platform/log/log";
import * as Trace from "@svc/core/platform/log/trace";
import type { WorkspaceRef } from "@svc/core/workspace/authorization";
import type {
  Context,
  APIGatewayProxyEventV2 as Event,
  APIGatewayProxyStructuredResultV2 as Result,
} from "aws-lambda";
import type { Contract, Described, StepContract } from "./contract.ts";
import { cors } from "./cors.ts";
import { withEtag } from "./etag.ts";
import { problem } from "./faults.ts";
import { rejectsUnknownParameters, requireKnownParameters } from "./known-parameters.ts";
import { ok, type Reply } from "./reply.ts";
import { bypassesRouter, requestOrigin, routerBypassed } from "./request-origin.ts";

/** The state of a request. Steps add to it. */
export type Call = {
  event: Event;
  origin: RequestOrigin;
  /** Headers of the response, whether the request succeeds or fails. */
  headers: Record<string, string>;
  /** The workspace that a later step authorizes the caller in, so that `signedIn()` can read both in one round trip. */
  workspaceRef?: WorkspaceRef | undefined;
  /** Records a 403 of a signed-in user. Set by the step that reads the sign-in. */
  recordRefusal?: (fault: Fault) => Promise<void>;
};

/** A step of a handler: checks a requirement, adds members to the call, and contributes to the OpenAPI document. */
export type Step<In extends Call, Out extends object> = {
  before: (call: In) => Promise<Out> | Out;
  contract: StepContract;
  /** Returns the workspace that this step authorizes the caller in. */
  workspaceRef?: (event: Event) => WorkspaceRef;
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

/** Headers of every response. A route whose responses may be cached replaces `cache-control` in its reply. */
const commonHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000; includeSubDomains",
};

/**
 * Starts an HTTP endpoint. Every response has a request id, security headers and CORS, and no cache may store it unless
 * the route says otherwise; every request writes one log line; errors become RFC 9457 problem documents. A request with
 * `traceparent` continues that trace; any other begins one. A stage with a router rejects
 * requests that bypass it, and with it AWS WAF: 403 `router_bypassed`. A query that is not percent-encoded UTF-8 is 400
 * `query_malformed`.
 */
export function api(described: Described): Chain<Call> {
  const steps: StepContract[] = [{ codes: { malformed: ["query_malformed"] } }];
  let workspaceRefOf: ((event: Event) => WorkspaceRef) | undefined;
  const stack = middy<Event, Reply, Error, Invocation>();
  stack.before(({ event }) => {
    if (bypassesRouter(event))
      throw new Fault(
        "forbidden",
        routerBypassed,
        "This is not the URL of the API. Use the URL of the web client.",
      );
    if (!isValidQuery(event.rawQueryString))
      throw new Fault(
        "malformed",
        "query_malformed",
        "The query is not valid. Percent-encode its names and values in UTF-8.",
      );
  });
  stack.onError((request) => {
    const { call, failure } = request.context;
    failure.error = asFault(request.error);
    request.response = problem(failure.error, call.origin.requestId, call.event.rawPath);
  });
  // After the sign-in, but before the parameters are validated: a misspelt one may be why another is missing.
  const checkParameters = ({ event }: { event: Event }) => {
    if (rejectsUnknownParameters(event.routeKey, steps)) requireKnownParameters(event, steps);
  };

  const chain: Chain<Call> = {
    use(step) {
      steps.push(step.contract);
      workspaceRefOf ??= step.workspaceRef;
      if (step.contract.query) stack.before(checkParameters);
      stack.before(async ({ context: { call } }) => {
        Object.assign(call, await step.before(call));
      });
      // The type of the call grows with each step; the object stays the same.
      return chain as never;
    },
    handler(work, present = ok) {
      if (!steps.some(({ query }) => query)) stack.before(checkParameters);
      const run = stack.handler(async (_event: Event, { call }: Invocation): Promise<Reply> => {
        const { once }: Call & Partial<Once> = call;
        const result = await (once ? once(() => work(call)) : work(call));
        const reply = await present(result, call);
        return described.versioned
          ? withEtag(reply, described.versioned, call.event.headers["if-none-match"])
          : reply;
      });
      const answer = async (event: Event, context: Context): Promise<Result> => {
        const startedAt = performance.now();
        const call: Call = {
          event,
          origin: requestOrigin(event),
          headers: {},
          workspaceRef: workspaceRefOf?.(event),
        };
        const failure: Invocation["failure"] = {};
        const reply = await run(event, { ...context, call, failure });
        if (failure.error instanceof Fault && failure.error.kind === "forbidden")
          await call.recordRefusal?.(failure.error);
        writeLogLine(call, reply.status, performance.now() - startedAt, failure.error);
        return toResult(reply, call);
      };
      const respond = (event: Event, context: Context) =>
        Trace.run(Trace.next(event.headers.traceparent), () => answer(event, context));
      return Object.assign(respond, { contract: { ...described, steps } });
    },
  };
  return chain;
}

function toResult({ status, body, text, headers = {}, cookies }: Reply, call: Call): Result {
  return {
    statusCode: status,
    headers: {
      ...commonHeaders,
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

/** Returns whether a query as sent is ASCII, and what it encodes UTF-8 (RFC 3986, section 2.5). */
function isValidQuery(query: string): boolean {
  try {
    decodeURIComponent(query);
    return /^[!-~]*$/.test(query);
  } catch {
    return false;
  }
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
