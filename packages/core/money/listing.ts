import * as z from "zod/mini";
import * as Clock from "../base/clock.ts";
import { Day, dayIn, daysFrom, shifted } from "../base/day.ts";
import { Fault } from "../base/fault.ts";
import { db } from "../platform/db/engine.ts";

import { choose, rateSources, written } from "./choice.ts";
import * as Currency from "./currency.ts";
import * as Override from "./override.ts";
import * as Books from "./rate-tables.ts";

/** How many days of rates one answer may span. */
export const maxDays = 366;

const defaultDays = 30;

/**
 * A currency and what it is worth today: `rate` units of it for one of the workspace's base currency, by the document or
 * override named with it. `stale`: the bank should have published a newer one by now.
 */
export const Listed = z.object({
  code: z.string(),
  numericCode: z.string(),
  name: z.string(),
  symbol: z.string(),
  minorUnits: z.int(),
  rate: z.nullable(z.string()),
  rateDate: z.nullable(Day),
  rateSource: z.nullable(z.enum(rateSources)),
  rateDocument: z.nullable(z.string()),
  overridden: z.boolean(),
  stale: z.boolean(),
});
export type Listed = z.infer<typeof Listed>;

export const List = z.object({
  data: z.array(Listed),
  meta: z.object({ base: z.string(), count: z.int() }),
});
export type List = z.infer<typeof List>;

/** A rate that a bank published for a day, or that the workspace's override sets on it. */
export const Dated = z.object({
  rate: z.string(),
  rateDate: Day,
  rateSource: z.enum(rateSources),
  rateDocument: z.nullable(z.string()),
  overridden: z.boolean(),
});
export type Dated = z.infer<typeof Dated>;

export const History = z.object({
  data: z.array(Dated),
  /** All that the workspace has of this currency, also for days outside the span. */
  overrides: z.array(Override.View),
  meta: z.object({ base: z.string(), code: z.string(), from: Day, to: Day, count: z.int() }),
});
export type History = z.infer<typeof History>;

/** Both days inclusive; without them the last thirty days up to today. */
export const Span = z.object({ from: z.optional(Day), to: z.optional(Day) });
export type Span = z.infer<typeof Span>;

/**
 * Every currency that is offered, by code, with its rate of today in the workspace's time zone. A rate too old to convert
 * with is still shown, as stale.
 */
export async function list({ workspaceId }: { workspaceId: string }, now: Date = Clock.now()): Promise<List> {
  const { base, today } = await workspaceOf(workspaceId, now);
  const books = await Books.open(db(), { workspaceId, from: today, until: today }, true);
  const data = Currency.codes.map((code): Listed => {
    const chosen =
      choose(books, base, code, today) ?? choose(books, base, code, today, Number.POSITIVE_INFINITY);
    return {
      ...Currency.describe(code),
      rate: chosen ? written(chosen.rate) : null,
      rateDate: chosen?.day ?? null,
      rateSource: chosen?.source ?? null,
      rateDocument: chosen?.document ?? null,
      overridden: chosen?.source === "override",
      stale: chosen?.stale ?? true,
    };
  });
  return { data, meta: { base, count: data.length } };
}

/**
 * The rates of one currency, oldest first: one for each day on which it was published, and for each day that an override
 * covers. Throws 404 `currency_not_found`, and 422 for a span that ends before it begins or is longer than `maxDays`.
 */
export async function history(
  { workspaceId }: { workspaceId: string },
  code: string,
  span: Span,
  now: Date = Clock.now(),
): Promise<History> {
  if (!Currency.isListed(code)) throw Override.missing();
  const { base, today } = await workspaceOf(workspaceId, now);
  const to = span.to ?? today;
  const from = span.from ?? shifted(to, 1 - defaultDays);
  const length = daysFrom(from, to) + 1;
  if (length < 1) throw outOfRange("from", "The first day is after the last.");
  if (length > maxDays) throw outOfRange("from", `At most ${maxDays} days in one answer.`);
  const books = await Books.open(db(), { workspaceId, currencies: [code, base], from, until: to });
  const data = Array.from({ length }, (_, at) => shifted(from, at)).flatMap((day): Dated[] => {
    const chosen = choose(books, base, code, day);
    const overridden = chosen?.source === "override";
    if (!chosen || (chosen.day !== day && !overridden)) return [];
    const rate = written(chosen.rate);
    return [{ rate, rateDate: day, rateSource: chosen.source, rateDocument: chosen.document, overridden }];
  });
  const overrides = await Override.views(db(), workspaceId, code);
  return { data, overrides, meta: { base, code, from, to, count: data.length } };
}

async function workspaceOf(workspaceId: string, now: Date): Promise<{ base: string; today: Day }> {
  const { base_currency, timezone } = await db()
    .selectFrom("workspaces")
    .select(["base_currency", "timezone"])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return { base: base_currency, today: dayIn(timezone, now) };
}

function outOfRange(parameter: string, detail: string): Fault {
  return new Fault("invalid", "invalid_input", "Some values cannot be taken. See errors.", {
    errors: [{ parameter, code: "out_of_range", detail }],
  });
}
