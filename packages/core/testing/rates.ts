import { db } from "../platform/db/engine.ts";
import { unlimited } from "./dsql.ts";

/** Deletes all rates and what `refresh-rates` remembers of its runs, as if no bank was ever reached. */
export async function clearRates(): Promise<void> {
  await unlimited(async () => {
    for (const table of [
      "rates",
      "rate_corrections",
      "rate_histories",
      "quarantined_rates",
      "rate_feeds",
    ] as const)
      await db().deleteFrom(table).execute();
    await db().deleteFrom("job_cursors").where("job", "=", "refresh-rates").execute();
  });
}
