import * as Trace from "@svc/core/platform/log/trace";

/** Wraps the handler of a job, so that each run is a trace, whose id is in its log lines. */
export function job<Args extends unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) => Trace.run(Trace.next(), () => work(...args));
}
