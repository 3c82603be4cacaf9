import type { View as Money } from "@svc/core/money/money";
import { getCookie, localization } from "./cookies.ts";

/** How times, numbers and money are written, as the person has chosen: in their locale, their time zone and their format of dates. */

const locale = () => getCookie("svc_user_locale") ?? navigator.language;
const timeZone = () => getCookie("svc_user_timezone") ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A day of an instant (RFC 3339), for example 21.11.2026; of another time zone than the person's when one is given. */
export function day(at: string, zone: string = timeZone()): string {
  return dayIn(new Date(at), zone);
}

/** A day that is a day already (`YYYY-MM-DD`), in the person's format. */
export function plainDay(date: string): string {
  return dayIn(new Date(`${date}T00:00:00Z`), "UTC");
}

/** Hours and minutes of an instant. */
export function time(at: string, zone: string = timeZone()): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short", timeZone: zone }).format(new Date(at));
}

/** Day, hours and minutes of an instant. */
export function dayTime(at: string, zone?: string): string {
  return `${day(at, zone)}, ${time(at, zone)}`;
}

/** The day of the week of a day (`YYYY-MM-DD`), for example Saturday. */
export function weekday(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return new Intl.DateTimeFormat(locale(), { weekday: "long", timeZone: "UTC" }).format(at);
}

/** Seconds as `h:mm:ss`. */
export function duration(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}`;
}

/** An amount with its currency. The decimal string is formatted as it is, never as a float. */
export function money({ amount, currency }: Money): string {
  return new Intl.NumberFormat(locale(), { style: "currency", currency }).format(amount as unknown as number);
}

/** A whole number or a decimal string. */
export function number(value: number | string): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }).format(value as number);
}

/** The name of a country (ISO 3166-1 alpha-2). */
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
  const format = localization().dateFormat ?? "YYYY-MM-DD";
  return format.replace("YYYY", year).replace("MM", month).replace("DD", day);
}
