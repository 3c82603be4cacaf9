import type { MissingRate } from "@svc/client";
import { plainDay } from "../../base/format.ts";
import { messages } from "./messages.ts";

/** Says which entries of a report could not be converted, if any. */
export function MissingRates({ missingRates = [] }: { missingRates?: readonly MissingRate[] | undefined }) {
  if (missingRates.length === 0) return null;
  return (
    <section aria-label={messages.missing.label} className="notice">
      <p>{messages.missing.title}</p>
      <ul>
        {missingRates.map((missing) => (
          <li key={missing.currency}>{sentence(missing)}</li>
        ))}
      </ul>
    </section>
  );
}

function sentence({ currency, from, to, entries }: MissingRate): string {
  const count = messages.entryCount(entries);
  return from === to
    ? messages.missing.onDay(count, currency, plainDay(from))
    : messages.missing.inRange(count, currency, plainDay(from), plainDay(to));
}
