import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { addDays, dayIn } from "../../base/day.ts";
import { monthOf, startOfDay } from "../../base/day-bounds.ts";
import { Fault } from "../../base/fault.ts";
import type { DataOf } from "../../event/catalog.ts";
import * as Event from "../../event/event.ts";
import * as Money from "../../money/money.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { settings } from "../../workspace/workspace.ts";
import { cost } from "../amounts/amount.ts";
import { elapsedSeconds } from "../amounts/elapsed.ts";
import * as BudgetSettings from "../projects/budget-settings.ts";
import * as Project from "../projects/project.ts";
import { due, type Forecast, forecast, paceDays, type Reason } from "./forecast.ts";

/** The status of a project's budget. `amount` and `spent` are decimal amounts in `currency`, or hours when it is null. */
export const View = z.object({
  projectId: z.string(),
  ...BudgetSettings.View.shape,
  currency: z.nullable(z.string()),
  /** First and last day of the period in the workspace's time zone; null for a budget without periods. */
  periodStart: z.nullable(z.iso.date()),
  periodEnd: z.nullable(z.iso.date()),
  spent: z.string(),
  percent: z.number(),
  forecastPercent: z.number(),
  forecastDate: z.nullable(z.iso.date()),
  /** Amounts in currencies other than the budget's. They are not converted and not included in `spent`. */
  notCounted: z.array(Money.View),
});
export type View = z.infer<typeof View>;

type Status = {
  spent: bigint;
  forecast: Forecast;
  period: Period;
  notCounted: Money.View[];
  timezone: string;
};

/** A period of a budget, from `since` up to but not including `before`. A budget without periods has neither. */
type Period = { name: string; first?: string; last?: string; since?: Date; before?: Date };

/** Returns the budget status of a project. Throws `missing` `project_not_found` and `missing` `budget_not_found`. */
export async function get({ workspaceId }: Membership, id: string, now: Date = Clock.now()): Promise<View> {
  const project = await Project.fetch(db(), workspaceId, id);
  const budget = BudgetSettings.view(project);
  if (!budget) throw new Fault("missing", "budget_not_found", "This project has no budget.");
  const { spent, forecast, period, notCounted, timezone } = await statusOf(db(), project, budget, now);
  return {
    projectId: id,
    ...budget,
    currency: budget.type === "money" ? project.currency : null,
    periodStart: period.first ?? null,
    periodEnd: period.last ?? null,
    spent: BudgetSettings.formatAmount(spent, budget.type, project.currency),
    percent: forecast.percent,
    forecastPercent: forecast.forecastPercent,
    forecastDate: forecast.usedUpAt ? dayIn(timezone, forecast.usedUpAt) : null,
    notCounted,
  };
}

/**
 * Records the budget warnings that have become due, inside the transaction that changed the project's time. The primary key
 * of `budget_warnings` ensures that each is recorded once per period and threshold.
 */
export async function warn(tx: Tx, by: Event.EventActor, project: Project.Row, now: Date): Promise<void> {
  const budget = BudgetSettings.view(project);
  if (!budget || project.archived_at) return;
  const status = await statusOf(tx, project, budget, now);
  for (const reason of due(budget.alertThresholdPercent, status.forecast)) {
    const threshold = reason === "threshold" ? String(budget.alertThresholdPercent) : reason;
    if (!(await claimWarning(tx, project.id, status.period.name, threshold, now))) continue;
    const data = warningData(project, budget, status, reason);
    const about = { ...Project.eventScope(project), data };
    await Event.publish(tx, by, { action: "budget.forecast_warning", ...about }, now);
  }
}

/** Inserts the row of a warning. Returns false when the warning was recorded before. */
async function claimWarning(
  tx: Tx,
  projectId: string,
  period: string,
  threshold: string,
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("budget_warnings")
    .values({ project_id: projectId, period, threshold, warned_at: now })
    .onConflict((conflict) => conflict.columns(["project_id", "period", "threshold"]).doNothing())
    .returning("threshold")
    .executeTakeFirst();
  return inserted !== undefined;
}

function warningData(
  project: Project.Row,
  budget: BudgetSettings.View,
  { spent, forecast, period }: Status,
  reason: Reason,
): DataOf<"budget.forecast_warning"> {
  return {
    projectId: project.id,
    projectName: project.name,
    reason,
    thresholdPercent: reason === "threshold" ? budget.alertThresholdPercent : 100,
    percent: forecast.percent,
    forecastPercent: forecast.forecastPercent,
    forecastAt: forecast.usedUpAt?.toISOString() ?? null,
    period: period.name,
    type: budget.type,
    amount: budget.amount,
    spent: BudgetSettings.formatAmount(spent, budget.type, project.currency),
    currency: budget.type === "money" ? project.currency : null,
  };
}

export type ForecastRun = { budgets: number; failed: number };

/**
 * Checks every budget of an active project, since running timers and the pace can make warnings due without a change. A
 * budget that fails is logged and does not stop the others. Returns the number of budgets and of failures.
 */
export async function forecastAll(requestId: string, now: Date = Clock.now()): Promise<ForecastRun> {
  const projects = await db()
    .selectFrom("projects")
    .select(["id", "workspace_id"])
    .where("budget_type", "is not", null)
    .where("archived_at", "is", null)
    .execute();
  let failed = 0;
  for (const { id: projectId, workspace_id } of projects)
    try {
      await transaction(async (tx) => {
        const project = await Project.fetch(tx, workspace_id, projectId);
        await warn(tx, { job: "forecast-budgets", requestId }, project, now);
      });
    } catch (error) {
      failed++;
      log.error("budget check failed", { projectId, requestId, error: error as Error });
    }
  return { budgets: projects.length, failed };
}

async function statusOf(
  reader: Reader,
  project: Project.Row,
  { type, period: kind }: BudgetSettings.View,
  now: Date,
): Promise<Status> {
  const { timezone } = await settings(reader, project.workspace_id);
  const period = periodOf(kind, timezone, now);
  const shares = await trackedShares(reader, project.id, period, now);
  const counts = ({ currency }: Share) => type === "hours" || currency === project.currency;
  const counted = shares.filter(counts);
  const unit = type === "hours" ? "seconds" : "minor";
  const spent = total(counted, (share) => share.spent[unit]);
  return {
    spent,
    forecast: forecast({
      amount: project.budget_amount ?? 0n,
      spent,
      recent: total(counted, (share) => share.recent[unit]),
      firstAt: shares.map(({ firstAt }) => firstAt).sort((a, b) => Number(a) - Number(b))[0],
      endsAt: period.before,
      now,
    }),
    period,
    notCounted: amountsByCurrency(shares.filter((share) => !counts(share))),
    timezone,
  };
}

function amountsByCurrency(shares: readonly Share[]): Money.View[] {
  return [...Map.groupBy(shares, ({ currency }) => currency)]
    .map(([currency, shares]) => ({ currency, minor: total(shares, ({ spent }) => spent.minor) }))
    .filter(({ minor }) => minor > 0n)
    .map(Money.view);
}

function total(shares: readonly Share[], figure: (share: Share) => bigint): bigint {
  return shares.reduce((sum, share) => sum + figure(share), 0n);
}

function periodOf(kind: BudgetSettings.View["period"], timezone: string, now: Date): Period {
  if (kind === "total") return { name: "total" };
  const { name, first, next } = monthOf(dayIn(timezone, now));
  const [since, before] = [startOfDay(first, timezone), startOfDay(next, timezone)];
  return { name, first, last: addDays(next, -1), since, before };
}

/** A part of the time tracked on a project: `spent` in the period, `recent` within the pace days. */
type Share = { currency: string; spent: Amounts; recent: Amounts; firstAt: Date };
type Amounts = { minor: bigint; seconds: bigint };

/** The instants between which entries count as spent and as recent. */
type Bounds = { since: Date; before: Date; recentSince: Date; now: Date };

/** Returns a share for the finished entries of each currency and one for each running timer, which counts until now. */
async function trackedShares(
  reader: Reader,
  projectId: string,
  { since = new Date(0), before = new Date("9999-01-01") }: Period,
  now: Date,
): Promise<Share[]> {
  const bounds = { since, before, recentSince: new Date(now.getTime() - paceDays * 86_400_000), now };
  return [
    ...(await finishedShares(reader, projectId, bounds)),
    ...(await runningShares(reader, projectId, bounds)),
  ];
}

async function finishedShares(
  reader: Reader,
  projectId: string,
  { since, before, recentSince, now }: Bounds,
): Promise<Share[]> {
  const inPeriod = sql`started_at >= ${since} AND started_at < ${before}`;
  const recently = sql`started_at >= ${recentSince} AND started_at <= ${now}`;
  const sum = (column: "amount_minor" | "duration_seconds", condition: RawBuilder<unknown>) =>
    sql<string>`coalesce(sum(${sql.ref(column)}) FILTER (WHERE ${condition}), 0)::text`;
  const rows = await reader
    .selectFrom("time_entries")
    .select(({ fn }) => [
      "currency",
      sum("amount_minor", inPeriod).as("spent_minor"),
      sum("duration_seconds", inPeriod).as("spent_seconds"),
      sum("amount_minor", recently).as("recent_minor"),
      sum("duration_seconds", recently).as("recent_seconds"),
      fn.min("started_at").as("first_at"),
    ])
    .where("project_id", "=", projectId)
    .where("ended_at", "is not", null)
    .groupBy("currency")
    .execute();
  return rows.map((row) => ({
    currency: row.currency,
    spent: { minor: BigInt(row.spent_minor), seconds: BigInt(row.spent_seconds) },
    recent: { minor: BigInt(row.recent_minor), seconds: BigInt(row.recent_seconds) },
    firstAt: row.first_at,
  }));
}

async function runningShares(
  reader: Reader,
  projectId: string,
  { since, before, recentSince, now }: Bounds,
): Promise<Share[]> {
  const rows = await reader
    .selectFrom("time_entries")
    .select(["currency", "started_at", "billable", "hourly_rate_minor"])
    .where("project_id", "=", projectId)
    .where("ended_at", "is", null)
    .execute();
  const none: Amounts = { minor: 0n, seconds: 0n };
  return rows.map((row) => {
    const seconds = elapsedSeconds(row.started_at, now);
    const minor = row.billable ? cost(seconds, row.hourly_rate_minor ?? 0n) : 0n;
    const elapsed: Amounts = { minor, seconds: BigInt(seconds) };
    return {
      currency: row.currency,
      spent: row.started_at >= since && row.started_at < before ? elapsed : none,
      recent: row.started_at >= recentSince ? elapsed : none,
      firstAt: row.started_at,
    };
  });
}
