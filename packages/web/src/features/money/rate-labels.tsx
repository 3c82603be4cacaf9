import type { Currency } from "@svc/client";
import type { RateSource } from "@svc/core/money/rate-selection";

/** Display names of the sources of exchange rates. */
export const sourceNames: Readonly<Record<RateSource, string>> = {
  ECB: "European Central Bank",
  "NBP-A": "National Bank of Poland, table A",
  "NBP-B": "National Bank of Poland, table B",
  override: "This workspace",
  fixed: "Fixed",
};

/** Marks a currency that ended, and a rate that the workspace overrides or that is older than it should be. */
export function RateBadges({
  overridden,
  stale,
  replacedBy,
}: Pick<Currency, "overridden" | "stale"> & { replacedBy?: string | null }) {
  return (
    <>
      {replacedBy && <span className="badge">replaced by {replacedBy}</span>}
      {overridden && <span className="badge">overridden</span>}
      {stale && (
        <span className="badge" data-look="bad" title="The central bank should have published a newer rate.">
          stale
        </span>
      )}
    </>
  );
}
