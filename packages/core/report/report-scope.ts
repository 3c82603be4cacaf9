import type { Actor } from "../base/actor.ts";
import { dayIn } from "../base/day.ts";
import type { ErrorSource } from "../base/invalid.ts";
import * as Currency from "../money/currency.ts";
import { type Condition, type Filters, matching } from "../tracking/time-entries/filters.ts";
import type { Membership } from "../workspace/authorization.ts";
import { type Period, period } from "./period.ts";
import type { Rounding } from "./rounding.ts";

/** The entries that a report includes, and how it evaluates them. */
export type ReportScope = {
  workspaceId: string;
  /** The filters and the caller's permissions. */
  condition: Condition;
  period: Period;
  /** The days of the period in the workspace's time zone, whose rates convert its amounts. */
  rateDays: Period;
  /** The instant until which running timers are counted. */
  now: Date;
  rounding?: Rounding | undefined;
  convertTo?: string | undefined;
};

/** The parts of a request that determine a report's scope. */
export type ScopeQuery = {
  filters: Filters;
  rounding?: Rounding | undefined;
  convertTo?: string | undefined;
  /** The time zone of the days. The default is the workspace's. */
  timezone?: string | undefined;
};

/** Returns the position of a value in the request, to name it in errors. */
export type ErrorSourceOf = (name: keyof Filters | "convert_to") => ErrorSource;

/**
 * Validates a request and returns the scope of its report. Members see their own entries, managers see all. The default
 * period is the last thirty days. Throws what `matching` and `period` throw, and `invalid` `currency_unsupported`.
 */
export async function resolveScope(
  actor: Actor,
  membership: Membership,
  { filters, rounding, convertTo, timezone = membership.timezone }: ScopeQuery,
  sourceOf: ErrorSourceOf,
  now: Date,
): Promise<ReportScope> {
  if (convertTo !== undefined) Currency.requireSupported(convertTo, sourceOf("convert_to"));
  const { from, to, ...others } = filters;
  const days = period({ ...membership, timezone }, { from, to }, sourceOf, now);
  const matches = await matching(actor, membership, others, sourceOf);
  const condition: Condition = (eb) =>
    eb.and([
      matches(eb),
      eb("time_entries.started_at", ">=", days.days[0]?.start ?? days.end),
      eb("time_entries.started_at", "<", days.end),
    ]);
  const rateDays = timezone === membership.timezone ? days : daysTouched(membership, days, sourceOf, now);
  return { workspaceId: membership.workspaceId, condition, period: days, rateDays, now, rounding, convertTo };
}

/** Returns the days in the workspace's time zone that a period of another zone touches. */
function daysTouched(
  membership: Membership,
  { days, end }: Period,
  sourceOf: ErrorSourceOf,
  now: Date,
): Period {
  const from = dayIn(membership.timezone, days[0]?.start ?? end);
  const to = dayIn(membership.timezone, new Date(end.getTime() - 1));
  return period(membership, { from, to }, sourceOf, now);
}
