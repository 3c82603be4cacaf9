import * as Clock from "../../base/clock.ts";
import { addDays } from "../../base/day.ts";
import * as Event from "../../event/event.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { describe, isKnown } from "../currency.ts";
import { maxAgeDays } from "../rate-selection.ts";

const job = "refresh-rates";

/** Workspaces that one transaction checks. Aurora DSQL limits a transaction to about 3,000 written rows. */
const pageSize = 500;

type Correction = {
  source: string;
  code: string;
  day: string;
  revision: number;
  rate: string;
  previous_rate: string;
  document: string;
  workspaces_told: string | null;
};

/** `corrections` are finished, `workspaces` is how many audit logs got a row. `finished` is false if the time ran out. */
export type Run = { corrections: number; workspaces: number; finished: boolean };

/**
 * Records each corrected rate in the audit logs of the ENTERPRISE workspaces that may convert with it: those with time entries on
 * the days that use the rate, in its currency or with it as base currency. Stops when `hasTime` returns false, and the next run
 * continues.
 */
export async function auditCorrections(
  requestId: string,
  hasTime: () => boolean = () => true,
  now: Date = Clock.now(),
): Promise<Run> {
  const run: Run = { corrections: 0, workspaces: 0, finished: false };
  while (hasTime()) {
    const correction = await db()
      .selectFrom("rate_corrections")
      .selectAll()
      .where("workspaces_told", "is not", null)
      .orderBy("fetched_at")
      .orderBy("source")
      .orderBy("code")
      .orderBy("day")
      .orderBy("revision")
      .executeTakeFirst();
    run.finished = !correction;
    if (!correction) break;
    const { told, after } = await transaction((tx) => auditPage(tx, correction, requestId, now));
    run.workspaces += told;
    if (after === null) run.corrections++;
  }
  return run;
}

/** Records the correction for one page of workspaces. `after` is null when there are no more. */
async function auditPage(
  tx: Tx,
  correction: Correction,
  requestId: string,
  now: Date,
): Promise<{ told: number; after: string | null }> {
  const page = await tx
    .selectFrom("workspaces")
    .select(["id", "plan", "base_currency"])
    .where("id", ">", correction.workspaces_told ?? "")
    .orderBy("id")
    .limit(pageSize)
    .execute();
  let told = 0;
  for (const { id, plan, base_currency } of page) {
    if (plan !== "ENTERPRISE" || !(await usesRate(tx, id, base_currency, correction))) continue;
    await record(tx, id, correction, requestId, now);
    told++;
  }
  const after = page.length < pageSize ? null : (page.at(-1)?.id ?? null);
  await tx
    .updateTable("rate_corrections")
    .set({ workspaces_told: after })
    .where("source", "=", correction.source)
    .where("code", "=", correction.code)
    .where("day", "=", correction.day)
    .where("revision", "=", correction.revision)
    .execute();
  return { told, after };
}

/** A rate is used on its own day and at most `maxAgeDays` after it. One more day on each side covers every time zone. */
async function usesRate(
  tx: Tx,
  workspaceId: string,
  base: string,
  { code, day }: Correction,
): Promise<boolean> {
  let query = tx
    .selectFrom("time_entries")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("started_at", ">=", new Date(addDays(day, -1)))
    .where("started_at", "<", new Date(addDays(day, maxAgeDays + 2)))
    .limit(1);
  if (base !== code) query = query.where("currency", "=", code);
  return (await query.executeTakeFirst()) !== undefined;
}

async function record(
  tx: Tx,
  workspaceId: string,
  { source, code, day, rate, previous_rate, document }: Correction,
  requestId: string,
  now: Date,
): Promise<void> {
  const target = { type: "currency", id: code, name: isKnown(code) ? describe(code).name : code } as const;
  const changes = {
    rate: {
      before: { source, day, rate: previous_rate },
      after: { source, day, rate, document },
    },
  };
  await Event.record(tx, { job, requestId }, { action: "rate.corrected", target, workspaceId, changes }, now);
}
