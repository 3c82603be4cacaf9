import type { Selectable } from "kysely";
import * as z from "zod/mini";
import { invalid } from "../../base/invalid.ts";
import * as Money from "../../money/money.ts";
import * as Rational from "../../money/rational.ts";
import type { Projects } from "../../platform/db/schema.ts";

/** The alert threshold, in percent of the budget, of a budget without its own. */
export const defaultAlertPercent = 75;

/** Hours have two decimal places, so every budget is a whole number of seconds. */
const hourDigits = 2;
const secondsPerHundredth = 36n;

const pointer = "/budget/amount";

/** A decimal number as a string or a JSON number, which is read by its shortest decimal form. */
export const Decimal = z.pipe(
  z.union([
    z.string().check(z.meta({ pattern: "^\\d{1,9}(?:\\.\\d{1,4})?$", examples: ["12.50"] })),
    z.number().check(z.meta({ minimum: 0, maximum: 999_999_999.9999 })),
  ]),
  z.pipe(
    z.transform(String),
    z.string().check(z.regex(/^\d{1,9}(?:\.\d{1,4})?$/, "Must be a decimal number such as 12.50.")),
  ),
);

export const types = ["money", "hours"] as const;
export const periods = ["total", "month"] as const;

/** A budget in a request. `amount` is money in the project's currency, or hours. */
export const Input = z.object({
  type: z.enum(types),
  amount: Decimal,
  period: z.optional(z.enum(periods)),
  alertThresholdPercent: z.optional(z.int().check(z.gte(1), z.lte(100))),
});
export type Input = z.infer<typeof Input>;

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

/** Returns the columns of a budget, or of no budget. Throws `invalid` for a zero amount and for too many decimal places. */
export function columns(input: Input | null, currency: string): Columns {
  if (!input)
    return { budget_type: null, budget_amount: null, budget_period: null, budget_alert_percent: null };
  const { type, period = "total", alertThresholdPercent = defaultAlertPercent } = input;
  const amount =
    type === "hours" ? secondsFrom(input.amount) : Money.parse(input.amount, currency, pointer).minor;
  if (amount === 0n) throw invalid({ pointer }, "too_small", "Budget must be greater than zero.");
  return {
    budget_type: type,
    budget_amount: amount,
    budget_period: period,
    budget_alert_percent: alertThresholdPercent,
  };
}

/** Returns the budget of a project row, or null. */
export function view(row: Columns & { currency: string }): View | null {
  if (row.budget_type === null || row.budget_amount === null) return null;
  const type = row.budget_type as View["type"];
  return {
    type,
    amount: formatAmount(row.budget_amount, type, row.currency),
    period: row.budget_period as View["period"],
    alertThresholdPercent: row.budget_alert_percent ?? defaultAlertPercent,
  };
}

/** Formats minor units, or seconds as hours with two decimal places, rounded down. */
export function formatAmount(value: bigint, type: View["type"], currency: string): string {
  return type === "hours"
    ? Rational.formatUnits(value / secondsPerHundredth, hourDigits)
    : Money.view({ minor: value, currency }).amount;
}

function secondsFrom(hours: string): bigint {
  const { n, d } = Rational.parse(hours);
  const hundredths = n * 100n;
  if (hundredths % d !== 0n)
    throw invalid({ pointer }, "amount_too_precise", "Hours can have at most 2 decimal places.");
  return (hundredths / d) * secondsPerHundredth;
}
