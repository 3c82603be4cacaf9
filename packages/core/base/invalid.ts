import { Fault, type Violation } from "./fault.ts";

/** The position of an invalid value: a JSON pointer into the body (RFC 6901), or a query or path parameter. */
export type ErrorSource = { pointer: string } | { parameter: string };

/** Creates an `invalid` `invalid_input` fault for one value. `code` identifies the problem with that value. */
export function invalid(source: ErrorSource, code: string, detail: string): Fault {
  return validationFailed([{ ...source, code, detail }]);
}

/** Creates an `invalid` `invalid_input` fault for several values. */
export function validationFailed(errors: Violation[]): Fault {
  return new Fault("invalid", "invalid_input", "Validation failed. See `errors` for the fields to fix.", {
    errors,
  });
}

/** Creates an `invalid` fault for one value, with a code that clients switch on instead of `invalid_input`. */
export function invalidWithCode(source: ErrorSource, code: string, detail: string): Fault {
  return new Fault("invalid", code, detail, { errors: [{ ...source, code, detail }] });
}
