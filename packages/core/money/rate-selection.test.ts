import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../base/day.ts";
import {
  type AvailableRates,
  formatRate,
  maxAgeDays,
  type Override,
  oldestUsableDay,
  type RateTable,
  rateTable,
  type Source,
  selectRate,
  sources,
} from "./rate-selection.ts";
import * as Rational from "./rational.ts";
import { snapshot } from "./snapshot.ts";

/** Rates by day and currency. */
type Days = Record<string, Record<string, string>>;

const empty = { ECB: [], "NBP-A": [], "NBP-B": [] };

function ratesFrom(
  tables: Partial<Record<Source, Days>>,
  overrides: Override[] = [],
  fetched?: Source[],
): AvailableRates {
  const published: Record<Source, RateTable[]> = { ECB: [], "NBP-A": [], "NBP-B": [] };
  for (const source of sources)
    published[source] = Object.entries(tables[source] ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, rates]) => rateTable(source, day, `${source} ${day}`, Object.entries(rates)));
  const has = sources.filter((source) => published[source].length > 0);
  return { published, fetched: new Set(fetched ?? has), snapshot: empty, overrides };
}

const override = (
  currency: string,
  base: string,
  rate: string,
  validFrom: string,
  validTo: string | null = null,
) => ({
  currency,
  base,
  rate: Rational.parse(rate),
  validFrom,
  validTo,
});

const summaryOf = (selected: ReturnType<typeof selectRate>) =>
  selected && [formatRate(selected.rate), selected.day, selected.source];

const tables = {
  ECB: { "2026-03-02": { USD: "1.25", GBP: "0.8", PLN: "4" }, "2026-03-04": { USD: "1.28", GBP: "0.8" } },
  "NBP-A": {
    "2026-03-02": { EUR: "4.2", USD: "3.5", CLP: "0.004" },
    "2026-03-04": { EUR: "4.3", USD: "3.6", CLP: "0.005" },
    "2026-03-06": { EUR: "4.4", USD: "3.7", CLP: "0.006" },
  },
  "NBP-B": { "2026-03-04": { KWD: "12", BHD: "9.6" } },
};

describe("selectRate", () => {
  test.each([
    // The table's own day, a day between two tables, before the first, after the last.
    ["EUR", "USD", "2026-03-02", ["1.25", "2026-03-02", "ECB"]],
    ["EUR", "USD", "2026-03-03", ["1.25", "2026-03-02", "ECB"]],
    ["EUR", "USD", "2026-03-04", ["1.28", "2026-03-04", "ECB"]],
    ["EUR", "USD", "2026-03-01", undefined],
    ["EUR", "USD", "2026-03-18", ["1.28", "2026-03-04", "ECB"]],
    // 15 days after the last ECB table but within 14 days of the NBP table, then past both.
    ["EUR", "USD", "2026-03-19", ["1.18918918918919", "2026-03-06", "NBP-A"]],
    ["EUR", "USD", "2026-03-20", ["1.18918918918919", "2026-03-06", "NBP-A"]],
    ["EUR", "USD", "2026-03-21", undefined],
    // Both currencies come from one table.
    ["USD", "GBP", "2026-03-04", ["0.625", "2026-03-04", "ECB"]],
    ["GBP", "USD", "2026-03-04", ["1.6", "2026-03-04", "ECB"]],
    // The newest ECB table has no zloty, so the one before it is used.
    ["USD", "PLN", "2026-03-05", ["3.2", "2026-03-02", "ECB"]],
    // The ECB has no Chilean peso, so both currencies come from the NBP.
    ["USD", "CLP", "2026-03-04", ["720", "2026-03-04", "NBP-A"]],
    ["PLN", "CLP", "2026-03-07", ["166.666666666667", "2026-03-06", "NBP-A"]],
    // Table B is in zlotys; euros come from table A of the same day.
    ["KWD", "PLN", "2026-03-10", ["12", "2026-03-04", "NBP-B"]],
    ["KWD", "BHD", "2026-03-10", ["1.25", "2026-03-04", "NBP-B"]],
    ["EUR", "KWD", "2026-03-10", ["0.358333333333333", "2026-03-04", "NBP-B"]],
    ["KWD", "EUR", "2026-03-03", undefined],
    ["KWD", "EUR", "2026-03-19", undefined],
    // No source has the hryvnia.
    ["EUR", "UAH", "2026-03-04", undefined],
    // A currency to itself.
    ["USD", "USD", "2026-03-04", ["1", "2026-03-04", "fixed"]],
    ["EUR", "EUR", "2026-03-03", ["1", "2026-03-03", "fixed"]],
    ["KWD", "KWD", "2025-01-01", ["1", "2025-01-01", "fixed"]],
  ])("selects the rate of %s to %s on %s", (from, to, day, expected) =>
    expect(summaryOf(selectRate(ratesFrom(tables), from, to, day))).toEqual(expected),
  );

  test.each([
    ["uses a published rate on its own day", 0, true],
    ["uses a published rate at its maximum age", maxAgeDays, true],
    ["ignores a published rate above its maximum age", maxAgeDays + 1, false],
    ["ignores a published rate on the day before", -1, false],
  ])("%s (day %i)", (_, age, used) => {
    const rates = ratesFrom({ ECB: { "2026-03-02": { USD: "1.25" } } });
    const selected = selectRate(rates, "EUR", "USD", addDays("2026-03-02", age));
    expect(selected?.day).toBe(used ? "2026-03-02" : undefined);
  });

  test("bridges table B with a table A that is exactly 14 days old, but not with an older one", () => {
    const rates = ratesFrom({
      "NBP-A": { "2026-03-02": { EUR: "4" } },
      "NBP-B": { "2026-03-04": { KWD: "12" } },
    });
    const dayOf = (age: number) => selectRate(rates, "KWD", "EUR", addDays("2026-03-02", age))?.day;
    expect(dayOf(maxAgeDays)).toBe("2026-03-04");
    expect(dayOf(maxAgeDays + 1)).toBeUndefined();
  });

  test("uses the next source when the first one lacks a currency", () => {
    const both = ratesFrom({
      ECB: { "2026-03-04": { USD: "1.28" } },
      "NBP-A": { "2026-03-03": { USD: "3.6", CZK: "0.18" } },
    });
    expect(summaryOf(selectRate(both, "USD", "CZK", "2026-03-04"))).toEqual(["20", "2026-03-03", "NBP-A"]);
  });

  test("bridges table B with the European Central Bank when table A is missing", () => {
    const only = ratesFrom({ ECB: { "2026-03-04": { PLN: "4" } }, "NBP-B": { "2026-03-04": { KWD: "12" } } });
    expect(summaryOf(selectRate(only, "KWD", "EUR", "2026-03-05"))).toEqual(["3", "2026-03-04", "NBP-B"]);
  });

  test("never bridges table B with a newer table", () => {
    const later = ratesFrom({
      "NBP-A": { "2026-03-05": { EUR: "4" } },
      "NBP-B": { "2026-03-04": { KWD: "12" } },
    });
    expect(selectRate(later, "KWD", "EUR", "2026-03-05")).toBeUndefined();
  });

  test("selects the newest table that is neither newer than the day nor more than 14 days older", () => {
    const day = fc.integer({ min: 0, max: 60 }).map((n) => addDays("2026-01-01", n));
    fc.assert(
      fc.property(fc.uniqueArray(day, { maxLength: 12 }), day, (days, asked) => {
        const selected = selectRate(
          ratesFrom({ ECB: Object.fromEntries(days.map((one) => [one, { USD: "1.1" }])) }, [], ["ECB"]),
          "EUR",
          "USD",
          asked,
        );
        const usable = days.filter((one) => one <= asked && one >= addDays(asked, -14)).sort();
        expect(selected?.day).toBe(usable.at(-1));
      }),
    );
  });

  test("combines no values of two days through a table that has neither currency", () => {
    const apart = ratesFrom({
      "NBP-A": { "2026-03-02": { USD: "3.5" }, "2026-03-04": { EUR: "4.3" } },
      "NBP-B": { "2026-03-04": { KWD: "12" } },
    });
    expect(selectRate(apart, "EUR", "USD", "2026-03-05")).toBeUndefined();
    expect(selectRate(apart, "BGN", "USD", "2026-03-05")).toBeUndefined();
  });

  test("returns an exact cross rate, and its inverse for the opposite direction", () => {
    const rate = fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 9999 }));
    fc.assert(
      fc.property(rate, rate, ([a, b], [c, d]) => {
        const [usd, gbp] = [`${a}.${String(b).padStart(4, "0")}`, `${c}.${String(d).padStart(4, "0")}`];
        const there = ratesFrom({ ECB: { "2026-03-04": { USD: usd, GBP: gbp } } });
        const [to, back] = [
          selectRate(there, "USD", "GBP", "2026-03-04"),
          selectRate(there, "GBP", "USD", "2026-03-04"),
        ];
        if (!to || !back) throw new Error("no rate");
        expect(Rational.compare(to.rate, { n: BigInt(c * 10_000 + d), d: BigInt(a * 10_000 + b) })).toBe(0);
        expect(Rational.compare(Rational.times(to.rate, back.rate), Rational.one)).toBe(0);
      }),
    );
  });
});

describe("selectRate for currencies that the euro replaced", () => {
  test.each([
    ["EUR", "BGN", "2026-03-04", ["1.95583", "2026-03-04", "fixed"]],
    ["HRK", "EUR", "2026-03-04", ["0.132722808414626", "2026-03-04", "fixed"]],
    ["BGN", "USD", "2026-03-04", ["0.65445360793116", "2026-03-04", "ECB"]],
    ["BGN", "KWD", "2026-03-04", ["0.183212924095312", "2026-03-04", "NBP-B"]],
    ["BGN", "HRK", "2024-01-01", ["3.85232867887291", "2024-01-01", "fixed"]],
    ["EUR", "HRK", "2024-01-01", ["7.5345", "2024-01-01", "fixed"]],
    ["BGN", "USD", "2024-01-01", undefined],
  ])("selects the rate of %s to %s on %s", (from, to, day, expected) => {
    expect(summaryOf(selectRate(ratesFrom(tables), from, to, day))).toEqual(expected);
  });
});

describe("selectRate with an override", () => {
  const overrides = [
    override("USD", "EUR", "2", "2026-03-03"),
    override("USD", "EUR", "3", "2026-03-10", "2026-03-12"),
    override("KWD", "EUR", "0.5", "2026-03-04", "2026-03-05"),
  ];
  const selected = (from: string, to: string, day: string) =>
    summaryOf(selectRate(ratesFrom(tables, overrides), from, to, day));

  test.each([
    [
      "uses the published rate before the first day",
      "EUR",
      "USD",
      "2026-03-02",
      ["1.25", "2026-03-02", "ECB"],
    ],
    ["uses the override on its first day", "EUR", "USD", "2026-03-03", ["2", "2026-03-03", "override"]],
    ["inverts the override", "USD", "EUR", "2026-03-03", ["0.5", "2026-03-03", "override"]],
    ["prefers the override that began last", "EUR", "USD", "2026-03-10", ["3", "2026-03-10", "override"]],
    ["uses the override on its last day", "EUR", "USD", "2026-03-12", ["3", "2026-03-10", "override"]],
    [
      "returns to the earlier override afterwards",
      "EUR",
      "USD",
      "2026-03-13",
      ["2", "2026-03-03", "override"],
    ],
    [
      "needs no published rate for the base currency",
      "EUR",
      "USD",
      "2027-01-01",
      ["2", "2026-03-03", "override"],
    ],
    [
      "combines the override with a published rate",
      "USD",
      "GBP",
      "2026-03-04",
      ["0.4", "2026-03-03", "override"],
    ],
    ["has no rate when the published part is missing", "USD", "UAH", "2026-03-04", undefined],
    ["combines two overrides", "USD", "KWD", "2026-03-05", ["0.25", "2026-03-04", "override"]],
    ["dates them from the later one", "KWD", "USD", "2026-03-05", ["4", "2026-03-04", "override"]],
    [
      "uses the published rate after the last day",
      "EUR",
      "KWD",
      "2026-03-06",
      ["0.358333333333333", "2026-03-04", "NBP-B"],
    ],
    [
      "ignores the override for a currency to itself",
      "USD",
      "USD",
      "2026-03-04",
      ["1", "2026-03-04", "fixed"],
    ],
    ["ignores an override of another currency", "EUR", "GBP", "2026-03-04", ["0.8", "2026-03-04", "ECB"]],
  ])("%s: %s to %s on %s", (_, from, to, day, expected) => expect(selected(from, to, day)).toEqual(expected));

  test("prefers the override that began last in whatever order they are listed", () => {
    const day = (rates: Override[]) => selectRate(ratesFrom({}, rates), "EUR", "USD", "2026-03-10")?.day;
    expect(day(overrides)).toBe("2026-03-10");
    expect(day(overrides.toReversed())).toBe("2026-03-10");
  });

  test.each([
    ["USD", "GBP", "2026-03-09", false],
    // The published euro rate of the pound is six days old.
    ["USD", "GBP", "2026-03-13", true],
    ["EUR", "USD", "2026-03-13", false],
    ["EUR", "USD", "2027-01-01", false],
  ])("is stale only through a published rate: %s to %s on %s: %s", (from, to, day, stale) => {
    const there = ratesFrom({ ECB: { "2026-03-07": { GBP: "0.8" } } }, overrides);
    expect(selectRate(there, from, to, day)?.stale).toBe(stale);
  });

  test("converts through the base that each override was created for", () => {
    const rates = ratesFrom(tables, [
      override("GBP", "EUR", "0.5", "2026-03-01"),
      override("KWD", "USD", "0.25", "2026-03-01"),
    ]);
    // 1 GBP = 2 EUR = 2.56 USD = 0.64 KWD
    expect(summaryOf(selectRate(rates, "GBP", "KWD", "2026-03-04"))).toEqual([
      "0.64",
      "2026-03-01",
      "override",
    ]);
  });
});

describe("selectRate with the snapshot", () => {
  const fresh: AvailableRates = { published: empty, fetched: new Set(), snapshot, overrides: [] };

  test("uses the snapshot for every later day, as stale, until a source has been fetched", () => {
    for (const day of ["2026-03-18", "2026-11-21", "2031-01-01"])
      expect(selectRate(fresh, "EUR", "USD", day)).toMatchObject({
        day: "2026-03-18",
        source: "ECB",
        stale: true,
      });
    expect(selectRate(fresh, "EUR", "USD", "2026-03-03")).toBeUndefined();
    expect(selectRate(fresh, "EUR", "KWD", "2026-11-21")).toMatchObject({
      day: "2026-03-04",
      source: "NBP-B",
      document: "009/B/NBP/2026",
    });
  });

  test("ignores the snapshot for a fetched source, and uses it for a source that was never fetched", () => {
    const reached = { ...fresh, fetched: new Set<Source>(["ECB"]) };
    expect(selectRate(reached, "EUR", "USD", "2026-11-21")).toBeUndefined();
    expect(selectRate(reached, "EUR", "KWD", "2026-11-21")).toMatchObject({ source: "NBP-B", stale: true });
    const all = { ...fresh, fetched: new Set(sources) };
    expect(selectRate(all, "EUR", "KWD", "2026-11-21")).toBeUndefined();
  });

  test("ignores the snapshot once another source with both currencies has been fetched", () => {
    const table = (source: Source, day: string, rates: Record<string, string>) =>
      rateTable(source, day, "", Object.entries(rates));
    const shipped = {
      ECB: [table("ECB", "2026-03-18", { USD: "1.25", JPY: "160" })],
      "NBP-A": [
        table("NBP-A", "2026-03-17", { EUR: "4", USD: "3.2" }),
        table("NBP-A", "2026-03-18", { EUR: "4" }),
      ],
      "NBP-B": [],
    };
    const reached = { ...fresh, snapshot: shipped, fetched: new Set<Source>(["NBP-A"]) };
    expect(selectRate(reached, "EUR", "USD", "2026-11-21")).toBeUndefined();
    expect(selectRate(reached, "EUR", "JPY", "2026-11-21")).toMatchObject({ source: "ECB", stale: true });
  });

  test("combines both NBP tables of one day", () => {
    const [a] = snapshot["NBP-A"];
    const [b] = snapshot["NBP-B"];
    const [euro, dirham] = [a?.values.get("EUR"), b?.values.get("AED")];
    if (!euro || !dirham) throw new Error("not in the snapshot");
    const selected = selectRate(fresh, "EUR", "AED", "2026-03-10");
    expect(selected && Rational.compare(selected.rate, Rational.over(euro, dirham))).toBe(0);
  });
});

test.each([
  ["ECB", 5, false],
  ["ECB", 6, true],
  ["NBP-B", 9, false],
  ["NBP-B", 10, true],
] as const)("a rate of %s is stale %i days after it was published: %s", (source, age, stale) => {
  const there = ratesFrom({ [source]: { "2026-03-02": { USD: "2", PLN: "3" } } });
  expect(selectRate(there, "USD", "PLN", addDays("2026-03-02", age))?.stale).toBe(stale);
});

test("a fixed rate is never stale", () => {
  expect(selectRate(ratesFrom({}), "EUR", "HRK", "2026-03-02")).toMatchObject({
    source: "fixed",
    stale: false,
  });
});

test("oldestUsableDay returns the day of the oldest rate that can still be used", () => {
  expect(oldestUsableDay("2026-03-16")).toBe("2026-03-02");
});
