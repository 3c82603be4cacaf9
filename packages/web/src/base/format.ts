import type { Money } from "@svc/client";
import { getCookie, localization } from "./cookies.ts";
import { hoursIn, readTag, writeTag } from "./locale-tag.ts";

/** Formats dates, times, numbers and money in the user's locale, time zone and date format. */

/** Returns the locale in which the user reads and writes numbers and dates. */
export const locale = (): string => getCookie("svc_user_locale") ?? browserLocale();
const dateFormat = () => localization().dateFormat ?? "YYYY-MM-DD";

/** Returns the user's time zone. */
export const timeZone = () =>
  getCookie("svc_user_timezone") ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Returns the locale and the time zone of the browser. The locale has the hours that the browser or its system is set to, if they
 * are not the usual ones of its language. A browser that does not know its time zone has none.
 */
export function browserRegion(): { locale: string; timezone?: string } {
  const own = new Intl.DateTimeFormat(undefined, { hour: "numeric" });
  const { locale, timeZone } = own.resolvedOptions();
  const [set, usual] = [hoursIn(own), readTag(readTag(locale).language).hours];
  const region = readTag(browserLocale());
  const known = timeZone === "UTC" || Intl.supportedValuesOf("timeZone").includes(timeZone);
  return {
    locale: writeTag(set === usual ? region : { ...region, hours: set }),
    ...(known && { timezone: timeZone }),
  };
}

/** Returns the language of the browser. Some systems report one that is not a BCP 47 tag, such as `en-US@posix`. */
function browserLocale(): string {
  const [tag = ""] = navigator.language.split("@");
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en";
  } catch {
    return "en";
  }
}

/** The locale of date fields: the language of the client, with the parts in the order of the user's date format. */
export function fieldLocale(): string {
  const locales: Record<string, string> = {
    "YYYY-MM-DD": "en-SE",
    "DD.MM.YYYY": "en-CH",
    "DD/MM/YYYY": "en-GB",
    "MM/DD/YYYY": "en-US",
  };
  return locales[dateFormat()] ?? "en-SE";
}

/** Returns whether the user counts 12 or 24 hours. */
export const hourCycle = () => readTag(locale()).hours;

/** Returns the first day of the user's week: 1 is Monday, 7 is Sunday. */
export const weekStart = () => readTag(locale()).weekStart;

/** Formats the date of an instant (RFC 3339), for example 21.11.2026, in `zone` or the user's time zone. */
export function day(at: string, zone: string = timeZone()): string {
  return dayIn(new Date(at), zone);
}

/** Formats a date (`YYYY-MM-DD`). */
export function plainDay(date: string): string {
  return dayIn(new Date(`${date}T00:00:00Z`), "UTC");
}

/** Formats the hours and minutes of an instant. */
export function time(at: string, zone: string = timeZone()): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short", timeZone: zone }).format(new Date(at));
}

/** Formats the date, hours and minutes of an instant. */
export function dayTime(at: string, zone?: string): string {
  return `${day(at, zone)}, ${time(at, zone)}`;
}

/** Returns the weekday of a date (`YYYY-MM-DD`), for example Saturday. */
export function weekday(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return new Intl.DateTimeFormat(locale(), { weekday: "long", timeZone: "UTC" }).format(at);
}

/** Formats seconds as `h:mm:ss`. */
export function duration(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}`;
}

/** Formats seconds as hours and minutes, `h:mm`. Seconds that are left are cut off. */
export function hours(seconds: number): string {
  return duration(seconds).slice(0, -3);
}

/** Formats whole or fractional hours with their unit, for axes and amounts: 4h. */
export function hourUnit(value: number | string): string {
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: "hour",
    unitDisplay: "narrow",
    maximumFractionDigits: 2,
  }).format(value as number);
}

/** Formats a share, where 1 is 100%. Whole percents, or with up to `digits` decimal places. */
export function percent(share: number, digits = 0): string {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: digits }).format(share);
}

/** Formats an amount for charts and headlines, in which its decimals do not matter. */
export function roundMoney({ amount, currency }: Money): string {
  const style = { style: "currency", currency, maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale(), style).format(amount as unknown as number);
}

/** Formats the size of a file in bytes. */
export function fileSize(bytes: number): string {
  const [unit, value] =
    bytes < 1000 ? (["byte", bytes] as const) : (["kilobyte", Math.ceil(bytes / 1000)] as const);
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "short" }).format(value);
}

/** Formats a list, for example "A, B and C". */
export function list(parts: readonly string[]): string {
  return new Intl.ListFormat(locale(), { style: "long", type: "conjunction" }).format(parts);
}

/** Returns the short weekday of a date (`YYYY-MM-DD`), for example Sat. */
export function shortWeekday(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return new Intl.DateTimeFormat(locale(), { weekday: "short", timeZone: "UTC" }).format(at);
}

/** Formats a month (`YYYY-MM`), for example November 2026. */
export function monthYear(month: string): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  return new Intl.DateTimeFormat(locale(), { month: "long", year: "numeric", timeZone: "UTC" }).format(at);
}

/** Formats a date (`YYYY-MM-DD`) without its year, for axes: 4 Nov. */
export function dayMonth(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" }).format(at);
}

/** Chooses the form of a noun for a number and puts the formatted number before it. */
export function counted(count: number, one: string, other: string): string {
  return `${number(count)} ${new Intl.PluralRules("en").select(count) === "one" ? one : other}`;
}

/** Formats an amount with its currency. Formats the decimal string itself, without converting it to a float. */
export function money({ amount, currency }: Money): string {
  return new Intl.NumberFormat(locale(), { style: "currency", currency }).format(amount as unknown as number);
}

/** Formats an integer or a decimal string. */
export function number(value: number | string): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }).format(value as number);
}

/** Returns the name of a country (ISO 3166-1 alpha-2). */
export function country(code: string): string {
  return new Intl.DisplayNames([locale()], { type: "region", fallback: "code" }).of(code) ?? code;
}

function dayIn(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  })
    .formatToParts(at)
    .map(({ type, value }) => [type, value]);
  const { year = "", month = "", day = "" } = Object.fromEntries(parts) as Record<string, string>;
  return dateFormat().replace("YYYY", year).replace("MM", month).replace("DD", day);
}
