/**
 * Reads a time of day as people type it: `9`, `9:30`, `09.30`, `930`, `9h30`, `9:30 pm`. Returns `HH:MM`, or undefined if the text is
 * no time.
 */
export function readTime(text: string): string | undefined {
  const match = /^(\d{1,2})(?:\s*[:.h]\s*(\d{2})|(\d{2}))?\s*h?\s*([ap])?\.?\s*(?:m\.?)?$/i.exec(text.trim());
  if (!match) return undefined;
  const [, hourText = "", after, joined, half] = match;
  const minute = Number(after ?? joined ?? 0);
  let hour = Number(hourText);
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined;
  if (half) hour = (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/**
 * Reads a duration as people type it, in seconds: `1:30` and `1:30:15` (hours first), `1.5` and `1,5` (hours), `90m`, `1h 30m`,
 * `2h`, `45s`. A whole number without a unit, such as `90`, is minutes. Returns undefined if the text is no duration.
 */
export function readDuration(text: string): number | undefined {
  const typed = text.trim().toLowerCase();
  const clock = /^(\d{1,4}):([0-5]\d)(?::([0-5]\d))?$/.exec(typed);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  if (/^\d{1,5}$/.test(typed)) return Number(typed) * 60;
  if (/^\d{0,4}[.,]\d{1,4}$/.test(typed)) return Math.round(Number(typed.replace(",", ".")) * 3600);
  const units =
    /^(?:(\d{1,4}(?:[.,]\d{1,4})?)\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,5})\s*m(?:in(?:utes?|s)?)?)?\s*(?:(\d{1,6})\s*s(?:ec(?:onds?|s)?)?)?$/.exec(
      typed,
    );
  if (!units || typed === "") return undefined;
  const [, hours = "0", minutes = "0", seconds = "0"] = units;
  return Math.round(Number(hours.replace(",", ".")) * 3600) + Number(minutes) * 60 + Number(seconds);
}
