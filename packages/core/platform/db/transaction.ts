import { Fault } from "../../base/fault.ts";
import { log } from "../log/log.ts";
import { type Retrying, retryOnConflict } from "./conflict.ts";
import { db, type Tx } from "./engine.ts";
import { sqlState } from "./sql-state.ts";

const followUps = new WeakMap<Tx, (() => Promise<unknown>)[]>();

/**
 * Do this once the transaction has committed, and not at all when it does not. Only for what may be lost: the process can
 * die in between, and a failure is logged and changes nothing for the caller.
 */
export function afterCommit(tx: Tx, work: () => Promise<unknown>): void {
  followUps.set(tx, [...(followUps.get(tx) ?? []), work]);
}

/**
 * Everything in `work` commits together or not at all. A lost race runs it again, so it must do nothing but reads and
 * writes of rows. Throws 503 `database_conflict` when it never wins, and 503 `commit_unknown` when the connection broke
 * while committing: then the rows may be there, and whoever has something to undo must look first.
 */
export function transaction<T>(work: (tx: Tx) => Promise<T>, retrying?: Retrying): Promise<T> {
  return retryOnConflict(() => attempt(work), retrying);
}

async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  let committing = false;
  let afterwards: (() => Promise<unknown>)[] = [];
  let committed: T;
  try {
    committed = await db()
      .transaction()
      .execute(async (tx) => {
        const result = await work(tx);
        afterwards = followUps.get(tx) ?? [];
        committing = true;
        return result;
      });
  } catch (error) {
    if (committing && error instanceof Fault && error.code === "database_unavailable")
      throw new Fault(
        "unavailable",
        "commit_unknown",
        "The connection broke while the change was being saved. Look whether it is there before you try again.",
        { cause: error, retryAfterSeconds: 2 },
      );
    throw error;
  }
  await Promise.all(afterwards.map(follow));
  return committed;
}

async function follow(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn("not done after a commit", { error: error as Error });
  }
}

/** Whether a unique index of this name refused the row. */
export function violates(error: unknown, index: string): boolean {
  return sqlState(error) === "23505" && (error as { constraint?: string }).constraint === index;
}
