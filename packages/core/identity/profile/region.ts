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

/** Returns the first day of the week in a locale, from 1 for Monday to 7 for Sunday. */
export function weekStartOf(locale: string): number {
  // TypeScript does not know getWeekInfo yet.
  return (new Intl.Locale(locale) as Intl.Locale & WeekInfo).getWeekInfo().firstDay;
}

type WeekInfo = { getWeekInfo(): { firstDay: number } };
