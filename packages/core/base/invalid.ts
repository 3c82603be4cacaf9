import { Fault } from "./fault.ts";

/** Where a wrong value stands: in the body (RFC 6901), or in the query or the path. */
export type ErrorSource = { pointer: string } | { parameter: string };

/** 422 `invalid_input` for one value that a schema cannot judge; `code` says what is wrong with it. */
export function invalid(place: ErrorSource, code: string, detail: string): Fault {
  return new Fault("invalid", "invalid_input", "Some values cannot be taken. See errors.", {
    errors: [{ ...place, code, detail }],
  });
}

/** 422 whose `code` is that of the value: one that clients switch on. */
export function refused(place: ErrorSource, code: string, detail: string): Fault {
  return new Fault("invalid", code, detail, { errors: [{ ...place, code, detail }] });
}
