import snapshot from "../../../packages/core/money/snapshot.json" with { type: "json" };
import { type Day, daysLater } from "./days.ts";
import { type Fraction, fifteenDigits, fraction, one, product, quotient } from "./fraction.ts";
import { type Source, sources, type World } from "./world.ts";

/** Decimal places of the currencies in the tests. */
export const places: Readonly<Record<string, number>> = {
  ...{ EUR: 2, USD: 2, GBP: 2, PLN: 2, JPY: 0, KRW: 0, KWD: 3, CLP: 0, VND: 0 },
  ...{ BGN: 2, HRK: 2, LTL: 2, DEM: 2, ITL: 0 },
};

/** Irrevocable rates of currencies that ended, in units for one euro, from the regulations of the Council. */
const irrevocable: Readonly<Record<string, string>> = {
  BGN: "1.95583",
  HRK: "7.53450",
  LTL: "3.45280",
  DEM: "1.95583",
  ITL: "1936.27",
};

/** The value of one unit of a currency in another one, with the day and the source of this rate. */
export type Rate = { value: Fraction; text: string; day: Day; source: string };

/** The rates of one bank and day that a conversion may use. */
type KnownTable = { source: Source; day: Day; rates: ReadonlyMap<string, string> };

/** Returns the rate of a day by the rules of decisions 35, 36, 71, 73 and 74. */
export function rateOn(world: World, from: string, to: string, day: Day): Rate | undefined {
  const found = overridden(world, from, to, day) ?? withoutOverride(world, from, to, day);
  return found && found !== "none" ? { ...found, text: fifteenDigits(found.value) } : undefined;
}

type Found = Omit<Rate, "text">;

/** Converts to the base currency of an override, and from there with the other rates of the day. */
function overridden(world: World, from: string, to: string, day: Day): Found | "none" | undefined {
  if (from === to) return undefined;
  const [a, b] = [overrideOf(world, from, day), overrideOf(world, to, day)];
  if (!a && !b) return undefined;
  const between = withoutOverride(world, a ? a.base : from, b ? b.base : to, day);
  if (!between) return "none";
  let { value } = between;
  if (a) value = quotient(value, fraction(a.rate));
  if (b) value = product(value, fraction(b.rate));
  const [first = "", second = ""] = [a?.from, b?.from];
  return { value, day: first > second ? first : second, source: "override" };
}

function overrideOf({ overrides }: World, currency: string, day: Day) {
  const active = overrides.filter(
    (one) => one.currency === currency && one.from <= day && (one.to ?? day) >= day,
  );
  return active.sort((a, b) => (a.from < b.from ? 1 : -1))[0];
}

function withoutOverride(world: World, from: string, to: string, day: Day): Found | undefined {
  if (from === to) return { value: one, day, source: "fixed" };
  const [a, b] = [unitsPerEuro(from), unitsPerEuro(to)];
  if (a && b) return { value: quotient(b, a), day, source: "fixed" };
  return inTables(knownTables(world, day), from, to, day, 14) ?? shipped(world, from, to, day);
}

function unitsPerEuro(currency: string): Fraction | undefined {
  if (currency === "EUR") return one;
  const units = irrevocable[currency];
  return units === undefined ? undefined : fraction(units);
}

/** Returns the tables as they were when the day was locked, or as they are now. */
function knownTables({ tables, locks }: World, day: Day): KnownTable[] {
  const lock = [...locks].sort((a, b) => (a.until < b.until ? -1 : 1)).find(({ until }) => day <= until);
  const counts = (recordedAt: string) => !lock || Date.parse(recordedAt) <= Date.parse(lock.at);
  return tables.map(({ source, day, recordedAt, rates, corrections }) => {
    const said = new Map(counts(recordedAt) ? Object.entries(rates) : []);
    for (const { currency, rate, recordedAt } of corrections)
      if (counts(recordedAt)) said.set(currency, rate);
    return { source, day, rates: said };
  });
}

/** Goes back day by day, for one bank after the other, until a table has both currencies. */
function inTables(
  known: readonly KnownTable[],
  from: string,
  to: string,
  day: Day,
  back: number,
): Found | undefined {
  for (const source of sources)
    for (let age = 0; age <= back; age++) {
      const table = known.find((one) => one.source === source && one.day === daysLater(day, -age));
      if (!table) continue;
      const own = [from, to].filter((code) => worth(table, code));
      const [a, b] = [from, to].map((code) => worth(table, code) ?? bridged(known, table, code, day, back));
      if (own.length > 0 && a && b) return { value: quotient(a, b), day: table.day, source };
    }
  return undefined;
}

/** Returns the value of a unit in the bank's own money: euros for the ECB, zlotys for the bank of Poland. */
function worth({ source, rates }: KnownTable, code: string): Fraction | undefined {
  if (irrevocable[code] !== undefined) {
    const euro = worth({ source, day: "", rates }, "EUR");
    return euro && quotient(euro, fraction(irrevocable[code]));
  }
  if (code === (source === "ECB" ? "EUR" : "PLN")) return one;
  const rate = rates.get(code);
  if (rate === undefined) return undefined;
  return source === "ECB" ? quotient(one, fraction(rate)) : fraction(rate);
}

/** Returns a value in zlotys for table B, which has rare currencies only: from table A or else the ECB, of its day or before. */
function bridged(
  known: readonly KnownTable[],
  { source, day: of }: KnownTable,
  code: string,
  day: Day,
  back: number,
) {
  if (source !== "NBP-B") return undefined;
  for (const other of ["NBP-A", "ECB"])
    for (let age = 0; age <= back; age++) {
      const at = daysLater(day, -age);
      const table = at <= of ? known.find((one) => one.source === other && one.day === at) : undefined;
      const [value, zloty] = [table && worth(table, code), table && worth(table, "PLN")];
      if (value && zloty) return quotient(value, zloty);
    }
  return undefined;
}

const shippedTables: readonly KnownTable[] = snapshot.documents.map(({ source, day, rates }) => ({
  source: source as Source,
  day,
  rates: new Map(Object.entries(rates)),
}));

/** Looks in the tables that ship with the code, at any age, unless a bank with both currencies was reached. */
function shipped({ reached }: World, from: string, to: string, day: Day): Found | undefined {
  const found = inTables(shippedTables, from, to, day, 400);
  const has = (table: KnownTable) => worth(table, from) !== undefined && worth(table, to) !== undefined;
  if (
    reached.some(
      (source) =>
        source === found?.source || shippedTables.some((table) => table.source === source && has(table)),
    )
  )
    return undefined;
  return found;
}
