import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/**
 * A position in a trace, as the `traceparent` header of W3C Trace Context (version 00) has it: the id of the trace, which all
 * its parts share, the id of one span, and the flags.
 */
export type Traceparent = string;

const format = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** The only flag of version 00: the trace is recorded, here in the log. */
const sampled = 1;

/** The trace of the running invocation. Only diagnostics read it: no result depends on it. */
const running = new AsyncLocalStorage<Traceparent>();

/**
 * Returns a new span in the trace of `parent`, with the same flag for sampling. Begins a new trace if the parent is missing,
 * malformed or of another version.
 */
export function next(parent?: string | null): Traceparent {
  const random = randomBytes(24).toString("hex");
  const [, id = random.slice(16), flags = "01"] = format.exec(parent ?? "") ?? [];
  const flag = Number.parseInt(flags, 16) & sampled;
  return `00-${id}-${random.slice(0, 16)}-0${flag}`;
}

/** Runs the work as a part of this trace. */
export function run<T>(traceparent: Traceparent, work: () => T): T {
  return running.run(traceparent, work);
}

/** Returns the trace of the running invocation, or undefined outside of one. */
export function current(): Traceparent | undefined {
  return running.getStore();
}

/** Returns the id of a trace. */
export function idOf(traceparent: Traceparent): string {
  return traceparent.slice(3, 35);
}
