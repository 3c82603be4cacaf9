import type { Listed } from "@svc/core/money/listing";
import type { RateSource } from "@svc/core/money/rate-selection";

/** Where a rate comes from, as people call it. */
export const sourceNames: Readonly<Record<RateSource, string>> = {
  ECB: "European Central Bank",
  "NBP-A": "National Bank of Poland, table A",
  "NBP-B": "National Bank of Poland, table B",
  override: "this workspace",
  fixed: "fixed",
};

/** What is special about a rate: the workspace's own, or older than it should be. */
export function RateState({ overridden, stale }: Pick<Listed, "overridden" | "stale">) {
  return (
    <>
      {overridden && <span className="badge">overridden</span>}
      {stale && (
        <span className="badge" data-look="bad" title="The bank should have published a newer one by now.">
          stale
        </span>
      )}
    </>
  );
}
