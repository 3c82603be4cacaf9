import fc from "fast-check";
import { type Day, dayAt, daysLater, instantOf } from "./days.ts";
import { type Column, columns, type Filters, metrics, type Question, sorts } from "./question.ts";
import { type Entry, levels, type Person, type Source, sources, type Table, type World } from "./world.ts";

type Moment = readonly [zone: string, day: Day, seconds: number];

/** Moments at which something odd happens: a time zone, a day and its second. Each world has its entries around one. */
const moments: readonly Moment[] = [
  // Clocks change by half an hour.
  ["Australia/Lord_Howe", "2026-04-05", 7200],
  ["Australia/Lord_Howe", "2026-10-04", 7200],
  // Clocks go back for Ramadan.
  ["Africa/Casablanca", "2026-02-15", 10_800],
  ["Africa/Casablanca", "2026-03-22", 7200],
  // Skipped days.
  ["Pacific/Apia", "2011-12-31", 0],
  ["Pacific/Kwajalein", "1993-08-22", 0],
  // The day begins at one, or its first hour or the last hour before it is repeated.
  ["Asia/Beirut", "2026-03-29", 0],
  ["America/Havana", "2026-11-01", 3600],
  ["America/Sao_Paulo", "2018-02-18", 0],
  ["Africa/Cairo", "2026-10-30", 0],
  // Offsets with minutes and seconds, and a change by thirty minutes at midnight.
  ["Pacific/Chatham", "2026-09-27", 9900],
  ["Africa/Monrovia", "1972-01-07", 0],
  ["Asia/Pyongyang", "2018-05-05", 0],
  ["Antarctica/Troll", "2026-03-29", 3600],
  ["Europe/Berlin", "2026-10-25", 10_800],
  ["America/New_York", "2026-03-08", 7200],
  ["UTC", "2026-06-30", 0],
  // The last days of currencies.
  ["Europe/Sofia", "2026-01-01", 0],
  ["Europe/Zagreb", "2023-01-01", 0],
  ["Europe/Vilnius", "2015-01-01", 0],
  ["Europe/Rome", "2002-01-01", 0],
];

/** Currencies in use. EUR, USD and GBP are in the tables of both banks. */
const live = ["EUR", "USD", "GBP", "PLN", "JPY", "KRW", "KWD", "CLP", "VND"] as const;
const ended = ["BGN", "HRK", "LTL", "DEM", "ITL"] as const;
const published: Readonly<Record<Source, readonly string[]>> = {
  // The banks also published market rates of currencies before these ended.
  ECB: ["USD", "GBP", "PLN", "JPY", "KRW", "BGN", "HRK"],
  "NBP-A": ["EUR", "USD", "GBP", "JPY", "KRW", "CLP", "HRK"],
  "NBP-B": ["KWD", "VND"],
};

/** Mostly currencies that all banks publish. */
const existing = fc.oneof(fc.constantFrom("EUR", "USD", "GBP"), fc.constantFrom(...live));
const currency = fc.oneof(
  { weight: 3, arbitrary: existing },
  { weight: 1, arbitrary: fc.constantFrom(...ended) },
);

const tags = ["a", "B c", 'd "e"', "ä,ö"];

/** How many days before and after the moment there are entries. */
const around = 25;
const daysAround = fc.integer({ min: -around, max: around });

/** Mostly rates whose quotients convert many amounts to exactly half a minor unit. */
const rate = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("2", "0.5", "4", "0.8", "100") },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 9_999_999 })
      .map((units) => `${Math.floor(units / 10_000)}.${String(units % 10_000 || 1).padStart(4, "0")}`),
  },
);

const entry = fc.record({
  person: fc.nat(3),
  project: fc.option(fc.nat(3)),
  start: fc.oneof(
    fc.record({
      day: daysAround,
      second: fc.oneof(fc.constantFrom(-1, 0, 1, 1800, 3599, 3600, 7200, 82_800, 86_399), fc.nat(86_399)),
    }),
    fc.record({ afterMoment: fc.integer({ min: -11_000, max: 11_000 }) }),
  ),
  seconds: fc.option(fc.oneof(fc.constantFrom(0, 59, 900, 1800, 3600, 3600, 7200, 90_000), fc.nat(400_000)), {
    freq: 10,
  }),
  billable: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  rate: fc.option(fc.oneof(fc.constantFrom(0, 1, 25, 101, 4999, 9999), fc.nat(20_000_000)), { freq: 8 }),
  currency: fc.option(currency, { freq: 1 }),
  tags: fc.subarray(tags),
  description: fc.constantFrom("", "Work", "100 % done", "a_b", "two\nlines", "=1+1"),
  updated: daysAround,
});

const tablesOf = (source: Source) =>
  fc.array(
    fc.record({
      source: fc.constant(source),
      /** Days since the table before. Rates of more than fourteen days ago do not count. */
      gap: fc.constantFrom(1, 1, 1, 1, 2, 3, 4, 17),
      rates: fc.record(Object.fromEntries(published[source].map((code) => [code, rate])), {
        requiredKeys: [],
      }),
      /** Days until the rates and the corrections were recorded. */
      recorded: fc.constantFrom(0, 0, 0, 12, 24),
      corrections: fc.array(
        fc.record({ currency: fc.constantFrom(...published[source]), rate, after: fc.nat(20) }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 48, size: "max" },
  );

const worldsOf = (moments: readonly Moment[], minEntries: number): fc.Arbitrary<World> =>
  fc
    .record({
      moment: fc.constantFrom(...moments),
      weekBegins: fc.integer({ min: 1, max: 7 }),
      base: existing,
      people: fc.array(
        fc.record({
          role: fc.constantFrom("member" as const, "member" as const, "manager" as const, "former" as const),
          teams: fc.subarray([0, 1]),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      ownersTeams: fc.subarray([0, 1]),
      projects: fc.array(
        fc.record({
          client: fc.constantFrom("", "Acme", "Böse & Söhne", 'The "Q", Inc.'),
          currency,
          archived: fc.boolean(),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      entries: fc.array(entry, { minLength: minEntries, maxLength: 150, size: "max" }),
      reached: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Source[]>([...sources]) },
        { weight: 1, arbitrary: fc.subarray([...sources]) },
      ),
      tables: fc.tuple(tablesOf("ECB"), tablesOf("NBP-A"), tablesOf("NBP-B")),
      overrides: fc.array(
        fc.record({
          currency: fc.constantFrom(...live),
          base: fc.option(fc.constantFrom(...live)),
          rate,
          from: daysAround,
          days: fc.option(fc.nat(20)),
        }),
        { maxLength: 4 },
      ),
      locks: fc.array(fc.record({ until: daysAround, after: fc.integer({ min: 1, max: 20 }) }), {
        maxLength: 2,
      }),
    })
    .map((raw): World => {
      const [zone, day, second] = raw.moment;
      const offset = (days: number) => daysLater(day, days);
      const iso = (at: number) => new Date(at).toISOString();
      const people: Person[] = [
        { name: "Ada", role: "owner", teams: raw.ownersTeams },
        ...raw.people.map((one, at): Person => ({ name: ["Chloé", "Дмитрий", "Øyvind"][at] ?? "", ...one })),
      ];
      const projects = raw.projects.map((one, at) => ({ name: `Project ${"DCBA"[at]}`, ...one }));
      const running = new Set<number>();
      const entries = raw.entries.map(({ start, updated, ...one }): Entry => {
        const person = one.person % people.length;
        const project = one.project === null ? null : one.project % projects.length;
        // A person has one timer, and none on an archived project.
        const runs =
          one.seconds === null && !running.has(person) && !(project !== null && projects[project]?.archived);
        if (runs) running.add(person);
        const at =
          "day" in start
            ? instantOf(zone, offset(start.day), start.second)
            : instantOf(zone, day, second) + start.afterMoment * 1000;
        return {
          ...one,
          person,
          project,
          startedAt: iso(at),
          seconds: runs ? null : (one.seconds ?? 60),
          currency: one.currency ?? (project === null ? raw.base : (projects[project]?.currency ?? raw.base)),
          updatedAt: `${offset(updated)}T12:00:00.000Z`,
        };
      });
      return {
        zone,
        weekBegins: raw.weekBegins,
        base: raw.base,
        now: iso(instantOf(zone, offset(around + 2), 43_200)),
        people,
        teams: ["Red", "Blue"],
        projects,
        entries,
        tables: raw.tables
          .flatMap((tables) => tablesFrom(tables, offset(-around - 20)))
          .filter(({ source }) => raw.reached.includes(source)),
        reached: raw.reached,
        overrides: unique(
          raw.overrides.flatMap(({ currency, base, rate, from, days }) =>
            currency === (base ?? raw.base)
              ? []
              : [
                  {
                    currency,
                    base: base ?? raw.base,
                    rate,
                    from: offset(from),
                    to: days === null ? null : offset(from + days),
                  },
                ],
          ),
          ({ currency, from }) => `${currency} ${from}`,
        ),
        locks: unique(
          raw.locks.map(({ until, after }) => ({
            until: offset(until),
            at: `${offset(until + after)}T12:00:00.000Z`,
          })),
          ({ until }) => until,
        ),
      };
    });

/** Worlds with many entries, in a time zone of `moments`. */
export const fullWorlds = (zone: string): fc.Arbitrary<World> =>
  fc.noBias(
    worldsOf(
      moments.filter(([name]) => name === zone),
      91,
    ),
  );

type RawTable = {
  source: Source;
  gap: number;
  rates: Record<string, string | undefined>;
  recorded: number;
  corrections: { currency: string; rate: string; after: number }[];
};

function tablesFrom(raw: readonly RawTable[], start: Day): Table[] {
  let day = start;
  return raw.map(({ source, gap, rates, recorded, corrections }) => {
    day = daysLater(day, gap);
    const recordedOn = daysLater(day, recorded);
    let last = recordedOn;
    return {
      source,
      day,
      recordedAt: `${recordedOn}T16:00:00.000Z`,
      rates: Object.fromEntries(
        Object.entries(rates).flatMap(([code, rate]) => (rate === undefined ? [] : [[code, rate]])),
      ),
      corrections: corrections
        .filter(({ currency }) => rates[currency] !== undefined)
        .map(({ currency, rate, after }) => {
          last = daysLater(last, after);
          return { currency, rate, recordedAt: `${last}T17:00:00.000Z` };
        }),
    };
  });
}

function unique<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

const rounding = fc
  .record({
    way: fc.constantFrom("up", "down", "nearest"),
    minutes: fc.constantFrom(1, 5, 6, 15, 60, 240),
  })
  .map(({ way, minutes }) => `${way}:${minutes}`);

/** Half of the questions have no filter, so that many entries remain. */
const filter = fc.oneof(
  fc.record({ person: fc.nat(3) }),
  fc.record({ project: fc.nat(3) }),
  fc.record({ team: fc.nat(1) }),
  fc.record({ tag: fc.constantFrom(...tags) }),
  fc.record({ billable: fc.boolean() }),
  fc.record({ currency }),
  fc.record({ running: fc.boolean() }),
  fc.record({ q: fc.constantFrom("work", "%", "_", "o") }),
  fc.record({ updatedSince: daysAround }),
);
const filters = fc
  .oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(filter) },
    { weight: 1, arbitrary: fc.tuple(filter, filter) },
  )
  .map((some) => Object.assign({}, ...some) as Omit<Filters, "updatedSince"> & { updatedSince?: number });

const optional = <T>(arbitrary: fc.Arbitrary<T>, freq: number) =>
  fc.option(arbitrary, { freq, nil: undefined });

const scope = {
  by: fc.nat(3),
  from: optional(fc.integer({ min: -30, max: 5 }), 3),
  days: optional(fc.nat(60), 3),
  filters,
  convertTo: optional(existing, 4),
};
const someLevels = (minLength: number, maxLength: number) =>
  fc.uniqueArray(fc.constantFrom(...levels), { minLength, maxLength });

const drafts = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("summary" as const),
      ...scope,
      levels: someLevels(1, 2),
      rounding: optional(rounding, 1),
      charts: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("custom" as const),
      ...scope,
      levels: someLevels(0, 3),
      rounding: optional(rounding, 1),
      columns: fc.subarray(Object.keys(columns) as Column[]),
      metrics: optional(fc.subarray([...metrics], { minLength: 1 }), 1),
      sort: optional(fc.constantFrom(...sorts, ...sorts.map((name) => `-${name}` as const)), 2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("list" as const), ...scope, oldestFirst: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("file" as const),
      ...scope,
      levels: someLevels(0, 2),
      rounding: optional(rounding, 1),
    }),
  },
);
type Draft = typeof drafts extends fc.Arbitrary<infer Value> ? Value : never;

export type Case = { world: World; questions: Question[] };

/**
 * Returns an arbitrary of worlds with so many questions about each. Shrinking also removes questions. Values have no bias
 * towards small ones, because an empty report finds little.
 */
export function casesOf(questions: number): fc.Arbitrary<Case> {
  const almostAlways = { freq: 1_000_000 };
  const size = { minLength: questions, maxLength: questions };
  // Questions come first, because they are shrunk first: with one question, shrinking the world is fast.
  return fc.noBias(
    fc
      .tuple(fc.array(fc.option(drafts, almostAlways), size), worldsOf(moments, 0))
      .map(([drafts, world]) => ({
        world,
        questions: drafts.flatMap((draft) => (draft ? [questionFrom(world, draft)] : [])),
      })),
  );
}

/** Makes a question fit a world. */
function questionFrom(world: World, draft: Draft): Question {
  const middle = daysLater(dayAt(world.zone, Date.parse(world.now)), -around - 2);
  const { person, project, updatedSince, running, q, ...always } = draft.filters;
  const by = draft.by % world.people.length;
  const from = draft.from === undefined ? undefined : daysLater(middle, draft.from);
  const to = draft.days === undefined ? undefined : daysLater(from ?? daysLater(middle, -around), draft.days);
  const filters: Filters = {
    ...always,
    ...(person !== undefined && { person: person % world.people.length }),
    ...(project !== undefined && { project: project % world.projects.length }),
    ...(draft.kind !== "file" && {
      ...(running !== undefined && { running }),
      ...(q !== undefined && { q }),
      ...(updatedSince !== undefined && { updatedSince: `${daysLater(middle, updatedSince)}T12:00:00Z` }),
    }),
  };
  const { from: _, days: __, ...rest } = draft;
  const question = {
    ...rest,
    by: world.people[by]?.role === "former" ? 0 : by,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    filters,
  };
  if (question.kind !== "custom") return question;
  const canShow = question.columns.filter((name) => name !== "converted" || question.convertTo !== undefined);
  return { ...question, columns: canShow };
}
