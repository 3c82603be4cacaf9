import { Fault } from "../../base/fault.ts";
import { log } from "../log/log.ts";
import { type RetryOptions, retryOnConflict } from "./conflict.ts";
import { db, type Tx } from "./engine.ts";
import { sqlState } from "./sql-state.ts";

const afterCommitHooks = new WeakMap<Tx, (() => Promise<unknown>)[]>();

/**
 * Registers a hook that runs once `tx` has committed, and never when it is rolled back. Only for work that may be lost: the
 * process can die between the commit and the hook, and a hook that fails is logged without an effect on the caller.
 */
export function afterCommit(tx: Tx, hook: () => Promise<unknown>): void {
  afterCommitHooks.set(tx, [...(afterCommitHooks.get(tx) ?? []), hook]);
}

/**
 * Runs `work` in one transaction and returns its result. On a write conflict the whole of `work` runs again, so it must have
 * no effects other than reading and writing rows. Throws `unavailable` `database_conflict` when every attempt meets a
 * conflict, and `unavailable` `commit_unknown` when the connection broke during the commit. The rows may then have been
 * saved, so a caller must check before it undoes anything else.
 */
export function transaction<T>(work: (tx: Tx) => Promise<T>, options?: RetryOptions): Promise<T> {
  return retryOnConflict(() => attempt(work), options);
}

async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  let committing = false;
  let hooks: (() => Promise<unknown>)[] = [];
  let committed: T;
  try {
    committed = await db()
      .transaction()
      .execute(async (tx) => {
        const result = await work(tx);
        hooks = afterCommitHooks.get(tx) ?? [];
        committing = true;
        return result;
      });
  } catch (error) {
    if (committing && error instanceof Fault && error.code === "database_unavailable")
      throw new Fault(
        "unavailable",
        "commit_unknown",
        "The connection broke while the change was being saved. Check whether it was saved before you try again.",
        { cause: error, retryAfterSeconds: 2 },
      );
    throw error;
  }
  await Promise.all(hooks.map(runHook));
  return committed;
}

async function runHook(hook: () => Promise<unknown>): Promise<void> {
  try {
    await hook();
  } catch (error) {
    log.warn("after-commit hook failed", { error: error as Error });
  }
}

/** Returns whether the error is a violation of the unique index with this name. */
export function violates(error: unknown, index: string): boolean {
  return sqlState(error) === "23505" && (error as { constraint?: string }).constraint === index;
}
