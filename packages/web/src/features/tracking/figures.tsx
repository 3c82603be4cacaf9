import type { Money } from "@svc/client";
import { hours, percent, roundMoney } from "../../base/format.ts";
import { Change, type Figure } from "../../ui/figures.tsx";
import { messages } from "./messages.ts";

/** The totals of a report. */
export type Totals = {
  durationSeconds: number;
  billableSeconds: number;
  amounts?: readonly Money[] | undefined;
  converted?: Money | null | undefined;
  convertedKnown?: Money | undefined;
};

/** The billable share of totals, compared with those of an earlier period, which `note` names. */
export function billableFigure(totals: Totals, before: Totals | undefined, note: string): Figure {
  const share = shareOf(totals);
  const earlier = before && shareOf(before);
  // Points are the difference of what is shown: whole percents.
  const points =
    share === undefined || earlier === undefined
      ? undefined
      : Math.round(share * 100) - Math.round(earlier * 100);
  return {
    label: messages.billable,
    value: share === undefined ? messages.none : percent(share),
    note:
      points === undefined ? (
        messages.billableHours(hours(totals.billableSeconds))
      ) : (
        <>
          <Change good value={points} text={messages.points(Math.abs(points))} /> {note}
        </>
      ),
  };
}

function shareOf({ billableSeconds, durationSeconds }: Totals): number | undefined {
  return durationSeconds === 0 ? undefined : billableSeconds / durationSeconds;
}

/**
 * The amounts of totals: one sum where there is one currency or a conversion to `currency`, otherwise one for each currency.
 * Amounts in different currencies are never added.
 */
export function amountFigure(totals: Totals, currency: string): Figure {
  const amounts = (totals.amounts ?? []).filter(({ amount }) => Number(amount) !== 0);
  const label = messages.billableAmount;
  const [only] = amounts;
  if (amounts.length === 0)
    return { label, value: roundMoney({ amount: "0", currency }), note: messages.noBillableTime };
  const note = messages.billableHours(hours(totals.billableSeconds));
  if (only && amounts.length === 1) return { label, value: roundMoney(only), note };
  if (totals.converted)
    return { label, value: roundMoney(totals.converted), note: messages.converted(currency) };
  if (totals.convertedKnown)
    return { label, value: roundMoney(totals.convertedKnown), note: messages.partlyConverted(currency) };
  return { label, value: amounts.map(roundMoney), note };
}
