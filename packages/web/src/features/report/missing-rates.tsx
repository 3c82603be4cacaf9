import type { MissingRate } from "@svc/client";
import { number, plainDay } from "../../base/format.ts";

/** Says which entries of a report could not be converted, if any. */
export function MissingRates({ missingRates = [] }: { missingRates?: readonly MissingRate[] | undefined }) {
  if (missingRates.length === 0) return null;
  return (
    <section aria-label="Missing exchange rates">
      <p>Some entries have no exchange rate, so the converted totals are incomplete:</p>
      <ul>
        {missingRates.map((missing) => (
          <li key={missing.currency}>{sentence(missing)}</li>
        ))}
      </ul>
    </section>
  );
}

function sentence({ currency, from, to, entries }: MissingRate): string {
  const days = from === to ? `on ${plainDay(from)}` : `from ${plainDay(from)} to ${plainDay(to)}`;
  return `${number(entries)} ${entries === 1 ? "entry" : "entries"} in ${currency} ${days}`;
}
