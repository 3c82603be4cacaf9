import { type Day, dayAt, daysFrom, daysLater, wallClock, weekOf } from "./days.ts";
import { decimal, nearest, product, quotient } from "./fraction.ts";
import {
  type Column,
  type Custom,
  columns,
  type File,
  type Level,
  type List,
  type Metric,
  type Question,
  type Summary,
} from "./question.ts";
import { places, rateOn } from "./rates.ts";
import type { Ids, World } from "./world.ts";

/**
 * Answers questions about a world in the most obvious way: one entry at a time, with exact fractions. Shares no code with the
 * service.
 */

/** An entry with everything that a report says about it. Amounts are in minor units. */
type Line = {
  id: string;
  startedAt: number;
  endedAt: number | null;
  day: Day;
  seconds: number;
  billable: boolean;
  rate: number | null;
  minor: bigint;
  currency: string;
  /** Undefined if nothing is converted, null without a rate. */
  converted: bigint | null | undefined;
  /** Its groups, by level. */
  groups: Record<Level, Group[]>;
};

type Group = { key: string | null; label: string };

/** The days of a report. Without days, they are the last thirty. */
function periodOf({ zone, now }: World, { from, to }: Question): { from: Day; to: Day } {
  const today = dayAt(zone, Date.parse(now));
  const last = to ?? (from !== undefined && from > today ? from : today);
  return { from: from ?? daysLater(last, -29), to: last };
}

/** Returns the entries that the question is about, oldest first. */
function linesOf(world: World, ids: Ids, question: Question, days: Pick<Question, "from" | "to">): Line[] {
  const { by, filters, convertTo } = question;
  const mayReadAll = world.people[by]?.role !== "member";
  const lines: Line[] = [];
  for (const [at, entry] of world.entries.entries()) {
    const startedAt = Date.parse(entry.startedAt);
    const day = dayAt(world.zone, startedAt);
    if (!mayReadAll && entry.person !== by) continue;
    if (days.from !== undefined && day < days.from) continue;
    if (days.to !== undefined && day > days.to) continue;
    if (filters.person !== undefined && entry.person !== filters.person) continue;
    if (filters.project !== undefined && entry.project !== filters.project) continue;
    if (filters.team !== undefined && !world.people[entry.person]?.teams.includes(filters.team)) continue;
    if (filters.tag !== undefined && !entry.tags.includes(filters.tag)) continue;
    if (filters.billable !== undefined && entry.billable !== filters.billable) continue;
    if (filters.currency !== undefined && entry.currency !== filters.currency) continue;
    if (filters.running !== undefined && (entry.seconds === null) !== filters.running) continue;
    if (filters.q !== undefined && !entry.description.toLowerCase().includes(filters.q.toLowerCase()))
      continue;
    if (filters.updatedSince !== undefined && Date.parse(entry.updatedAt) < Date.parse(filters.updatedSince))
      continue;
    const elapsed = Math.max(0, Math.floor((Date.parse(world.now) - startedAt) / 1000));
    const seconds = rounded(entry.seconds ?? elapsed, "rounding" in question ? question.rounding : undefined);
    const minor = entry.billable && entry.rate !== null ? price(seconds, entry.rate) : 0n;
    lines.push({
      id: ids.entries[at] ?? "",
      startedAt,
      endedAt: entry.seconds === null ? null : startedAt + entry.seconds * 1000,
      day,
      seconds,
      billable: entry.billable,
      rate: entry.rate,
      minor,
      currency: entry.currency,
      converted:
        convertTo === undefined ? undefined : exchanged(world, minor, entry.currency, convertTo, day),
      groups: groupsOf(world, ids, at, day),
    });
  }
  return lines.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
}

function rounded(seconds: number, rounding: string | undefined): number {
  const [way, minutes] = (rounding ?? "none:0").split(":");
  const step = Number(minutes) * 60;
  if (way === "up") while (seconds % step !== 0) seconds++;
  if (way === "down") while (seconds % step !== 0) seconds--;
  if (way === "nearest")
    seconds = seconds % step < step / 2 ? seconds - (seconds % step) : seconds - (seconds % step) + step;
  return seconds;
}

const price = (seconds: number, rate: number) => nearest([BigInt(seconds) * BigInt(rate), 3600n]);

function exchanged(world: World, minor: bigint, from: string, to: string, day: Day): bigint | null {
  if (minor === 0n) return 0n;
  const rate = rateOn(world, from, to, day);
  if (!rate) return null;
  const whole = quotient([minor, 1n], [10n ** BigInt(places[from] ?? 2), 1n]);
  return nearest(product(product(whole, rate.value), [10n ** BigInt(places[to] ?? 2), 1n]));
}

const monthNames = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** Returns the groups of an entry, by level. */
function groupsOf(world: World, ids: Ids, at: number, day: Day): Record<Level, Group[]> {
  const entry = world.entries[at] as World["entries"][number];
  const project = entry.project === null ? undefined : world.projects[entry.project];
  const teams = world.people[entry.person]?.teams ?? [];
  return {
    user: [{ key: ids.people[entry.person] ?? "", label: world.people[entry.person]?.name ?? "" }],
    project: project
      ? [{ key: ids.projects[entry.project ?? -1] ?? "", label: project.name }]
      : [{ key: null, label: "No project" }],
    client: project?.client
      ? [{ key: project.client, label: project.client }]
      : [{ key: null, label: "No client" }],
    team:
      teams.length > 0
        ? teams.map((team) => ({ key: ids.teams[team] ?? "", label: world.teams[team] ?? "" }))
        : [{ key: null, label: "No team" }],
    tag:
      entry.tags.length > 0
        ? entry.tags.map((tag) => ({ key: tag, label: tag }))
        : [{ key: null, label: "No tag" }],
    billable: [{ key: String(entry.billable), label: entry.billable ? "Billable" : "Not billable" }],
    currency: [{ key: entry.currency, label: entry.currency }],
    ...calendarOf(day, world.weekBegins),
  };
}

const units = ["day", "week", "month", "year"] as const;
type Unit = (typeof units)[number];
const isUnit = (level: Level): level is Unit => (units as readonly string[]).includes(level);

function calendarOf(day: Day, weekBegins: number): Record<Unit, Group[]> {
  const [week, month, year] = [weekOf(day, weekBegins), day.slice(0, 7), day.slice(0, 4)];
  return {
    day: [{ key: day, label: day }],
    week: [{ key: week, label: `Week of ${week}` }],
    month: [{ key: month, label: `${monthNames[Number(month.slice(5)) - 1]} ${year}` }],
    year: [{ key: year, label: year }],
  };
}

/** Adds up lines. */
function sumOf(lines: readonly Line[], convertTo: string | undefined) {
  const currencies = [...new Set(lines.map(({ currency }) => currency))].sort();
  const known = lines.flatMap(({ converted }) => converted ?? []).reduce((a, b) => a + b, 0n);
  const complete = lines.every(({ converted }) => converted !== null);
  const convertedKnown = { amount: decimal(known, places[convertTo ?? ""] ?? 2), currency: convertTo };
  return {
    durationSeconds: lines.reduce((sum, { seconds }) => sum + seconds, 0),
    billableSeconds: lines.reduce((sum, { seconds, billable }) => sum + (billable ? seconds : 0), 0),
    entryCount: lines.length,
    amounts: currencies.map((currency) => ({
      amount: decimal(minorOf(lines, currency), places[currency] ?? 2),
      currency,
    })),
    ...(convertTo !== undefined && { converted: complete ? convertedKnown : null, convertedKnown, complete }),
  };
}

const minorOf = (lines: readonly Line[], currency: string) =>
  lines.reduce((sum, line) => sum + (line.currency === currency ? line.minor : 0n), 0n);

/** The entries of a group, in the order of the groups of a report. */
type Bundle = Group & { lines: Line[] };

type Order = (a: Bundle, b: Bundle) => number;

/** Returns the groups of one level. */
function bundlesOf(lines: readonly Line[], level: Level, order: Order): Bundle[] {
  const bundles = new Map<string | null, Bundle>();
  for (const line of lines)
    for (const group of line.groups[level]) {
      const bundle = bundles.get(group.key) ?? { ...group, lines: [] };
      bundle.lines.push(line);
      bundles.set(group.key, bundle);
    }
  return [...bundles.values()].sort(order);
}

const alphabet = new Intl.Collator("en");
const timeOf = ({ lines }: { lines: readonly Line[] }) =>
  lines.reduce((sum, { seconds }) => sum + seconds, 0);
const longestFirst: Order = (a, b) => timeOf(b) - timeOf(a) || alphabet.compare(a.label, b.label);
const earliestFirst: Order = (a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1);
const usualOrder = (level: Level) => (isUnit(level) ? earliestFirst : longestFirst);

/** Returns which currencies have entries without a rate, on which days. */
function missingRatesOf(lines: readonly Line[]) {
  const without = lines.filter(({ converted }) => converted === null);
  return [...new Set(without.map(({ currency }) => currency))].sort().map((currency) => {
    const days = without
      .filter((line) => line.currency === currency)
      .map(({ day }) => day)
      .sort();
    return { currency, from: days[0], to: days.at(-1), entries: days.length };
  });
}

const missing = ({ convertTo }: Question, lines: readonly Line[]) =>
  convertTo === undefined ? {} : { missingRates: missingRatesOf(lines) };

/** Answers `GET /api/v1/reports/summary`. */
function summary(world: World, ids: Ids, question: Summary) {
  const { convertTo } = question;
  const period = periodOf(world, question);
  const lines = linesOf(world, ids, question, period);
  const view = ({ key, label, lines }: Bundle) => ({ key, label, ...sumOf(lines, convertTo) });
  const [first = "project", second] = question.levels;
  const groups = bundlesOf(lines, first, usualOrder(first));
  return {
    ...period,
    timezone: world.zone,
    groups: groups.map((group) => ({
      ...view(group),
      ...(second && { groups: bundlesOf(group.lines, second, usualOrder(second)).map(view) }),
    })),
    totals: sumOf(lines, convertTo),
    ...missing(question, lines),
    ...(question.charts && { charts: chartsOf(world, question, lines, groups, first) }),
  };
}

function chartsOf(
  world: World,
  { convertTo, ...question }: Summary,
  lines: readonly Line[],
  groups: Bundle[],
  level: Level,
) {
  const days = daysFrom(
    ...(Object.values(periodOf(world, { convertTo, ...question } as Summary)) as [Day, Day]),
  );
  const barsOf = (unit: Unit) => {
    const labels = new Map(
      days
        .map((day) => calendarOf(day, world.weekBegins)[unit][0])
        .map((one) => [one?.key, one?.label ?? ""]),
    );
    return [...labels].map(([key, label]) => ({
      label,
      lines: lines.filter((line) => line.groups[unit][0]?.key === key),
    }));
  };
  const unit: Unit = days.length <= 62 ? "day" : days.length <= 366 ? "week" : "month";
  const bars = barsOf(unit);
  const labels = bars.map(({ label }) => label);
  const money = (id: string, title: string, currency: string, minor: (lines: readonly Line[]) => bigint) => ({
    id,
    type: "line",
    title: `${title}, ${currency}`,
    unit: currency,
    labels,
    series: [{ name: currency, data: bars.map(({ lines }) => decimal(minor(lines), places[currency] ?? 2)) }],
  });
  const billable = (is: boolean) =>
    bars.map(({ lines }) => timeOf({ lines: lines.filter((line) => line.billable === is) }));
  const parts = isUnit(level) ? barsOf(level) : groups;
  const convertible = convertTo !== undefined && lines.every(({ converted }) => converted !== null);
  return [
    {
      id: "duration-over-time",
      type: "bar",
      title: `Time per ${unit}`,
      unit: "seconds",
      labels,
      series: [
        { name: "Billable", data: billable(true) },
        { name: "Not billable", data: billable(false) },
      ],
    },
    {
      id: `duration-by-${level}`,
      type: isUnit(level) ? "bar" : "pie",
      title: `Time by ${level === "user" ? "person" : level}`,
      unit: "seconds",
      labels: parts.map(({ label }) => label),
      series: [{ name: "Time", data: parts.map(timeOf) }],
    },
    ...sumOf(lines, undefined).amounts.map(({ currency }) =>
      money(`amount-over-time-${currency}`, `Amount per ${unit}`, currency, (lines) =>
        minorOf(lines, currency),
      ),
    ),
    ...(convertible
      ? [
          money("converted-over-time", `Amount per ${unit}, converted`, convertTo, (lines) =>
            lines.reduce((sum, { converted }) => sum + (converted ?? 0n), 0n),
          ),
        ]
      : []),
  ];
}

/** Answers `GET /api/v1/reports/custom`. */
function custom(world: World, ids: Ids, question: Custom) {
  const {
    levels,
    convertTo,
    metrics = ["duration_seconds", "billable_seconds", "entry_count", "amounts"],
    sort,
  } = question;
  const period = periodOf(world, question);
  const lines = linesOf(world, ids, question, period);
  const shown = question.columns;
  const rows = (lines: readonly Line[]) => {
    const inOrder = sort === "-started_at" ? [...lines].reverse() : lines;
    return inOrder.map((line) =>
      Object.fromEntries(shown.map((name) => [camelCase(name), cellOf(world, convertTo, line, name)])),
    );
  };
  const groupsOf = (lines: readonly Line[], [level, ...deeper]: readonly Level[]): object[] =>
    level === undefined
      ? []
      : bundlesOf(lines, level, orderOf(sort) ?? usualOrder(level)).map(({ key, label, lines }) => ({
          key,
          label,
          ...metricsOf(lines, metrics, convertTo),
          ...(deeper.length > 0 && { groups: groupsOf(lines, deeper) }),
          ...(deeper.length === 0 && shown.length > 0 && { entries: rows(lines) }),
        }));
  return {
    ...period,
    timezone: world.zone,
    columns: shown.map((id) => ({ id, title: columns[id] })),
    metrics,
    ...(levels.length > 0 && { groups: groupsOf(lines, levels) }),
    ...(levels.length === 0 && shown.length > 0 && { entries: rows(lines) }),
    totals: metricsOf(lines, metrics, convertTo),
    ...missing(question, lines),
  };
}

const camelCase = (name: string) => name.replace(/_./g, (part) => part.slice(1).toUpperCase());

function metricsOf(lines: readonly Line[], metrics: readonly Metric[], convertTo: string | undefined) {
  const { durationSeconds, billableSeconds, entryCount, ...money } = sumOf(lines, convertTo);
  const percent =
    durationSeconds === 0 ? 0n : nearest([BigInt(billableSeconds) * 10_000n, BigInt(durationSeconds)]);
  return {
    ...(metrics.includes("duration_seconds") && { durationSeconds }),
    ...(metrics.includes("billable_seconds") && { billableSeconds }),
    ...(metrics.includes("entry_count") && { entryCount }),
    ...(metrics.includes("amounts") && money),
    ...(metrics.includes("billable_percent") && { billablePercent: decimal(percent, 2) }),
  };
}

function orderOf(sort: string | undefined): Order | undefined {
  const [, minus, name = "started_at"] = /^(-?)(.*)$/.exec(sort ?? "started_at") ?? [];
  if (name === "started_at") return undefined;
  const sign = minus ? -1 : 1;
  const byLabel: Order = (a, b) => alphabet.compare(a.label, b.label);
  if (name === "label") return (a, b) => sign * byLabel(a, b);
  const figure = ({ lines }: Bundle) => {
    if (name === "entry_count") return lines.length;
    return timeOf({ lines: name === "billable_seconds" ? lines.filter(({ billable }) => billable) : lines });
  };
  return (a, b) => sign * (figure(a) - figure(b)) || byLabel(a, b);
}

function cellOf(
  { zone }: World,
  convertTo: string | undefined,
  line: Line,
  name: Column,
): string | number | null {
  const { id, day, startedAt, seconds, rate, minor, currency, converted } = line;
  switch (name) {
    case "id":
      return id;
    case "day":
      return day;
    case "started_local":
      return wallClock(zone, startedAt);
    case "duration_seconds":
      return seconds;
    case "hourly_rate":
      return rate === null ? null : decimal(BigInt(rate), places[currency] ?? 2);
    case "amount":
      return decimal(minor, places[currency] ?? 2);
    case "currency":
      return currency;
    case "converted":
      return typeof converted === "bigint" ? decimal(converted, places[convertTo ?? ""] ?? 2) : null;
  }
}

/** Answers `GET /api/v1/time-entries`, as far as it is about time and money. */
function list(world: World, ids: Ids, question: List) {
  const lines = linesOf(world, ids, question, question);
  const { convertTo, oldestFirst } = question;
  return {
    entries: (oldestFirst ? lines : lines.reverse()).map(
      ({ id, seconds, minor, currency, day, converted }) => {
        const rate = convertTo === undefined ? undefined : rateOn(world, currency, convertTo, day);
        const details = rate && { rate: rate.text, rateDate: rate.day, rateSource: rate.source };
        return {
          id,
          durationSeconds: seconds,
          amount: decimal(minor, places[currency] ?? 2),
          currency,
          ...(convertTo !== undefined && {
            converted: details
              ? { amount: decimal(converted ?? 0n, places[convertTo] ?? 2), currency: convertTo, ...details }
              : null,
          }),
        };
      },
    ),
    ...missing(question, lines),
  };
}

/** A row of a CSV file, by the names of its columns. */
export type Row = Record<string, string>;

/** Returns the rows of a file of groups, or of entries without levels, by the names of the columns. */
export function file(world: World, ids: Ids, question: File): Row[] {
  const { levels, convertTo } = question;
  const lines = linesOf(world, ids, question, periodOf(world, question));
  const convertedName = `converted_${convertTo?.toLowerCase()}`;
  const figures = (seconds: number, name: string) => ({
    [`${name}_seconds`]: String(seconds),
    [name === "duration" ? "duration" : `${name}_duration`]:
      `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")}`,
    [name === "duration" ? "hours" : `${name}_hours`]: decimal(
      BigInt(Math.floor((seconds * 20_000 + 3600) / 7200)),
      4,
    ),
  });
  if (levels.length === 0)
    return lines.map((line) => ({
      id: line.id,
      ...detailsOf(world, ids, line),
      day: line.day,
      ...figures(line.seconds, "duration"),
      started_local: wallClock(world.zone, line.startedAt),
      ended_local: line.endedAt === null ? "" : wallClock(world.zone, line.endedAt),
      timezone: world.zone,
      billable: line.billable ? "yes" : "no",
      amount: String(cellOf(world, convertTo, line, "amount")),
      hourly_rate: String(cellOf(world, convertTo, line, "hourly_rate") ?? ""),
      currency: line.currency,
      ...(convertTo !== undefined && {
        [convertedName]: String(cellOf(world, convertTo, line, "converted") ?? ""),
      }),
    }));
  const rowsOf = (lines: readonly Line[], [level, ...deeper]: readonly Level[], above: Row): Row[] => {
    if (level !== undefined)
      return bundlesOf(lines, level, usualOrder(level)).flatMap(({ key, label, lines }) =>
        rowsOf(lines, deeper, {
          ...above,
          [level]: label,
          ...(["user", "project", "team"].includes(level) && { [`${level}_id`]: key ?? "" }),
        }),
      );
    return [...new Set(lines.map(({ currency }) => currency))].sort().map((currency) => {
      const part = lines.filter((line) => line.currency === currency);
      const { durationSeconds, billableSeconds, entryCount, amounts, converted } = sumOf(part, convertTo);
      return {
        ...above,
        currency,
        ...figures(durationSeconds, "duration"),
        ...figures(billableSeconds, "billable"),
        entry_count: String(entryCount),
        amount: amounts[0]?.amount ?? "",
        ...(convertTo !== undefined && {
          [convertedName]: converted?.amount ?? "",
          entries_without_rate: String(part.filter((line) => line.converted === null).length),
        }),
      };
    });
  };
  return rowsOf(lines, levels, {});
}

/** Returns the columns of a file that come from the entry as it is stored. */
function detailsOf({ entries, people, projects }: World, ids: Ids, { id, startedAt, endedAt }: Line): Row {
  const entry = entries[ids.entries.indexOf(id)] as World["entries"][number];
  const project = entry.project === null ? undefined : projects[entry.project];
  const utc = (at: number | null) => (at === null ? "" : new Date(at).toISOString());
  return {
    started_at: utc(startedAt),
    ended_at: utc(endedAt),
    user: people[entry.person]?.name ?? "",
    user_id: ids.people[entry.person] ?? "",
    project: project?.name ?? "",
    project_id: ids.projects[entry.project ?? -1] ?? "",
    client: project?.client ?? "",
    // No cell of a file is a formula.
    description: entry.description.replace(/^=/, "'="),
    tags: entry.tags.join(", "),
  };
}

/** Answers a question. */
export function answer(world: World, ids: Ids, question: Question): unknown {
  switch (question.kind) {
    case "summary":
      return summary(world, ids, question);
    case "custom":
      return custom(world, ids, question);
    case "list":
      return list(world, ids, question);
    case "file":
      return file(world, ids, question);
  }
}

/** Returns the totals of a report, for files that show them. */
export function totals(world: World, ids: Ids, question: Question) {
  return sumOf(linesOf(world, ids, question, periodOf(world, question)), question.convertTo);
}
