import { beforeEach, describe, expect, it } from "vitest";
import { addDays } from "../../base/day.ts";
import { newId } from "../../base/id.ts";
import { db } from "../../platform/db/engine.ts";
import { nbpJson, openBanks, type Table } from "../../testing/bank.ts";
import { owner } from "../../testing/people.ts";
import { clearRates } from "../../testing/rates.ts";
import { converter } from "../convert.ts";
import { auditCorrections } from "./audit-corrections.ts";
import { fetchHistory, yearsPerRun } from "./history.ts";
import { refresh } from "./refresh.ts";

const now = new Date("2026-11-18T17:00:00Z");

beforeEach(async () => {
  await clearRates();
  for (const table of ["time_entries", "events", "workspaces"] as const)
    await db().deleteFrom(table).execute();
});

/** Inserts an entry of one hour at 100 per hour. */
async function entryOn(workspaceId: string, day: string, currency: string, minor = 10_000n): Promise<void> {
  const at = new Date(`${day}T10:00:00Z`);
  await db()
    .insertInto("time_entries")
    .values({
      id: newId("tim", now),
      workspace_id: workspaceId,
      user_id: "usr_1",
      project_id: null,
      description: "",
      started_at: at,
      ended_at: new Date(at.getTime() + 3_600_000),
      duration_seconds: 3600,
      billable: true,
      hourly_rate_minor: minor,
      amount_minor: minor,
      currency,
      tags: JSON.stringify([]),
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Returns a rate for the fifteenth of each month of these years. */
function monthly(from: number, to: number, rates: Record<string, string>): Table {
  const months = Array.from({ length: (to - from + 1) * 12 }, (_, at) => [
    from + Math.floor(at / 12),
    (at % 12) + 1,
  ]);
  const days = months.map(([year, month]) => `${year}-${String(month).padStart(2, "0")}-15`);
  return Object.fromEntries(days.filter((day) => day <= "2026-11-18").map((day) => [day, rates]));
}

const daysOf = async (source: string) =>
  (await db().selectFrom("rates").select("day").where("source", "=", source).orderBy("day").execute()).map(
    ({ day }) => day,
  );

describe("fetchHistory", () => {
  it("fetches rates back to the oldest entry, a few years in each run", async () => {
    await using banks = await openBanks({
      ecb: monthly(2015, 2026, { USD: "1.25" }),
      a: monthly(2015, 2026, { EUR: "4", CLP: "0.005" }),
    });
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    await entryOn(workspaceId, "2018-06-20", "USD");
    const runs = [];
    for (let run = 0; run < 4; run++) runs.push(await fetchHistory(() => true, {}, now));
    expect(runs.map(({ sources }) => sources.map(({ from, outcome }) => `${from} ${outcome}`))).toEqual([
      Array(3).fill("2024-01-01 continues"),
      Array(3).fill("2021-01-01 continues"),
      Array(3).fill("2018-01-01 complete"),
      Array(3).fill("2018-01-01 complete"),
    ]);
    expect(yearsPerRun).toBe(3);
    expect((await daysOf("ECB"))[0]).toBe("2018-01-15");
    expect((await daysOf("NBP-A"))[0]).toBe("2018-01-15");
    expect(await daysOf("ECB")).toHaveLength(107);
    expect(banks.state.requests.filter((path) => path.includes("eurofxref-hist.xml"))).toHaveLength(3);
    const query = { workspaceId, to: "EUR", currencies: ["USD"], from: "2018-06-20", until: "2018-06-20" };
    const { convert } = await converter(query);
    expect(convert({ minor: 10_000n, currency: "USD" }, "2018-06-20")).toMatchObject({
      amount: "80.00",
      rateDate: "2018-06-15",
    });
  });

  it("requests at most 93 days from the National Bank of Poland, without a gap", async () => {
    await using banks = await openBanks();
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    await entryOn(workspaceId, "2025-02-01", "USD");
    await fetchHistory(() => true, {}, now);
    const ranges = banks.state.requests.flatMap((path) => {
      const [, from, to] = /^\/tables\/A\/([\d-]+)\/([\d-]+)\//.exec(path) ?? [];
      return from && to ? [{ from, to }] : [];
    });
    const sorted = ranges.sort((a, b) => (a.from < b.from ? -1 : 1));
    expect([sorted[0]?.from, sorted.at(-1)?.to]).toEqual(["2025-01-01", "2026-11-18"]);
    for (const [at, { from, to }] of sorted.entries()) {
      expect(to <= addDays(from, 92)).toBe(true);
      if (at > 0) expect(from).toBe(addDays(sorted[at - 1]?.to ?? "", 1));
    }
  });

  it("fetches nothing without entries that have an amount in an ENTERPRISE workspace", async () => {
    await using banks = await openBanks();
    const [ada, bob] = [await owner("Ada", "ENTERPRISE"), await owner("Bob", "PRO")];
    await entryOn(ada.workspaceId, "2018-06-20", "USD", 0n);
    await entryOn(bob.workspaceId, "2018-06-20", "USD");
    expect(await fetchHistory(() => true, {}, now)).toMatchObject({ needed: null, sources: [] });
    expect(banks.state.requests).toEqual([]);
  });

  it("stops when the time runs out, and continues with the same year", async () => {
    await using _banks = await openBanks({ ecb: monthly(2024, 2026, { USD: "1.25" }) });
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    await entryOn(workspaceId, "2024-06-20", "USD");
    let left = 2;
    const first = await fetchHistory(() => left-- > 0, {}, now);
    expect(first.sources[0]).toMatchObject({ from: "2026-01-01", outcome: "continues" });
    const second = await fetchHistory(() => true, {}, now);
    expect(second.sources[0]).toMatchObject({ from: "2024-01-01", outcome: "complete" });
    expect(await daysOf("ECB")).toHaveLength(35);
  });

  it("reports a source that fails, keeps its earlier years, and continues with the others", async () => {
    await using banks = await openBanks({ ecb: monthly(2024, 2026, { USD: "1.25" }) });
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    await entryOn(workspaceId, "2025-06-20", "USD");
    banks.state.answers.set("/A/2025", (_request, response) => void response.end("<html>"));
    const { sources } = await fetchHistory(() => true, {}, now);
    expect(sources.map(({ outcome, from }) => `${outcome} ${from}`)).toEqual([
      "complete 2025-01-01",
      "refused 2026-01-01",
      "complete 2025-01-01",
    ]);
    banks.state.answers.clear();
    banks.state.answers.set(
      "/A/2025",
      (_request, response) => void response.end(nbpJson("A", { "2025-03-03": { EUR: "4" } })),
    );
    expect((await fetchHistory(() => true, {}, now)).sources[1]).toMatchObject({ outcome: "complete" });
  });
});

describe("auditCorrections", () => {
  it("records a correction once in the audit log of each workspace that may convert with it", async () => {
    await using banks = await openBanks({ ecb: { "2026-11-16": { USD: "1.25", GBP: "0.8" } } });
    await refresh({}, {}, now);
    const people = {
      inDollars: await owner("Ada", "ENTERPRISE"),
      inPounds: await owner("Bob", "ENTERPRISE"),
      earlier: await owner("Cleo", "ENTERPRISE"),
      smaller: await owner("Dan", "PRO"),
    };
    await entryOn(people.inDollars.workspaceId, "2026-11-18", "USD");
    await entryOn(people.inPounds.workspaceId, "2026-11-18", "GBP");
    await entryOn(people.earlier.workspaceId, "2026-11-12", "USD");
    await entryOn(people.smaller.workspaceId, "2026-11-18", "USD");
    banks.state.ecb = { "2026-11-16": { USD: "1.26", GBP: "0.8" } };
    await refresh({}, {}, now);
    expect(await auditCorrections("run_1", () => false, now)).toMatchObject({
      finished: false,
      workspaces: 0,
    });
    expect(await auditCorrections("run_2", () => true, now)).toEqual({
      corrections: 1,
      workspaces: 1,
      finished: true,
    });
    expect(await auditCorrections("run_3", () => true, now)).toMatchObject({ corrections: 0, workspaces: 0 });
    const rows = await db().selectFrom("events").selectAll().where("action", "=", "rate.corrected").execute();
    expect(rows).toMatchObject([
      {
        workspace_id: people.inDollars.workspaceId,
        actor_type: "job",
        target_id: "USD",
        changes: {
          rate: {
            before: { source: "ECB", day: "2026-11-16", rate: "1.25" },
            after: { source: "ECB", day: "2026-11-16", rate: "1.26" },
          },
        },
      },
    ]);
  });
});
