import type { Currency } from "@svc/client";
import { messages } from "./messages.ts";

/** Marks a currency that ended, and a rate that the workspace overrides or that is older than it should be. */
export function RateBadges({
  overridden,
  stale,
  replacedBy,
}: Pick<Currency, "overridden" | "stale"> & { replacedBy?: string | null }) {
  return (
    <>
      {replacedBy && <span className="badge">{messages.replacedBy(replacedBy)}</span>}
      {overridden && <span className="badge">{messages.overridden}</span>}
      {stale && (
        <span className="badge" data-look="bad" title={messages.staleHint}>
          {messages.stale}
        </span>
      )}
    </>
  );
}
