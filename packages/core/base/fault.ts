/** What the caller can do about it. The only table from kinds to HTTP statuses is in functions/http/faults.ts. */
export type Kind =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "conflict"
  | "expired"
  | "too_large"
  | "unsupported"
  | "invalid"
  | "busy"
  | "upstream"
  | "unavailable";

/** One wrong value of the input: a JSON pointer into the body (RFC 6901) or the name of a query or path parameter. */
export type Violation = { code: string; detail: string } & ({ pointer: string } | { parameter: string });

export type FaultDetails = {
  /** Logged, never sent. */
  cause?: unknown;
  /** For `busy` and `unavailable`: whole seconds until another try makes sense. */
  retryAfterSeconds?: number;
  /** For `unsupported`: the media types that are taken (RFC 9110, section 15.5.16). */
  accept?: string;
  /** For `invalid`: which values, and why. */
  errors?: Violation[];
  /** Further members of the problem document (RFC 9457, section 3.2), such as `requiredPlan`. */
  extra?: Record<string, unknown>;
};

/**
 * An outcome that the caller caused or can act on. `code` is stable and for programs, `message` is for the
 * person who reads it and says what to do next. Anything thrown that is not a Fault is a bug of ours.
 */
export class Fault extends Error {
  readonly kind: Kind;
  readonly code: string;
  readonly details: FaultDetails;

  constructor(kind: Kind, code: string, message: string, details: FaultDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Fault";
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}
