import { Fault } from "@svc/core/base/fault";

/**
 * Runs a step of the start. If it fails with an error that does not say what to do, throws `unavailable` `code` with the message
 * `problem (reason). advice`, in which the reason is the first line of that error.
 */
export async function startStep<T>(
  { code, problem, advice }: { code: string; problem: string; advice: string },
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Fault && cause.kind !== "unavailable") throw cause;
    throw new Fault("unavailable", code, `${problem} (${reasonOf(cause)}). ${advice}`, { cause });
  }
}

/** Returns the first line of an error, or its code if it has no message, as when several addresses refuse a connection. */
function reasonOf(error: unknown): string {
  if (error instanceof Fault && error.cause) return reasonOf(error.cause);
  const { message, code, name } = error as NodeJS.ErrnoException;
  return message?.split("\n")[0]?.replace(/\.$/, "") || code || name;
}
