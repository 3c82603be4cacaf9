import type { Day } from "../base/day.ts";
import { Fault } from "../base/fault.ts";
import { type ErrorSource, invalidWithCode } from "../base/invalid.ts";

type Standard = { numericCode: string; minorUnits: number };

/**
 * Supported currencies. A central bank publishes a daily or weekly rate for each. Numeric codes and minor units follow
 * ISO 4217 (list one, 2024-06-25); Intl differs for several (HUF, IDR, COP, PKR).
 */
const listed: Readonly<Record<string, Standard>> = {
  AED: { numericCode: "784", minorUnits: 2 },
  ALL: { numericCode: "008", minorUnits: 2 },
  ARS: { numericCode: "032", minorUnits: 2 },
  AUD: { numericCode: "036", minorUnits: 2 },
  BAM: { numericCode: "977", minorUnits: 2 },
  BDT: { numericCode: "050", minorUnits: 2 },
  BHD: { numericCode: "048", minorUnits: 3 },
  BRL: { numericCode: "986", minorUnits: 2 },
  CAD: { numericCode: "124", minorUnits: 2 },
  CHF: { numericCode: "756", minorUnits: 2 },
  CLP: { numericCode: "152", minorUnits: 0 },
  CNY: { numericCode: "156", minorUnits: 2 },
  COP: { numericCode: "170", minorUnits: 2 },
  CZK: { numericCode: "203", minorUnits: 2 },
  DKK: { numericCode: "208", minorUnits: 2 },
  EGP: { numericCode: "818", minorUnits: 2 },
  EUR: { numericCode: "978", minorUnits: 2 },
  GBP: { numericCode: "826", minorUnits: 2 },
  GEL: { numericCode: "981", minorUnits: 2 },
  GHS: { numericCode: "936", minorUnits: 2 },
  HKD: { numericCode: "344", minorUnits: 2 },
  HUF: { numericCode: "348", minorUnits: 2 },
  IDR: { numericCode: "360", minorUnits: 2 },
  ILS: { numericCode: "376", minorUnits: 2 },
  INR: { numericCode: "356", minorUnits: 2 },
  ISK: { numericCode: "352", minorUnits: 0 },
  JPY: { numericCode: "392", minorUnits: 0 },
  KES: { numericCode: "404", minorUnits: 2 },
  KRW: { numericCode: "410", minorUnits: 0 },
  KWD: { numericCode: "414", minorUnits: 3 },
  KZT: { numericCode: "398", minorUnits: 2 },
  LKR: { numericCode: "144", minorUnits: 2 },
  MAD: { numericCode: "504", minorUnits: 2 },
  MDL: { numericCode: "498", minorUnits: 2 },
  MXN: { numericCode: "484", minorUnits: 2 },
  MYR: { numericCode: "458", minorUnits: 2 },
  NGN: { numericCode: "566", minorUnits: 2 },
  NOK: { numericCode: "578", minorUnits: 2 },
  NZD: { numericCode: "554", minorUnits: 2 },
  PEN: { numericCode: "604", minorUnits: 2 },
  PHP: { numericCode: "608", minorUnits: 2 },
  PKR: { numericCode: "586", minorUnits: 2 },
  PLN: { numericCode: "985", minorUnits: 2 },
  QAR: { numericCode: "634", minorUnits: 2 },
  RON: { numericCode: "946", minorUnits: 2 },
  RSD: { numericCode: "941", minorUnits: 2 },
  SAR: { numericCode: "682", minorUnits: 2 },
  SEK: { numericCode: "752", minorUnits: 2 },
  SGD: { numericCode: "702", minorUnits: 2 },
  THB: { numericCode: "764", minorUnits: 2 },
  TND: { numericCode: "788", minorUnits: 3 },
  TRY: { numericCode: "949", minorUnits: 2 },
  TWD: { numericCode: "901", minorUnits: 2 },
  UAH: { numericCode: "980", minorUnits: 2 },
  USD: { numericCode: "840", minorUnits: 2 },
  UYU: { numericCode: "858", minorUnits: 2 },
  VND: { numericCode: "704", minorUnits: 0 },
  ZAR: { numericCode: "710", minorUnits: 2 },
};

/** A currency that the euro replaced: its irrevocable rate, and the last day on which it was a unit of account. */
type Ended = Standard & { perEuro: string; lastDay: Day };

/**
 * The currencies of the first members and of Greece were units of the euro until this day: Regulation (EC) 974/98, Article 6,
 * and (EC) 2596/2000.
 */
const endOfTransition = "2001-12-31";

/**
 * Currencies that the euro replaced. Their conversion rates are in Article 1 of Council Regulation (EC) 2866/98; the comments
 * name the regulation that added them. Numeric codes follow ISO 4217 (list three), minor units the list of the time. They can be
 * used on days until `lastDay`.
 */
const ended: Readonly<Record<string, Ended>> = {
  // (EC) 2866/98
  ATS: { numericCode: "040", minorUnits: 2, perEuro: "13.7603", lastDay: endOfTransition },
  BEF: { numericCode: "056", minorUnits: 0, perEuro: "40.3399", lastDay: endOfTransition },
  DEM: { numericCode: "276", minorUnits: 2, perEuro: "1.95583", lastDay: endOfTransition },
  ESP: { numericCode: "724", minorUnits: 0, perEuro: "166.386", lastDay: endOfTransition },
  FIM: { numericCode: "246", minorUnits: 2, perEuro: "5.94573", lastDay: endOfTransition },
  FRF: { numericCode: "250", minorUnits: 2, perEuro: "6.55957", lastDay: endOfTransition },
  IEP: { numericCode: "372", minorUnits: 2, perEuro: "0.787564", lastDay: endOfTransition },
  ITL: { numericCode: "380", minorUnits: 0, perEuro: "1936.27", lastDay: endOfTransition },
  LUF: { numericCode: "442", minorUnits: 0, perEuro: "40.3399", lastDay: endOfTransition },
  NLG: { numericCode: "528", minorUnits: 2, perEuro: "2.20371", lastDay: endOfTransition },
  PTE: { numericCode: "620", minorUnits: 0, perEuro: "200.482", lastDay: endOfTransition },
  // (EC) 1478/2000
  GRD: { numericCode: "300", minorUnits: 0, perEuro: "340.750", lastDay: endOfTransition },
  // (EC) 1086/2006
  SIT: { numericCode: "705", minorUnits: 2, perEuro: "239.640", lastDay: "2006-12-31" },
  // (EC) 1134/2007
  MTL: { numericCode: "470", minorUnits: 2, perEuro: "0.429300", lastDay: "2007-12-31" },
  // (EC) 1135/2007
  CYP: { numericCode: "196", minorUnits: 2, perEuro: "0.585274", lastDay: "2007-12-31" },
  // (EC) 694/2008
  SKK: { numericCode: "703", minorUnits: 2, perEuro: "30.1260", lastDay: "2008-12-31" },
  // (EU) 671/2010
  EEK: { numericCode: "233", minorUnits: 2, perEuro: "15.6466", lastDay: "2010-12-31" },
  // (EU) 870/2013
  LVL: { numericCode: "428", minorUnits: 2, perEuro: "0.702804", lastDay: "2013-12-31" },
  // (EU) 851/2014
  LTL: { numericCode: "440", minorUnits: 2, perEuro: "3.45280", lastDay: "2014-12-31" },
  // (EU) 2022/1208
  HRK: { numericCode: "191", minorUnits: 2, perEuro: "7.53450", lastDay: "2022-12-31" },
  // (EU) 2025/1409
  BGN: { numericCode: "975", minorUnits: 2, perEuro: "1.95583", lastDay: "2025-12-31" },
};

export type Described = {
  code: string;
  numericCode: string;
  name: string;
  symbol: string;
  minorUnits: number;
  /** The code of the currency that replaced this one; null while it exists. */
  replacedBy: string | null;
  /** The last day on which it can be used; null while it exists. */
  lastDay: Day | null;
};

/** Codes of all supported currencies, in alphabetical order. */
export const codes: readonly string[] = Object.keys(listed);

/** Codes of the supported currencies and of those that ended, in alphabetical order. */
export const knownCodes: readonly string[] = [...codes, ...Object.keys(ended)].sort();

const names = new Intl.DisplayNames("en", { type: "currency" });

/** Returns whether a currency is supported. */
export function isListed(code: string): boolean {
  return Object.hasOwn(listed, code);
}

/** Returns whether amounts in a currency can be read and converted: whether it is supported, or was before it ended. */
export function isKnown(code: string): boolean {
  return isListed(code) || Object.hasOwn(ended, code);
}

/** Returns a currency with its English name and symbol. Throws for an unknown code, so validate input first. */
export function describe(code: string): Described {
  const { numericCode, minorUnits } = standard(code);
  const lastDay = lastDayOf(code) ?? null;
  const replacedBy = lastDay === null ? null : "EUR";
  return {
    code,
    numericCode,
    name: names.of(code) ?? code,
    symbol: symbol(code),
    minorUnits,
    replacedBy,
    lastDay,
  };
}

/** Returns the decimal places of an amount by ISO 4217: 2 for most, 0 for JPY, 3 for KWD. Throws for an unknown code. */
export function minorUnits(code: string): number {
  return standard(code).minorUnits;
}

/** Returns the units of an ended currency for one euro, which are fixed by law. Undefined for all other currencies. */
export function fixedPerEuro(code: string): string | undefined {
  return Object.hasOwn(ended, code) ? ended[code]?.perEuro : undefined;
}

/** Returns the last day on which an ended currency can be used. Undefined for all other currencies. */
export function lastDayOf(code: string): Day | undefined {
  return Object.hasOwn(ended, code) ? ended[code]?.lastDay : undefined;
}

/** Throws `invalid` `currency_ended`, naming `source`, when a currency ended before this day. */
export function requireUsableOn(code: string, day: Day, source: ErrorSource): void {
  const lastDay = lastDayOf(code);
  if (lastDay === undefined || day <= lastDay) return;
  throw invalidWithCode(
    source,
    "currency_ended",
    `${code} was replaced by EUR after ${lastDay}. Use an earlier day, or change the project’s currency to EUR.`,
  );
}

/** Throws `invalid` `currency_unsupported`, naming `source`, unless `isAccepted` accepts the code. */
export function requireSupported(
  code: string,
  source: ErrorSource,
  isAccepted: (code: string) => boolean = isListed,
): void {
  if (isAccepted(code)) return;
  throw invalidWithCode(
    source,
    "currency_unsupported",
    "Currency is not supported. Use a code from the list of currencies, such as EUR.",
  );
}

/** Returns the fault for a code that is not a supported currency. */
export function notFound(): Fault {
  return new Fault(
    "missing",
    "currency_not_found",
    "Currency not found. Use a code from the list of currencies, such as EUR.",
  );
}

function standard(code: string): Standard {
  const found = isListed(code) ? listed[code] : isKnown(code) ? ended[code] : undefined;
  if (!found) throw new Error(`Unknown currency: ${code}.`);
  return found;
}

function symbol(currency: string): string {
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  return format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? currency;
}
