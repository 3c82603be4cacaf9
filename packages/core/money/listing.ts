import * as z from "zod/mini";
import * as Clock from "../base/clock.ts";
import { CurrencyCode } from "../base/currency-code.ts";
import { addDays, Day, dayIn, daysBetween } from "../base/day.ts";
import { invalid } from "../base/invalid.ts";
import { db } from "../platform/db/engine.ts";
import * as Currency from "./currency.ts";
import { loadRates } from "./load-rates.ts";
import * as Override from "./override.ts";
import { formatRate, rateSources, selectRate } from "./rate-selection.ts";

/** The longest range of days in one response. */
export const maxDays = 366;

const defaultDays = 30;

/**
 * A currency and its rate today: `rate` units of it for one unit of the workspace's base currency, with the document or
 * override that it comes from. `stale` means that the bank should have published a newer rate by now.
 */
export const Listed = z.object({
  code: z.string(),
  numericCode: z.string(),
  name: z.string(),
  symbol: z.string(),
  minorUnits: z.int(),
  /** The code of the currency that replaced this one at a fixed rate, with the last day of its use; null while it exists. */
  replacedBy: z.nullable(z.string()),
  lastDay: z.nullable(Day),
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
  meta: z.object({ base: CurrencyCode, count: z.int() }),
});
export type List = z.infer<typeof List>;

/** The rate of one day, published by a bank or set by the workspace's override. */
export const DatedRate = z.object({
  rate: z.string(),
  rateDate: Day,
  rateSource: z.enum(rateSources),
  rateDocument: z.nullable(z.string()),
  overridden: z.boolean(),
});
export type DatedRate = z.infer<typeof DatedRate>;

export const History = z.object({
  data: z.array(DatedRate),
  /** All of the workspace's overrides of this currency, including those outside the range. */
  overrides: z.array(Override.Stored),
  meta: z.object({ base: CurrencyCode, code: z.string(), from: Day, to: Day, count: z.int() }),
});
export type History = z.infer<typeof History>;

/** A range of days, both inclusive. The default is the last thirty days up to today. */
export const Span = z.object({ from: z.optional(Day), to: z.optional(Day) });
export type Span = z.infer<typeof Span>;

/**
 * Lists the supported currencies, and those that the euro replaced, by code, each with its rate today in the workspace's time zone. Rates that are too old to
 * convert with are included as stale.
 */
export async function list({ workspaceId }: { workspaceId: string }, now: Date = Clock.now()): Promise<List> {
  const { base, today } = await workspaceOf(workspaceId, now);
  const rates = await loadRates(db(), { workspaceId, from: today, until: today }, true);
  const data = Currency.knownCodes.map((code): Listed => {
    const selected =
      selectRate(rates, base, code, today) ?? selectRate(rates, base, code, today, Number.POSITIVE_INFINITY);
    return {
      ...Currency.describe(code),
      rate: selected ? formatRate(selected.rate) : null,
      rateDate: selected?.day ?? null,
      rateSource: selected?.source ?? null,
      rateDocument: selected?.document ?? null,
      overridden: selected?.source === "override",
      stale: selected?.stale ?? true,
    };
  });
  return { data, meta: { base, count: data.length } };
}

/**
 * Lists the rates of one currency, oldest first: one for each day on which a bank published it or an override covers it.
 * Throws `missing` `currency_not_found`, and `invalid` when the range is reversed or longer than `maxDays`.
 */
export async function history(
  { workspaceId }: { workspaceId: string },
  code: string,
  span: Span,
  now: Date = Clock.now(),
): Promise<History> {
  if (!Currency.isKnown(code)) throw Currency.notFound();
  const { base, today } = await workspaceOf(workspaceId, now);
  const to = span.to ?? today;
  const from = span.from ?? addDays(to, 1 - defaultDays);
  const length = daysBetween(from, to) + 1;
  if (length < 1) throw outOfRange("The first day must not be after the last day.");
  if (length > maxDays) throw outOfRange(`The range must be at most ${maxDays} days.`);
  const rates = await loadRates(db(), { workspaceId, currencies: [code, base], from, until: to });
  const data = Array.from({ length }, (_, at) => addDays(from, at)).flatMap((day): DatedRate[] => {
    const selected = selectRate(rates, base, code, day);
    const overridden = selected?.source === "override";
    if (!selected || (selected.day !== day && !overridden)) return [];
    const { source: rateSource, document: rateDocument } = selected;
    return [{ rate: formatRate(selected.rate), rateDate: day, rateSource, rateDocument, overridden }];
  });
  const overrides = await Override.list(db(), workspaceId, code);
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

function outOfRange(detail: string) {
  return invalid({ parameter: "from" }, "out_of_range", detail);
}
