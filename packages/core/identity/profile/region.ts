import type { dateFormats } from "./profile.ts";

/** Returns the date format that is closest to the one of a locale: `DD.MM.YYYY` for `de-CH`. */
export function dateFormatOf(locale: string): (typeof dateFormats)[number] {
  const format = new Intl.DateTimeFormat(locale, { year: "numeric", month: "2-digit", day: "2-digit" });
  const parts = format.formatToParts(new Date(0));
  const order = parts.flatMap(({ type }) => (type === "literal" ? [] : [type[0]])).join("");
  const [separator = ""] = parts.filter(({ type }) => type === "literal").map(({ value }) => value.trim());
  if (order === "mdy") return "MM/DD/YYYY";
  if (order !== "dmy") return "YYYY-MM-DD";
  return separator === "." ? "DD.MM.YYYY" : "DD/MM/YYYY";
}

/** The days of the week as language tags name them (Unicode extension `fw`), beginning with Monday. */
export const weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/**
 * Returns the first day of the week in a locale, from 1 for Monday to 7 for Sunday: the one that its extension `fw` names, or else
 * the usual one of its region. `en`, the locale of accounts that never chose one, has no region and begins on Monday (ISO 8601).
 */
export function weekStartOf(locale: string): number {
  // Not every browser knows `fw`.
  const chosen = /-u-(?:\w+-)*fw-(\w{3})\b/.exec(locale)?.[1];
  const at = weekdayNames.indexOf(chosen as (typeof weekdayNames)[number]);
  if (at !== -1) return at + 1;
  const known = new Intl.Locale(locale) as Intl.Locale & WeekInfo;
  return known.baseName === "en" ? 1 : (known.getWeekInfo?.().firstDay ?? 1);
}

/** TypeScript does not know getWeekInfo yet, and some browsers do not have it. */
type WeekInfo = { getWeekInfo?(): { firstDay: number } };
