import { Fault } from "./fault.ts";

/** The versions of a resource that a change may replace; `*` is any. Without it, a change replaces every version. */
export type IfMatch = "*" | readonly string[];

/**
 * Throws `stale` `changed_meanwhile` with the current representation, which is null for a resource that does not exist, unless
 * the caller accepts its version. Call it in the transaction of the change, before a return for a change that changes nothing.
 */
export async function requireMatch(
  ifMatch: IfMatch | undefined,
  version: string | undefined,
  current: () => unknown,
): Promise<void> {
  if (ifMatch === undefined) return;
  if (version !== undefined && (ifMatch === "*" || ifMatch.includes(version))) return;
  throw new Fault(
    "stale",
    "changed_meanwhile",
    version === undefined
      ? "This does not exist anymore. Create it again, or discard your change."
      : "This was changed meanwhile. Compare your change with `current`, then send it again with the ETag of that version.",
    { extra: { current: version === undefined ? null : await current() } },
  );
}
