import type { Actor } from "../base/actor.ts";
import type { ErrorSource } from "../base/invalid.ts";
import * as Currency from "../money/currency.ts";
import { type Condition, type Filters, matching } from "../tracking/time-entries/filters.ts";
import type { Membership } from "../workspace/authorization.ts";
import type { Scope } from "./entries.ts";
import { period } from "./period.ts";
import type { Rounding } from "./rounding.ts";

export type Asked = { filters: Filters; rounding?: Rounding | undefined; convertTo?: string | undefined };

/** Where the parts of a question stand in what was sent. */
export type PlaceOf = (name: keyof Filters | "convert_to") => ErrorSource;

/**
 * Which entries a report is of and how they count: a member's own, for a manager everybody's, as in the list of entries.
 * Without days it is of the last thirty. Throws what `matching` throws, 422 `currency_unsupported` and 422 for a period that
 * is too long.
 */
export async function scope(
  actor: Actor,
  membership: Membership,
  { filters, rounding, convertTo }: Asked,
  placeOf: PlaceOf,
  now: Date,
): Promise<Scope> {
  if (convertTo !== undefined) Currency.requireSupported(convertTo, placeOf("convert_to"));
  const { from, to, ...others } = filters;
  const days = period(membership, { from, to }, placeOf, now);
  const matches = await matching(actor, membership, others, placeOf);
  const condition: Condition = (eb) =>
    eb.and([
      matches(eb),
      eb("time_entries.started_at", ">=", days.days[0]?.start ?? days.end),
      eb("time_entries.started_at", "<", days.end),
    ]);
  return { workspaceId: membership.workspaceId, condition, period: days, now, rounding, convertTo };
}
