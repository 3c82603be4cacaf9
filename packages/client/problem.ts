import type { ErrorCode } from "./generated.ts";

/** A validation error of one field: `pointer` into the body (RFC 6901), or `parameter` for the query string and headers. */
export type FieldError = { code: string; detail: string; pointer?: string; parameter?: string };

/** The codes that this client adds to those of the API. They have `status` 0, except `unexpected_response`. */
export type ClientCode = "no_answer" | "timeout" | "unexpected_response" | "unknown";

/** Members of a problem document (RFC 9457) that this client reads. Proxies may send a body with none of them. */
export type ProblemBody = Partial<Record<string, unknown>>;

type Context = {
  retryAfterSeconds?: number | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
};

/**
 * A request that failed: the problem document of the API (RFC 9457), or `status` 0 when there was no response. Switch on `code`,
 * which is stable. `message` can be shown to people.
 */
export class Problem extends Error {
  /** The HTTP status, or 0 when there was no response. */
  readonly status: number;
  /** The code of the problem document; `no_answer`, `timeout`, `unexpected_response`, or `unknown` when there is none. */
  readonly code: ErrorCode | ClientCode;
  readonly errors: readonly FieldError[];
  /** Identifies the request in the logs of the API. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The Idempotency-Key of the request. A new attempt with the same key cannot do the work twice. */
  readonly idempotencyKey: string | undefined;
  /** The complete problem document, with its extension members such as `current` or `requiredPlan`. */
  readonly body: ProblemBody;

  constructor(status: number, body: ProblemBody, { retryAfterSeconds, idempotencyKey, cause }: Context = {}) {
    super(typeof body.detail === "string" ? body.detail : defaultMessage(status), { cause });
    this.name = "Problem";
    this.status = status;
    this.code = typeof body.code === "string" ? (body.code as ErrorCode) : "unknown";
    this.errors = Array.isArray(body.errors) ? body.errors : [];
    this.requestId = typeof body.requestId === "string" ? body.requestId : undefined;
    this.retryAfterSeconds = retryAfterSeconds;
    this.idempotencyKey = idempotencyKey;
    this.body = body;
  }
}

/** The message for responses without `detail`, such as those that a gateway sends itself. */
function defaultMessage(status: number): string {
  if (status === 413) return "The request is too large.";
  if (status === 429) return "Too many requests. Wait a moment and try again.";
  return "Something went wrong. Try again in a moment.";
}
