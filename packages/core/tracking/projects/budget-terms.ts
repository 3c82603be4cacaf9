import type { Selectable } from "kysely";
import * as z from "zod/mini";
import { invalid } from "../../base/invalid.ts";
import * as Money from "../../money/money.ts";
import * as Rational from "../../money/rational.ts";
import type { Projects } from "../../platform/db/schema.ts";

/** A warning is due when this much of a budget is spent, unless the project says otherwise. */
export const defaultAlertPercent = 75;

/** Hours have two digits after the point, so that every budget is a whole number of seconds. */
const hourDigits = 2;
const secondsPerHundredth = 36n;

const pointer = "/budget/amount";

/** A decimal number as people send it; a JSON number is taken by its shortest decimal form, digit by digit. */
export const Decimal = z.pipe(
  z.union([z.string(), z.number()]),
  z.pipe(
    z.transform(String),
    z.string().check(z.regex(/^\d{1,9}(?:\.\d{1,4})?$/, "Not a decimal number such as 12.50.")),
  ),
);

export const types = ["money", "hours"] as const;
export const periods = ["total", "month"] as const;

/** A budget as people set it: `amount` in the project's currency, or hours. */
export const Terms = z.object({
  type: z.enum(types),
  amount: Decimal,
  period: z.optional(z.enum(periods)),
  alertThresholdPercent: z.optional(z.int().check(z.gte(1), z.lte(100))),
});
export type Terms = z.infer<typeof Terms>;

export const View = z.object({
  type: z.enum(types),
  amount: z.string(),
  period: z.enum(periods),
  alertThresholdPercent: z.int(),
});
export type View = z.infer<typeof View>;

type Columns = Pick<
  Selectable<Projects>,
  "budget_type" | "budget_amount" | "budget_period" | "budget_alert_percent"
>;

/** The columns of a budget, or of none. Throws 422 for an amount of nothing and one with too many places. */
export function columns(terms: Terms | null, currency: string): Columns {
  if (!terms)
    return { budget_type: null, budget_amount: null, budget_period: null, budget_alert_percent: null };
  const { type, period = "total", alertThresholdPercent = defaultAlertPercent } = terms;
  const value = type === "hours" ? seconds(terms.amount) : Money.parse(terms.amount, currency, pointer).minor;
  if (value === 0n) throw invalid({ pointer }, "too_small", "A budget is more than nothing.");
  return {
    budget_type: type,
    budget_amount: value,
    budget_period: period,
    budget_alert_percent: alertThresholdPercent,
  };
}

/** The budget of a project's row, or null. */
export function view(row: Columns & { currency: string }): View | null {
  if (row.budget_type === null || row.budget_amount === null) return null;
  const type = row.budget_type as View["type"];
  return {
    type,
    amount: written(row.budget_amount, type, row.currency),
    period: row.budget_period as View["period"],
    alertThresholdPercent: row.budget_alert_percent ?? defaultAlertPercent,
  };
}

/** Minor units, or seconds, as a decimal string; seconds as hundredths of an hour, cut off. */
export function written(value: bigint, type: View["type"], currency: string): string {
  return type === "hours"
    ? Rational.formatUnits(value / secondsPerHundredth, hourDigits)
    : Money.view({ minor: value, currency }).amount;
}

function seconds(hours: string): bigint {
  const { n, d } = Rational.parse(hours);
  const hundredths = n * 100n;
  if (hundredths % d !== 0n)
    throw invalid({ pointer }, "amount_too_precise", "Hours have two decimal places at most.");
  return (hundredths / d) * secondsPerHundredth;
}
