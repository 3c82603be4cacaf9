import { Cron } from "croner";

const milliseconds = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Maximum of each field, up to which `n/step` counts: minutes, hours, day of month, month, day of week, year. */
const last = [59, 23, 31, 12, 7, 2199];

const dayOfWeek = 4;

/**
 * Returns the first time after `after` at which an expression of EventBridge Scheduler is due, in UTC: `cron(…)` with six
 * fields, or `rate(…)`, which counts from `since`. Returns undefined if it is never due again. Throws on any other expression.
 */
export function nextDue(expression: string, after: Date, since: Date): Date | undefined {
  const [, rate] = /^rate\((.+)\)$/.exec(expression) ?? [];
  if (rate) {
    const periodMs = period(rate);
    const elapsed = Math.floor((after.getTime() - since.getTime()) / periodMs);
    return new Date(since.getTime() + (Math.max(elapsed, 0) + 1) * periodMs);
  }
  const [, fields] = /^cron\((.+)\)$/.exec(expression) ?? [];
  if (!fields) throw new Error(`Invalid schedule: ${expression}`);
  return new Cron(toCroner(fields), { timezone: "UTC", mode: "7-part" }).nextRun(after) ?? undefined;
}

function period(rate: string): number {
  const [, count, unit, plural] = /^(\d+) (minute|hour|day)(s?)$/.exec(rate) ?? [];
  // Like EventBridge, requires the singular for 1 and the plural for all other values.
  if (!unit || Number(count) < 1 || (Number(count) === 1) === (plural === "s"))
    throw new Error(`Invalid rate: ${rate}`);
  return Number(count) * milliseconds[unit as keyof typeof milliseconds];
}

/**
 * Translates an EventBridge cron expression for croner: adds seconds, replaces `?` by `*`, and counts days of the week from
 * Sunday as 0 instead of 1 (`6L` is the last Friday of the month).
 */
function toCroner(expression: string): string {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 6) throw new Error(`cron(…) must have six fields: ${expression}`);
  if ((fields[2] === "?") === (fields[dayOfWeek] === "?"))
    throw new Error(`Either the day of the month or the day of the week must be "?": ${expression}`);
  const translated = fields.map((field, at) =>
    field
      .split(",")
      .map((part) => {
        const stepped = part.replace(/^(\d+)\//, `$1-${last[at]}/`);
        return at === dayOfWeek ? translateWeekday(stepped) : stepped;
      })
      .join(","),
  );
  return ["0", ...translated].join(" ").replaceAll("?", "*");
}

function translateWeekday(part: string): string {
  if (part === "L") return "6";
  const [days = "", tail = ""] = part.split(/(?=[/#L])/, 2);
  const fromZero = days.replace(/\d+/g, (day) => {
    if (!/^[1-7]$/.test(day)) throw new Error(`Invalid day of the week, which must be from 1 to 7: ${part}`);
    return String(Number(day) - 1);
  });
  return fromZero + (tail === "L" ? "#L" : tail);
}
