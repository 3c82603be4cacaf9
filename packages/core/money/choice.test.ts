import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shifted } from "../base/day.ts";
import {
  type Books,
  choose,
  type Document,
  document,
  type Override,
  type Source,
  sources,
  written,
} from "./choice.ts";
import * as Rational from "./rational.ts";
import { snapshot } from "./snapshot.ts";

type Days = Record<string, Record<string, string>>;

const empty = { ECB: [], "NBP-A": [], "NBP-B": [] };

function books(tables: Partial<Record<Source, Days>>, overrides: Override[] = [], fetched?: Source[]): Books {
  const published: Record<Source, Document[]> = { ECB: [], "NBP-A": [], "NBP-B": [] };
  for (const source of sources)
    published[source] = Object.entries(tables[source] ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, rates]) => document(source, day, `${source} ${day}`, Object.entries(rates)));
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

const shown = (chosen: ReturnType<typeof choose>) =>
  chosen && [written(chosen.rate), chosen.day, chosen.source];

const tables = {
  ECB: { "2026-03-02": { USD: "1.25", GBP: "0.8", PLN: "4" }, "2026-03-04": { USD: "1.28", GBP: "0.8" } },
  "NBP-A": {
    "2026-03-02": { EUR: "4.2", USD: "3.5", CLP: "0.004" },
    "2026-03-04": { EUR: "4.3", USD: "3.6", CLP: "0.005" },
    "2026-03-06": { EUR: "4.4", USD: "3.7", CLP: "0.006" },
  },
  "NBP-B": { "2026-03-04": { KWD: "12", BHD: "9.6" } },
};

describe("the rate of a day", () => {
  test.each([
    // the table's own day, a day between, before the first, after the last
    ["EUR", "USD", "2026-03-02", ["1.25", "2026-03-02", "ECB"]],
    ["EUR", "USD", "2026-03-03", ["1.25", "2026-03-02", "ECB"]],
    ["EUR", "USD", "2026-03-04", ["1.28", "2026-03-04", "ECB"]],
    ["EUR", "USD", "2026-03-01", undefined],
    ["EUR", "USD", "2026-03-18", ["1.28", "2026-03-04", "ECB"]],
    // fourteen days are over for the ECB, not yet for the NBP, then for all
    ["EUR", "USD", "2026-03-19", ["1.18918918918919", "2026-03-06", "NBP-A"]],
    ["EUR", "USD", "2026-03-20", ["1.18918918918919", "2026-03-06", "NBP-A"]],
    ["EUR", "USD", "2026-03-21", undefined],
    // both legs from one document
    ["USD", "GBP", "2026-03-04", ["0.625", "2026-03-04", "ECB"]],
    ["GBP", "USD", "2026-03-04", ["1.6", "2026-03-04", "ECB"]],
    // the last ECB document has no zloty: the one before has both legs
    ["USD", "PLN", "2026-03-05", ["3.2", "2026-03-02", "ECB"]],
    // not at the ECB, so all of it from the NBP
    ["USD", "CLP", "2026-03-04", ["720", "2026-03-04", "NBP-A"]],
    ["PLN", "CLP", "2026-03-07", ["166.666666666667", "2026-03-06", "NBP-A"]],
    // table B has its zlotys; euros come from table A of the same day
    ["KWD", "PLN", "2026-03-10", ["12", "2026-03-04", "NBP-B"]],
    ["KWD", "BHD", "2026-03-10", ["1.25", "2026-03-04", "NBP-B"]],
    ["EUR", "KWD", "2026-03-10", ["0.358333333333333", "2026-03-04", "NBP-B"]],
    ["KWD", "EUR", "2026-03-03", undefined],
    ["KWD", "EUR", "2026-03-19", undefined],
    // unknown to all
    ["EUR", "UAH", "2026-03-04", undefined],
    // one is one
    ["USD", "USD", "2026-03-04", ["1", "2026-03-04", "ECB"]],
    ["KWD", "KWD", "2025-01-01", ["1", "2025-01-01", "fixed"]],
  ])("%s to %s on %s", (from, to, day, expected) =>
    expect(shown(choose(books(tables), from, to, day))).toEqual(expected),
  );

  test("comes from the next bank when the first one lacks a leg", () => {
    const both = books({
      ECB: { "2026-03-04": { USD: "1.28" } },
      "NBP-A": { "2026-03-03": { USD: "3.6", CZK: "0.18" } },
    });
    expect(shown(choose(both, "USD", "CZK", "2026-03-04"))).toEqual(["20", "2026-03-03", "NBP-A"]);
  });

  test("bridges table B by the European Central Bank when table A is missing", () => {
    const only = books({ ECB: { "2026-03-04": { PLN: "4" } }, "NBP-B": { "2026-03-04": { KWD: "12" } } });
    expect(shown(choose(only, "KWD", "EUR", "2026-03-05"))).toEqual(["3", "2026-03-04", "NBP-B"]);
  });

  test("never bridges with a later table", () => {
    const later = books({
      "NBP-A": { "2026-03-05": { EUR: "4" } },
      "NBP-B": { "2026-03-04": { KWD: "12" } },
    });
    expect(choose(later, "KWD", "EUR", "2026-03-05")).toBeUndefined();
  });

  test("is never of a later day nor more than fourteen days old, and of the newest document that there is", () => {
    const day = fc.integer({ min: 0, max: 60 }).map((n) => shifted("2026-01-01", n));
    fc.assert(
      fc.property(fc.uniqueArray(day, { maxLength: 12 }), day, (days, asked) => {
        const chosen = choose(
          books({ ECB: Object.fromEntries(days.map((one) => [one, { USD: "1.1" }])) }, [], ["ECB"]),
          "EUR",
          "USD",
          asked,
        );
        const served = days.filter((one) => one <= asked && one >= shifted(asked, -14)).sort();
        expect(chosen?.day).toBe(served.at(-1));
      }),
    );
  });

  test("of a cross is exact, and back again is its inverse", () => {
    const rate = fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 9999 }));
    fc.assert(
      fc.property(rate, rate, ([a, b], [c, d]) => {
        const [usd, gbp] = [`${a}.${String(b).padStart(4, "0")}`, `${c}.${String(d).padStart(4, "0")}`];
        const there = books({ ECB: { "2026-03-04": { USD: usd, GBP: gbp } } });
        const [to, back] = [
          choose(there, "USD", "GBP", "2026-03-04"),
          choose(there, "GBP", "USD", "2026-03-04"),
        ];
        if (!to || !back) throw new Error("no rate");
        expect(Rational.compare(to.rate, { n: BigInt(c * 10_000 + d), d: BigInt(a * 10_000 + b) })).toBe(0);
        expect(Rational.compare(Rational.times(to.rate, back.rate), Rational.one)).toBe(0);
      }),
    );
  });
});

describe("currencies that the euro replaced", () => {
  test.each([
    ["EUR", "BGN", "2026-03-04", ["1.95583", "2026-03-04", "ECB"]],
    ["HRK", "EUR", "2026-03-04", ["0.132722808414626", "2026-03-04", "ECB"]],
    ["BGN", "USD", "2026-03-04", ["0.65445360793116", "2026-03-04", "ECB"]],
    ["BGN", "KWD", "2026-03-04", ["0.183212924095312", "2026-03-04", "NBP-B"]],
    ["BGN", "HRK", "2024-01-01", ["3.85232867887291", "2024-01-01", "fixed"]],
    ["EUR", "HRK", "2024-01-01", ["7.5345", "2024-01-01", "fixed"]],
    ["BGN", "USD", "2024-01-01", undefined],
  ])("%s to %s on %s", (from, to, day, expected) => {
    expect(shown(choose(books(tables), from, to, day))).toEqual(expected);
  });
});

describe("an override", () => {
  const own = [
    override("USD", "EUR", "2", "2026-03-03"),
    override("USD", "EUR", "3", "2026-03-10", "2026-03-12"),
    override("KWD", "EUR", "0.5", "2026-03-04", "2026-03-05"),
  ];
  const chosen = (from: string, to: string, day: string) => shown(choose(books(tables, own), from, to, day));

  test.each([
    ["before its first day", "EUR", "USD", "2026-03-02", ["1.25", "2026-03-02", "ECB"]],
    ["on its first day", "EUR", "USD", "2026-03-03", ["2", "2026-03-03", "override"]],
    ["the other way", "USD", "EUR", "2026-03-03", ["0.5", "2026-03-03", "override"]],
    ["a later one wins", "EUR", "USD", "2026-03-10", ["3", "2026-03-10", "override"]],
    ["on its last day", "EUR", "USD", "2026-03-12", ["3", "2026-03-10", "override"]],
    ["then the earlier one again", "EUR", "USD", "2026-03-13", ["2", "2026-03-03", "override"]],
    ["without any bank", "EUR", "USD", "2027-01-01", ["2", "2026-03-03", "override"]],
    ["with one leg by a bank", "USD", "GBP", "2026-03-04", ["0.4", "2026-03-03", "override"]],
    ["with one leg that no bank has", "USD", "UAH", "2026-03-04", undefined],
    ["of both currencies", "USD", "KWD", "2026-03-05", ["0.25", "2026-03-04", "override"]],
    ["after its last day", "EUR", "KWD", "2026-03-06", ["0.358333333333333", "2026-03-04", "NBP-B"]],
    ["between a currency and itself", "USD", "USD", "2026-03-04", ["1", "2026-03-04", "ECB"]],
    ["of another currency", "EUR", "GBP", "2026-03-04", ["0.8", "2026-03-04", "ECB"]],
  ])("%s: %s to %s on %s", (_, from, to, day, expected) => expect(chosen(from, to, day)).toEqual(expected));

  test("keeps the base that it was made for", () => {
    const other = books(tables, [
      override("GBP", "EUR", "0.5", "2026-03-01"),
      override("KWD", "USD", "0.25", "2026-03-01"),
    ]);
    // 1 GBP = 2 EUR = 2.56 USD = 0.64 KWD
    expect(shown(choose(other, "GBP", "KWD", "2026-03-04"))).toEqual(["0.64", "2026-03-01", "override"]);
  });
});

describe("the snapshot", () => {
  const fresh: Books = { published: empty, fetched: new Set(), snapshot, overrides: [] };

  test("serves every later day, stale, until a bank has been reached", () => {
    for (const day of ["2026-03-18", "2026-11-21", "2031-01-01"])
      expect(choose(fresh, "EUR", "USD", day)).toMatchObject({
        day: "2026-03-18",
        source: "ECB",
        stale: true,
      });
    expect(choose(fresh, "EUR", "USD", "2026-03-03")).toBeUndefined();
    expect(choose(fresh, "EUR", "KWD", "2026-11-21")).toMatchObject({
      day: "2026-03-04",
      source: "NBP-B",
      document: "009/B/NBP/2026",
    });
  });

  test("is over for what a fetched table knows, and stands in for one that was never fetched", () => {
    const reached = { ...fresh, fetched: new Set<Source>(["ECB"]) };
    expect(choose(reached, "EUR", "USD", "2026-11-21")).toBeUndefined();
    expect(choose(reached, "EUR", "KWD", "2026-11-21")).toMatchObject({ source: "NBP-B", stale: true });
    const all = { ...fresh, fetched: new Set(sources) };
    expect(choose(all, "EUR", "KWD", "2026-11-21")).toBeUndefined();
  });

  test("crosses the two tables of one day", () => {
    const [a] = snapshot["NBP-A"];
    const [b] = snapshot["NBP-B"];
    const [euro, dirham] = [a?.values.get("EUR"), b?.values.get("AED")];
    if (!euro || !dirham) throw new Error("not in the snapshot");
    const chosen = choose(fresh, "EUR", "AED", "2026-03-10");
    expect(chosen && Rational.compare(chosen.rate, Rational.over(euro, dirham))).toBe(0);
  });
});

test.each([
  ["ECB", 5, false],
  ["ECB", 6, true],
  ["NBP-B", 9, false],
  ["NBP-B", 10, true],
] as const)("a rate of %s is stale after %i days: %s", (source, age, stale) => {
  const there = books({ [source]: { "2026-03-02": { USD: "2", PLN: "3" } } });
  expect(choose(there, "USD", "PLN", shifted("2026-03-02", age))?.stale).toBe(stale);
});
