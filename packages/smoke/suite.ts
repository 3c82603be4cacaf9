import * as Account from "./account.ts";
import { type Check, type Client, clientOf, type Account as Registered, type Run } from "./check.ts";
import { checks } from "./checks.ts";
import { Mismatch } from "./http.ts";
import type { Stage } from "./stage.ts";

/** `interruption` ends the running check at its next call. What it has created is deleted, and no other check starts. */
type Options = { only: readonly string[]; print: (line: string) => void; interruption?: AbortSignal };

/**
 * Runs all checks, or only those with these names, and prints a line for each. Returns whether nothing failed. Fails also for an
 * operation of the OpenAPI document that no check calls, for what could not be cleaned up, and when it is interrupted.
 */
export async function runSuite(
  stage: Stage,
  { only, print, interruption = new AbortController().signal }: Options,
): Promise<boolean> {
  const selected = checks.filter(({ name }) => only.length === 0 || only.includes(name));
  const succeeded = new Set<string>();
  const failures: string[] = [];
  const shared = sharedAdmin(stage);
  for (const check of selected) {
    if (interruption.aborted) break;
    const reason = check.skip?.(stage);
    if (reason) print(`skip  ${check.name}: ${reason}`);
    else failures.push(...(await runCheck(stage, check, { shared, succeeded, print, interruption })));
  }
  failures.push(...report(await settled([shared.cleanUp]), print));
  if (interruption.aborted) failures.push("interrupted");
  else if (only.length === 0) failures.push(...coverage(stage, succeeded, print));
  print(failures.length === 0 ? "passed" : `FAILED ${failures.length}: ${failures.join(", ")}`);
  return failures.length === 0;
}

type Shared = { admin: () => Promise<string>; cleanUp: CleanUp };

type CleanUp = { what: string; remove: () => Promise<unknown> };

/** Returns the token of the environment or, on the local server, that of a user who is registered at its first use. */
function sharedAdmin(stage: Stage): Shared {
  let account: Registered | undefined;
  let token: Promise<string> | undefined;
  async function createToken(): Promise<string> {
    account = await Account.register(stage);
    const body = { name: "Smoke", scopes: ["admin"], workspaceId: account.workspaceId };
    return (await account.call("POST /user/tokens", { expect: 201, body })).body.token;
  }
  return {
    admin() {
      token ??= stage.token === undefined ? createToken() : Promise.resolve(stage.token);
      return token;
    },
    cleanUp: {
      what: "the account of the suite",
      remove: async () => account && Account.remove(stage, account),
    },
  };
}

/** Runs a check, then its clean-up, and prints the result. Returns the name of the check if it failed. */
async function runCheck(
  stage: Stage,
  check: Check,
  {
    shared,
    succeeded,
    print,
    interruption,
  }: {
    shared: Shared;
    succeeded: Set<string>;
    print: (line: string) => void;
    interruption: AbortSignal;
  },
): Promise<string[]> {
  const startedAt = performance.now();
  const cleanUps: CleanUp[] = [];
  const notes: string[] = [];
  const called = new Set<string>();
  let cleaning = false;
  const interruptible =
    (call: Client): Client =>
    async (operation, options) => {
      if (!cleaning) interruption.throwIfAborted();
      return call(operation, options);
    };
  const client = (token?: string) =>
    interruptible(clientOf(stage, token, (operation) => called.add(operation)));
  const run: Run = {
    stage,
    client,
    admin: async () => client(await shared.admin()),
    async account() {
      interruption.throwIfAborted();
      const account = await Account.register(stage, (operation) => called.add(operation));
      account.call = interruptible(account.call);
      cleanUps.push({ what: `the account ${account.email}`, remove: () => Account.remove(stage, account) });
      return account;
    },
    cleanUp(what, remove) {
      let removed = false;
      const once = async () => {
        if (!removed) await remove();
        removed = true;
      };
      cleanUps.push({ what, remove: once });
      return once;
    },
    note: (text) => void notes.push(text),
  };
  const problems: string[] = [];
  try {
    await check.run(run);
    const missing = check.operations?.filter((operation) => !called.has(operation)) ?? [];
    if (missing.length > 0) problems.push(`expected a call of ${missing.join(", ")}, got none`);
  } catch (error) {
    problems.push(error instanceof Mismatch ? error.message : ((error as Error).stack ?? String(error)));
  }
  for (const operation of check.operations ?? []) if (called.has(operation)) succeeded.add(operation);
  cleaning = true;
  const left = await settled(cleanUps.reverse());
  const ms = Math.round(performance.now() - startedAt);
  print(`${problems.length === 0 ? "ok   " : "FAIL "} ${check.name}: ${check.title} (${ms} ms)`);
  for (const text of [...problems, ...notes.map((note) => `note: ${note}`)]) print(`      ${text}`);
  return [...(problems.length > 0 ? [check.name] : []), ...report(left, print)];
}

/** Runs every clean-up. Returns a sentence for each that failed. */
async function settled(cleanUps: readonly CleanUp[]): Promise<string[]> {
  const left: string[] = [];
  for (const { what, remove } of cleanUps) {
    try {
      await remove();
    } catch (error) {
      left.push(`${what} could not be removed: ${(error as Error).message}`);
    }
  }
  return left;
}

function report(left: readonly string[], print: (line: string) => void): string[] {
  for (const text of left) print(`LEFT  ${text}`);
  return left.length > 0 ? ["clean-up"] : [];
}

/**
 * Compares the operations of the OpenAPI document with those that the checks call, and prints the operations of skipped checks.
 * Returns a failure if an operation has no check, or a check calls an operation that the document does not have.
 */
export function coverage(
  stage: Stage,
  succeeded: ReadonlySet<string>,
  print: (line: string) => void,
): string[] {
  const declared = new Set(checks.flatMap(({ operations = [] }) => operations));
  const skipped = new Map<string, string>();
  for (const { operations = [], skip } of checks) {
    const reason = skip?.(stage);
    if (reason)
      for (const operation of operations) if (!succeeded.has(operation)) skipped.set(operation, reason);
  }
  const unchecked = stage.operations.filter((operation) => !declared.has(operation));
  const unknown = [...declared].filter((operation) => !stage.operations.includes(operation));
  for (const [reason, group] of Map.groupBy(skipped, ([, reason]) => reason))
    print(`skip  ${group.length} operations, ${reason}: ${group.map(([operation]) => operation).join(", ")}`);
  for (const operation of unchecked) print(`FAIL  ${operation} is in /openapi.json, and no check calls it`);
  for (const operation of unknown)
    print(`FAIL  ${operation} is called by a check, and /openapi.json does not have it`);
  print(
    `${stage.operations.length} operations: ${succeeded.size} called with success, ${skipped.size} skipped`,
  );
  return unchecked.length + unknown.length > 0 ? ["operations"] : [];
}
