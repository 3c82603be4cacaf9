import { sql } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { dayIn, shifted } from "../../base/day.ts";
import { monthOf, startOfDay } from "../../base/day-bounds.ts";
import { Fault } from "../../base/fault.ts";
import type { DataOf } from "../../event/catalog.ts";
import type * as Event from "../../event/event.ts";
import * as Money from "../../money/money.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { settings } from "../../workspace/workspace.ts";
import { cost } from "../amounts/amount.ts";
import { elapsedSeconds } from "../amounts/elapsed.ts";
import * as Terms from "../projects/budget-terms.ts";
import * as Project from "../projects/project.ts";
import { due, type Forecast, forecast, paceDays } from "./forecast.ts";

/** Where a project's budget stands. `amount` and `spent` are decimals: of `currency`, or hours when that is null. */
export const View = z.object({
  projectId: z.string(),
  ...Terms.View.shape,
  currency: z.nullable(z.string()),
  /** First and last day of the period in the workspace's time zone; null for a budget without periods. */
  periodStart: z.nullable(z.iso.date()),
  periodEnd: z.nullable(z.iso.date()),
  spent: z.string(),
  percent: z.number(),
  forecastPercent: z.number(),
  forecastDate: z.nullable(z.iso.date()),
  /** Spent in other currencies than the budget's, which no rate turns into it. */
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
type Period = { name: string; first?: string; last?: string; since?: Date; before?: Date };

/** The budget of a project, up to now. Throws 404 `project_not_found` and 404 `budget_not_found`. */
export async function get({ workspaceId }: Membership, id: string, now: Date = Clock.now()): Promise<View> {
  const project = await Project.fetch(db(), workspaceId, id);
  const terms = Terms.view(project);
  if (!terms) throw new Fault("missing", "budget_not_found", "This project has no budget.");
  const { spent, forecast, period, notCounted, timezone } = await status(db(), project, terms, now);
  return {
    projectId: id,
    ...terms,
    currency: terms.type === "money" ? project.currency : null,
    periodStart: period.first ?? null,
    periodEnd: period.last ?? null,
    spent: Terms.written(spent, terms.type, project.currency),
    percent: forecast.percent,
    forecastPercent: forecast.forecastPercent,
    forecastDate: forecast.usedUpAt ? dayIn(timezone, forecast.usedUpAt) : null,
    notCounted,
  };
}

/**
 * Give the warnings that have become due, each once for its period and threshold: a row that can be there only once
 * decides. Part of whatever changed the project's time.
 */
export async function warn(tx: Tx, by: Event.By, project: Project.Row, now: Date): Promise<void> {
  const terms = Terms.view(project);
  if (!terms || project.archived_at) return;
  const { spent, forecast, period } = await status(tx, project, terms, now);
  for (const reason of due(terms.alertThresholdPercent, forecast)) {
    const threshold = reason === "threshold" ? String(terms.alertThresholdPercent) : reason;
    const first = await tx
      .insertInto("budget_warnings")
      .values({ project_id: project.id, period: period.name, threshold, warned_at: now })
      .onConflict((conflict) => conflict.columns(["project_id", "period", "threshold"]).doNothing())
      .returning("threshold")
      .executeTakeFirst();
    if (!first) continue;
    await Project.record(tx, by, "budget.forecast_warning", project, {}, now, {
      projectId: project.id,
      projectName: project.name,
      reason,
      thresholdPercent: reason === "threshold" ? terms.alertThresholdPercent : 100,
      percent: forecast.percent,
      forecastPercent: forecast.forecastPercent,
      forecastAt: forecast.usedUpAt?.toISOString() ?? null,
      period: period.name,
      type: terms.type,
      amount: terms.amount,
      spent: Terms.written(spent, terms.type, project.currency),
      currency: terms.type === "money" ? project.currency : null,
    } satisfies DataOf<"budget.forecast_warning">);
  }
}

export type Looked = { budgets: number; failed: number };

/**
 * Look at every budget that is in use: timers run on, and a pace can lead past it. One that cannot be judged keeps none
 * of the others from it. Answers how many there are and how many failed.
 */
export async function forecastAll(requestId: string, now: Date = Clock.now()): Promise<Looked> {
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
      log.error("budget not looked at", { projectId, requestId, error: error as Error });
    }
  return { budgets: projects.length, failed };
}

async function status(reader: Reader, project: Project.Row, terms: Terms.View, now: Date): Promise<Status> {
  const { timezone } = await settings(reader, project.workspace_id);
  const period = periodOf(terms.period, timezone, now);
  const parts = await tracked(reader, project.id, period, now);
  const [counted, other] = [[] as Part[], [] as Part[]];
  for (const part of parts)
    (terms.type === "hours" || part.currency === project.currency ? counted : other).push(part);
  const unit = terms.type === "hours" ? "seconds" : "minor";
  const spent = total(counted, (part) => part.spent[unit]);
  return {
    spent,
    forecast: forecast({
      amount: project.budget_amount ?? 0n,
      spent,
      recent: total(counted, (part) => part.recent[unit]),
      firstAt: parts.map(({ firstAt }) => firstAt).sort((a, b) => Number(a) - Number(b))[0],
      endsAt: period.before,
      now,
    }),
    period,
    notCounted: [...Map.groupBy(other, ({ currency }) => currency)]
      .map(([currency, parts]) => ({ currency, minor: total(parts, ({ spent }) => spent.minor) }))
      .filter(({ minor }) => minor > 0n)
      .map(Money.view),
    timezone,
  };
}

function total(parts: readonly Part[], of: (part: Part) => bigint): bigint {
  return parts.reduce((sum, part) => sum + of(part), 0n);
}

function periodOf(kind: Terms.View["period"], timezone: string, now: Date): Period {
  if (kind === "total") return { name: "total" };
  const { name, first, next } = monthOf(dayIn(timezone, now));
  const [since, before] = [startOfDay(first, timezone), startOfDay(next, timezone)];
  return { name, first, last: shifted(next, -1), since, before };
}

/** A share of what was tracked on a project: in the period and lately. */
type Part = { currency: string; spent: Amounts; recent: Amounts; firstAt: Date };
type Amounts = { minor: bigint; seconds: bigint };

/** What was tracked on a project: a part for each currency, and one for each timer, which counts until now. */
async function tracked(reader: Reader, projectId: string, period: Period, now: Date): Promise<Part[]> {
  const { since = new Date(0), before = new Date("9999-01-01") } = period;
  const lately = new Date(now.getTime() - paceDays * 86_400_000);
  const inPeriod = sql`started_at >= ${since} AND started_at < ${before}`;
  const recently = sql`started_at >= ${lately} AND started_at <= ${now}`;
  const sum = (column: "amount_minor" | "duration_seconds", condition: typeof inPeriod) =>
    sql<string>`coalesce(sum(${sql.ref(column)}) FILTER (WHERE ${condition}), 0)::text`;
  const entries = reader.selectFrom("time_entries").where("project_id", "=", projectId);
  const stopped = await entries
    .select(({ fn }) => [
      "currency",
      sum("amount_minor", inPeriod).as("spent_minor"),
      sum("duration_seconds", inPeriod).as("spent_seconds"),
      sum("amount_minor", recently).as("recent_minor"),
      sum("duration_seconds", recently).as("recent_seconds"),
      fn.min("started_at").as("first_at"),
    ])
    .where("ended_at", "is not", null)
    .groupBy("currency")
    .execute();
  const running = await entries
    .select(["currency", "started_at", "billable", "hourly_rate_minor"])
    .where("ended_at", "is", null)
    .execute();
  return [
    ...stopped.map((row) => ({
      currency: row.currency,
      spent: { minor: BigInt(row.spent_minor), seconds: BigInt(row.spent_seconds) },
      recent: { minor: BigInt(row.recent_minor), seconds: BigInt(row.recent_seconds) },
      firstAt: row.first_at,
    })),
    ...running.map((row) => {
      const seconds = elapsedSeconds(row.started_at, now);
      const all = {
        minor: row.billable ? cost(seconds, row.hourly_rate_minor ?? 0n) : 0n,
        seconds: BigInt(seconds),
      };
      const none = { minor: 0n, seconds: 0n };
      return {
        currency: row.currency,
        spent: row.started_at >= since && row.started_at < before ? all : none,
        recent: row.started_at >= lately ? all : none,
        firstAt: row.started_at,
      };
    }),
  ];
}
