import { Cron } from "croner";

const milliseconds = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** What `n/step` of EventBridge counts up to, field by field: minutes, hours, day of month, month, day of week, year. */
const last = [59, 23, 31, 12, 7, 2199];

const dayOfWeek = 4;

/**
 * The first time after this one at which an expression of EventBridge Scheduler is due, in UTC: `cron(…)` with its six
 * fields, or `rate(…)`, which counts from `since`. Undefined when there is none any more. Throws on anything else.
 */
export function nextDue(expression: string, after: Date, since: Date): Date | undefined {
  const [, rate] = /^rate\((.+)\)$/.exec(expression) ?? [];
  if (rate) {
    const periodMs = period(rate);
    const elapsed = Math.floor((after.getTime() - since.getTime()) / periodMs);
    return new Date(since.getTime() + (Math.max(elapsed, 0) + 1) * periodMs);
  }
  const [, fields] = /^cron\((.+)\)$/.exec(expression) ?? [];
  if (!fields) throw new Error(`Not a schedule: ${expression}`);
  return new Cron(toCroner(fields), { timezone: "UTC", mode: "7-part" }).nextRun(after) ?? undefined;
}

function period(rate: string): number {
  const [, count, unit, plural] = /^(\d+) (minute|hour|day)(s?)$/.exec(rate) ?? [];
  // The singular goes with 1 and with nothing else, as there.
  if (!unit || Number(count) < 1 || (Number(count) === 1) === (plural === "s"))
    throw new Error(`Not a rate: ${rate}`);
  return Number(count) * milliseconds[unit as keyof typeof milliseconds];
}

/** Seconds in front; `?` is any; days of the week count from Sunday as 0 instead of 1, and `6L` is the last Friday. */
function toCroner(expression: string): string {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 6) throw new Error(`cron(…) has six fields: ${expression}`);
  if ((fields[2] === "?") === (fields[dayOfWeek] === "?"))
    throw new Error(`Either the day of the month or the day of the week must be "?": ${expression}`);
  const translated = fields.map((field, at) =>
    field
      .split(",")
      .map((part) => {
        const stepped = part.replace(/^(\d+)\//, `$1-${last[at]}/`);
        return at === dayOfWeek ? weekday(stepped) : stepped;
      })
      .join(","),
  );
  return ["0", ...translated].join(" ").replaceAll("?", "*");
}

function weekday(part: string): string {
  if (part === "L") return "6";
  const [days = "", tail = ""] = part.split(/(?=[/#L])/, 2);
  const fromZero = days.replace(/\d+/g, (day) => {
    if (!/^[1-7]$/.test(day)) throw new Error(`Not a day of the week from 1 to 7: ${part}`);
    return String(Number(day) - 1);
  });
  return fromZero + (tail === "L" ? "#L" : tail);
}
