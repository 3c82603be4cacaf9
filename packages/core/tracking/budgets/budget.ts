import { sql } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { CurrencyCode } from "../../base/currency-code.ts";
import { addDays, Day, dayIn } from "../../base/day.ts";
import { monthOf, startOfDay } from "../../base/day-bounds.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import type { DataOf } from "../../event/catalog.ts";
import * as Event from "../../event/event.ts";
import * as Money from "../../money/money.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import * as JobCursor from "../../platform/db/job-cursor.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { settings } from "../../workspace/workspace.ts";
import { cost } from "../amounts/amount.ts";
import { elapsedSeconds } from "../amounts/elapsed.ts";
import * as Sums from "../amounts/sums.ts";
import * as BudgetSettings from "../projects/budget-settings.ts";
import * as Project from "../projects/project.ts";
import { due, type Forecast, forecast, paceDays, type Reason } from "./forecast.ts";

/** The status of a project's budget. `amount` and `spent` are decimal amounts in `currency`, or hours when it is null. */
export const View = z.object({
  projectId: Id,
  ...BudgetSettings.View.shape,
  currency: z.nullable(CurrencyCode),
  /** First and last day of the period in the workspace's time zone; null for a budget without periods. */
  periodStart: z.nullable(Day),
  periodEnd: z.nullable(Day),
  spent: z.string(),
  percent: z.number(),
  forecastPercent: z.number(),
  forecastDate: z.nullable(Day),
  /** Amounts in currencies other than the budget's. They are not converted and not included in `spent`. */
  notCounted: z.array(Money.View),
});
export type View = z.infer<typeof View>;

type Status = {
  budget: BudgetSettings.View;
  spent: bigint;
  forecast: Forecast;
  period: Period;
  notCounted: Money.View[];
  timezone: string;
};

/** A period of a budget, from `since` up to but not including `before`. A budget without periods has neither. */
type Period = { name: string; first?: string; last?: string; since?: Date; before?: Date };

/**
 * Returns the budget status of a project. Throws `forbidden` `money_hidden` for a caller who does not see money, whether or not
 * the project has a budget, then `missing` `project_not_found` and `missing` `budget_not_found`.
 */
export async function get(
  { workspaceId, seesMoney, timezone }: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<View> {
  if (!seesMoney)
    throw new Fault(
      "forbidden",
      "money_hidden",
      "Members of this workspace do not see budgets. Ask an admin to change this in the workspace settings.",
    );
  const project = await Project.fetch(db(), workspaceId, id);
  const status = (await statusesOf(db(), timezone, [project], now)).get(id);
  if (!status) throw new Fault("missing", "budget_not_found", "This project has no budget.");
  return view(project, status);
}

/** Returns the budget statuses of those of a workspace's projects that have a budget, by id, with two statements in all. */
export async function statuses(
  { timezone }: Pick<Membership, "timezone">,
  projects: readonly Project.Row[],
  now: Date = Clock.now(),
): Promise<Map<string, View>> {
  const found = await statusesOf(db(), timezone, projects, now);
  return new Map(
    projects.flatMap((project) => {
      const status = found.get(project.id);
      return status ? [[project.id, view(project, status)] as const] : [];
    }),
  );
}

function view(project: Project.Row, status: Status): View {
  const { budget, spent, forecast, period, notCounted } = status;
  return {
    projectId: project.id,
    ...budget,
    currency: budget.type === "money" ? project.currency : null,
    periodStart: period.first ?? null,
    periodEnd: period.last ?? null,
    spent: BudgetSettings.formatAmount(spent, budget.type, project.currency),
    percent: forecast.percent,
    forecastPercent: forecast.forecastPercent,
    forecastDate: forecastDate(status),
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
  const { timezone } = await settings(tx, project.workspace_id);
  const status = (await statusesOf(tx, timezone, [project], now)).get(project.id);
  if (!status) return;
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
  { spent, forecast, period, timezone }: Status,
  reason: Reason,
): DataOf<"budget.forecast_warning"> {
  return {
    projectId: project.id,
    projectName: project.name,
    reason,
    thresholdPercent: reason === "threshold" ? budget.alertThresholdPercent : 100,
    percent: forecast.percent,
    forecastPercent: forecast.forecastPercent,
    forecastDate: forecastDate({ forecast, timezone }),
    forecastAt: forecast.usedUpAt?.toISOString() ?? null,
    period: period.name,
    type: budget.type,
    amount: budget.amount,
    spent: BudgetSettings.formatAmount(spent, budget.type, project.currency),
    currency: budget.type === "money" ? project.currency : null,
  };
}

/** Returns the day on which a budget is used up, in the time zone of its workspace. */
function forecastDate({ forecast, timezone }: Pick<Status, "forecast" | "timezone">): string | null {
  return forecast.usedUpAt ? dayIn(timezone, forecast.usedUpAt) : null;
}

/** `finished` is false if the time ran out. The next run continues after the last budget that was checked. */
export type ForecastRun = { budgets: number; failed: number; finished: boolean };

const job = "forecast-budgets";

/** Budgets that a run reads at once. A run that is killed repeats at most these. */
const pageSize = 200;

/**
 * Checks every budget of an active project, since running timers and the pace can make warnings due without a change. A
 * budget that fails is logged and does not stop the others. Stops when `hasTime` returns false, and the next run continues.
 * Returns the number of budgets and of failures.
 */
export async function forecastAll(
  requestId: string,
  hasTime: () => boolean = () => true,
  now: Date = Clock.now(),
): Promise<ForecastRun> {
  const run = { budgets: 0, failed: 0, finished: false };
  let after = await JobCursor.load(job);
  while (!run.finished && hasTime()) {
    const projects = await budgetsAfter(after);
    run.finished = projects.length < pageSize;
    for (const project of projects) {
      if (!hasTime()) {
        run.finished = false;
        break;
      }
      run.budgets++;
      if (!(await check(project, requestId, now))) run.failed++;
      after = project.id;
    }
    await JobCursor.store(job, run.finished ? "" : after);
  }
  return run;
}

function budgetsAfter(id: string): Promise<Pick<Project.Row, "id" | "workspace_id">[]> {
  return db()
    .selectFrom("projects")
    .select(["id", "workspace_id"])
    .where("budget_type", "is not", null)
    .where("archived_at", "is", null)
    .where("id", ">", id)
    .orderBy("id")
    .limit(pageSize)
    .execute();
}

/** Records the warnings of one budget. Returns false, and logs the error, if this fails. */
async function check(
  { id, workspace_id }: Pick<Project.Row, "id" | "workspace_id">,
  requestId: string,
  now: Date,
): Promise<boolean> {
  try {
    await transaction(async (tx) => {
      const project = await Project.fetch(tx, workspace_id, id);
      await warn(tx, { job, requestId }, project, now);
    });
    return true;
  } catch (error) {
    log.error("budget check failed", { projectId: id, requestId, error: error as Error });
    return false;
  }
}

/** Returns the statuses of those projects that have a budget, by id. */
async function statusesOf(
  reader: Reader,
  timezone: string,
  projects: readonly Project.Row[],
  now: Date,
): Promise<Map<string, Status>> {
  const budgeted = projects.flatMap((project) => {
    const budget = BudgetSettings.view(project);
    return budget ? [{ project, budget, period: periodOf(budget.period, timezone, now) }] : [];
  });
  if (budgeted.length === 0) return new Map();
  const tracked = await trackedOn(reader, budgeted, now);
  return new Map(
    budgeted.map((each) => [each.project.id, { ...statusOf(each, tracked(each), now), timezone }]),
  );
}

type Budgeted = { project: Project.Row; budget: BudgetSettings.View; period: Period };

function statusOf(
  { project, budget, period }: Budgeted,
  { shares, firstAt }: Tracked,
  now: Date,
): Omit<Status, "timezone"> {
  const { type } = budget;
  const counts = ({ currency }: Share) => type === "hours" || currency === project.currency;
  const counted = shares.filter(counts);
  const unit = type === "hours" ? "seconds" : "minor";
  const spent = total(counted, (share) => share.spent[unit]);
  return {
    budget,
    spent,
    forecast: forecast({
      amount: project.budget_amount ?? 0n,
      spent,
      recent: total(counted, (share) => share.recent[unit]),
      firstAt,
      endsAt: period.before,
      now,
    }),
    period,
    notCounted: amountsByCurrency(shares.filter((share) => !counts(share))),
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
type Share = { currency: string; spent: Sums.Amounts; recent: Sums.Amounts };

const none: Sums.Amounts = { minor: 0n, seconds: 0n };

/** The shares of a project's finished entries, one for each running timer, and the start of the first entry. */
type Tracked = { shares: Share[]; firstAt: Date | undefined };

/** The bounds of a budget without periods. */
const always = { since: new Date(0), before: new Date("9999-01-01") };

/** Returns a function that returns the tracked time of each of these projects. Running timers count until now. */
async function trackedOn(
  reader: Reader,
  budgeted: readonly Budgeted[],
  now: Date,
): Promise<(one: Budgeted) => Tracked> {
  const recentSince = new Date(now.getTime() - paceDays * 86_400_000);
  const recent = { since: recentSince, before: new Date(now.getTime() + 1) };
  // Budgets with the same kind of period have the same period, because they belong to one workspace.
  const groups = [...Map.groupBy(budgeted, ({ budget }) => budget.period).values()].map((group) => ({
    projects: group.map(({ project }) => project),
    ranges: { spent: { ...always, ...group[0]?.period }, recent },
  }));
  const ids = budgeted.map(({ project }) => project.id);
  const finished = Map.groupBy(await Sums.inRanges(reader, groups), ({ projectId }) => projectId);
  const { timers, firstAt } = await timersAndStarts(reader, ids);
  return ({ project, period }) => {
    const { since, before } = { ...always, ...period };
    const running = (timers.get(project.id) ?? []).map((timer) => {
      const elapsed = elapsedAmounts(timer, now);
      return {
        currency: timer.currency,
        spent: timer.started_at >= since && timer.started_at < before ? elapsed : none,
        recent: timer.started_at >= recentSince ? elapsed : none,
      };
    });
    const shares = (finished.get(project.id) ?? []).map(({ name, currency, amounts }) => ({
      currency,
      spent: none,
      recent: none,
      [name]: amounts,
    }));
    return { shares: [...shares, ...running], firstAt: firstAt.get(project.id) };
  };
}

type Timer = {
  projectId: string | null;
  currency: string;
  started_at: Date;
  billable: boolean;
  hourly_rate_minor: bigint | null;
};

/** Returns the running timers of projects and the starts of their first entries, by project, in one statement. */
async function timersAndStarts(reader: Reader, projectIds: readonly string[]) {
  const columns = ["currency", "started_at", "billable", "hourly_rate_minor"] as const;
  const rows = await reader
    .selectFrom("time_entries")
    .select(["project_id as projectId", ...columns, sql<boolean>`true`.as("running")])
    .where(Sums.isOneOf("project_id", projectIds))
    .where("ended_at", "is", null)
    .unionAll(({ selectFrom }) =>
      selectFrom("time_entries")
        .select(["project_id as projectId", ...columns, sql<boolean>`false`.as("running")])
        .where("id", "in", ({ selectFrom }) =>
          selectFrom("projects")
            .select(({ selectFrom }) =>
              selectFrom("time_entries as first")
                .select("first.id")
                .whereRef("first.project_id", "=", "projects.id")
                .orderBy("first.started_at")
                .limit(1)
                .as("id"),
            )
            .where(Sums.isOneOf("projects.id", projectIds)),
        ),
    )
    .execute();
  return {
    timers: Map.groupBy<string | null, Timer>(
      rows.filter(({ running }) => running),
      ({ projectId }) => projectId,
    ),
    firstAt: new Map(
      rows.filter(({ running }) => !running).map(({ projectId, started_at }) => [projectId, started_at]),
    ),
  };
}

function elapsedAmounts({ started_at, billable, hourly_rate_minor }: Timer, now: Date): Sums.Amounts {
  const seconds = elapsedSeconds(started_at, now);
  return { minor: billable ? cost(seconds, hourly_rate_minor ?? 0n) : 0n, seconds: BigInt(seconds) };
}
