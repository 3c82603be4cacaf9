import { db } from "@svc/core/platform/db/engine";
import { expect, test } from "vitest";
import { topUp } from "./demo-rates.ts";

async function storedDays(source: string) {
  const rows = await db()
    .selectFrom("rates")
    .select(["day", "rate"])
    .where("source", "=", source)
    .where("code", "=", "USD")
    .orderBy("day")
    .execute();
  return rows.map(({ day }) => day);
}

test("topUp stores rates of the working days of 60 days, continues them later, and leaves those of a bank alone", async () => {
  const bank = { source: "NBP-A", code: "USD", day: "2026-06-01", rate: "3.7", document: "105/A/NBP/2026" };
  await db()
    .insertInto("rates")
    .values({ ...bank, fetched_at: new Date("2026-06-01") })
    .execute();
  await topUp(new Date("2026-06-05T12:00:00Z"));
  const first = await storedDays("ECB");
  expect([first[0], first.at(-1), first.length]).toEqual(["2026-04-06", "2026-06-05", 45]);
  await topUp(new Date("2026-06-09T12:00:00Z"));
  expect((await storedDays("ECB")).slice(first.length)).toEqual(["2026-06-08", "2026-06-09"]);
  expect(await storedDays("NBP-A")).toEqual(["2026-06-01"]);
  const { corrected } = await db()
    .selectFrom("rate_corrections")
    .select(({ fn }) => fn.countAll<bigint>().as("corrected"))
    .executeTakeFirstOrThrow();
  expect(Number(corrected)).toBe(0);
});
