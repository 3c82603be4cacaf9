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
import { origin } from "./origin.ts";
import { ok, type Reply } from "./reply.ts";

/** What every handler knows of its call. Steps add to it. */
export type Call = {
  event: Event;
  origin: RequestOrigin;
  /** Headers for the answer, whatever it turns out to be. */
  headers: Record<string, string>;
};

/** One link of a handler: what it needs to know, what it adds, and what it says about itself for the OpenAPI document. */
export type Step<In extends Call, Out extends object> = {
  before: (call: In) => Promise<Out> | Out;
  contract: StepContract;
};

/** Added by a step that may answer with the result of an earlier call instead of doing the work again. */
export type Once = { once: <T>(work: () => Promise<T>) => Promise<T> };

export type Handler = ((event: Event, context: Context) => Promise<Result>) & { contract: Contract };

/** A handler in the making. */
export type Chain<C extends Call> = {
  use<Out extends object>(step: Step<C, Out>): Chain<C & Out>;
  /**
   * Do the work and present its result. With an Idempotency-Key the result is kept, and a replay presents it again: so
   * whatever is signed or fresh belongs into `present`.
   */
  handler<T>(
    work: (call: C) => Promise<T>,
    present?: (result: T, call: C) => Promise<Reply> | Reply,
  ): Handler;
};

const security = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000; includeSubDomains",
};

/** An HTTP endpoint: request id, one log line, security headers and CORS on every answer, and faults as RFC 9457. */
export function api(described: Described): Chain<Call> {
  const steps: StepContract[] = [];
  const calls = new WeakMap<Event, Call & { startedAt: number; failed?: unknown }>();
  const known = (event: Event) => calls.get(event) ?? begin(event);
  const begin = (event: Event) => {
    const call: Call & { startedAt: number; failed?: unknown } = {
      event,
      origin: origin(event),
      headers: {},
      startedAt: performance.now(),
    };
    calls.set(event, call);
    return call;
  };

  const stack = middy<Event, Result>();
  // Registered first, so that it runs last on the way out, after faults too: nothing leaves without these.
  stack.use({
    before: ({ event }) => void begin(event),
    after: (request) => finish(request, request.response as unknown as Reply),
    onError: (request) => {
      const call = known(request.event);
      call.failed = inTime(request.error);
      finish(request, problem(call.failed, call.origin.requestId, request.event.rawPath));
    },
  });

  function finish(request: { event: Event; response: Result | null | undefined }, reply: Reply): void {
    const call = known(request.event);
    request.response = result(reply, call);
    write(call, reply.status, performance.now() - call.startedAt, call.failed);
    // What is known by a key that it leads back to would outlive every young collection.
    calls.delete(request.event);
  }

  const chain: Chain<Call> = {
    use(step) {
      steps.push(step.contract);
      stack.before(async ({ event }) => {
        Object.assign(known(event), await step.before(known(event)));
      });
      return chain as never;
    },
    handler(work, present = ok) {
      const run = async (event: Event): Promise<Result> => {
        const call: Call & Partial<Once> = known(event);
        const result = await (call.once ? call.once(() => work(call)) : work(call));
        return (await present(result, call)) as unknown as Result;
      };
      return Object.assign(stack.handler(run), { contract: { ...described, steps } }) as unknown as Handler;
    },
  };
  return chain;
}

function result({ status, body, text, headers = {}, cookies }: Reply, call: Call): Result {
  return {
    statusCode: status,
    headers: {
      ...security,
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

/** middy gives up just before Lambda would, so that the caller gets an answer of ours. */
function inTime(error: unknown): unknown {
  if (!(error instanceof Error && error.name === "TimeoutError")) return error;
  return new Fault("unavailable", "timed_out", "This took too long. Try again in a moment.", {
    cause: error,
    retryAfterSeconds: 5,
  });
}

/** One line per request. A bug is logged whole; of a fault, its code and what lies behind it. */
function write(
  call: Call & { actor?: { userId: string } },
  status: number,
  ms: number,
  failed: unknown,
): void {
  const { routeKey, rawPath } = call.event;
  const line = {
    route: routeKey,
    ...(routeKey === "$default" && { path: rawPath }),
    status,
    durationMs: Math.round(ms * 10) / 10,
    requestId: call.origin.requestId,
    ...(call.actor && { userId: call.actor.userId }),
    ...(failed instanceof Fault && { fault: failed.code }),
  };
  const cause = failed instanceof Fault ? failed.details.cause : failed;
  if (status >= 500) log.error("request", { ...line, ...(cause instanceof Error && { error: cause }) });
  else log.info("request", line);
}
