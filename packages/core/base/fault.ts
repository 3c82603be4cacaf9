/** The kind of a failure. functions/http/faults.ts has the only table from kinds to HTTP statuses. */
export type Kind =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "conflict"
  | "stale"
  | "expired"
  | "too_large"
  | "unsupported"
  | "invalid"
  | "busy"
  | "upstream"
  | "unavailable";

/** One invalid value of the input, located by a JSON pointer into the body (RFC 6901) or by the name of a parameter. */
export type Violation = { code: string; detail: string } & ({ pointer: string } | { parameter: string });

export type FaultDetails = {
  /** Logged, but never sent to the caller. */
  cause?: unknown;
  /** For `busy` and `unavailable`: whole seconds to wait before the next attempt. */
  retryAfterSeconds?: number;
  /** For `unsupported`: the accepted media types (RFC 9110, section 15.5.16). */
  accept?: string;
  /** For `invalid`: the invalid values and the reasons. */
  errors?: Violation[];
  /** Extension members of the problem document (RFC 9457, section 3.2), such as `requiredPlan`. */
  extra?: Record<string, unknown>;
};

/**
 * A failure that the caller caused or can act on. Clients switch on `code`, which is stable; `message` says what is wrong and
 * what to do next. Any other error is a bug in this system.
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
