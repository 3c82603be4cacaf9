import * as XLSX from "@e965/xlsx";
import { addDays, dayIn } from "@svc/core/base/day";
import { newId } from "@svc/core/base/id";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person } from "@svc/core/testing/people";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { request } from "../../testing/request.ts";

/**
 * Checks that every report agrees. The test creates two thousand random entries and computes all totals itself, entry by
 * entry. The list, the summary, the custom report and the files must return the same figures.
 */
const count = 2000;
const timezone = "Europe/Berlin";
const from = "2026-01-01";
const to = "2026-11-21";
const now = new Date("2026-11-21T12:00:00Z");
const decimals: Record<string, number> = { EUR: 2, USD: 2, GBP: 2, JPY: 0, KWD: 3 };
const currencies = Object.keys(decimals);

/** Returns a random number generator that gives the same sequence in every run (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Plain = {
  id: string;
  userId: string;
  projectId: string | null;
  client: string | null;
  teams: string[];
  tags: string[];
  day: string;
  billable: boolean;
  seconds: number;
  minor: bigint;
  currency: string;
};

/** Rounds half to even by comparing the exact price with the amounts below and above. */
function price(seconds: number, hourly: bigint): bigint {
  const exact = BigInt(seconds) * hourly;
  const lower = exact / 3600n;
  const [down, up] = [exact - lower * 3600n, (lower + 1n) * 3600n - exact];
  if (down === up) return lower % 2n === 0n ? lower : lower + 1n;
  return down < up ? lower : lower + 1n;
}

function decimal(minor: bigint, currency: string): string {
  const digits = decimals[currency] ?? 2;
  const text = String(minor).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function minorOf(text: string, currency: string): bigint {
  expect(text).toMatch(decimals[currency] ? new RegExp(`^\\d+\\.\\d{${decimals[currency]}}$`) : /^\d+$/);
  return BigInt(text.replace(".", ""));
}

type Total = {
  durationSeconds: number;
  billableSeconds: number;
  entryCount: number;
  amounts: { amount: string; currency: string }[];
};

function total(entries: readonly Plain[]): Total {
  const amounts = new Map<string, bigint>();
  let [durationSeconds, billableSeconds] = [0, 0];
  for (const { seconds, billable, minor, currency } of entries) {
    durationSeconds += seconds;
    if (billable) billableSeconds += seconds;
    amounts.set(currency, (amounts.get(currency) ?? 0n) + minor);
  }
  return {
    durationSeconds,
    billableSeconds,
    entryCount: entries.length,
    amounts: [...amounts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, minor]) => ({ amount: decimal(minor, currency), currency })),
  };
}

/** The first day of the week, which is a Sunday in this workspace. */
const week = (day: string) => addDays(day, -new Date(day).getUTCDay());

const keys: Record<string, (entry: Plain) => (string | null)[]> = {
  user: ({ userId }) => [userId],
  project: ({ projectId }) => [projectId],
  client: ({ client }) => [client],
  team: ({ teams }) => (teams.length > 0 ? teams : [null]),
  tag: ({ tags }) => (tags.length > 0 ? tags : [null]),
  billable: ({ billable }) => [String(billable)],
  currency: ({ currency }) => [currency],
  day: ({ day }) => [day],
  week: ({ day }) => [week(day)],
  month: ({ day }) => [day.slice(0, 7)],
  year: ({ day }) => [day.slice(0, 4)],
};

/** Groups entries by each level in turn and returns the total of each path of keys. */
function grouped(entries: readonly Plain[], levels: readonly string[]): Map<string, Total> {
  const groups = new Map<string, Plain[]>();
  for (const entry of entries) {
    let paths: (string | null)[][] = [[]];
    for (const level of levels)
      paths = paths.flatMap((path) => (keys[level]?.(entry) ?? []).map((key) => [...path, key]));
    for (const path of paths) {
      const at = JSON.stringify(path);
      groups.set(at, [...(groups.get(at) ?? []), entry]);
    }
  }
  return new Map([...groups].map(([path, list]) => [path, total(list)]));
}

type GroupView = Total & { key: string | null; label: string; groups?: GroupView[] };

/** Returns the innermost groups of a report with their paths of keys. */
function leaves(groups: readonly GroupView[], above: (string | null)[] = []): [string, Total][] {
  return groups.flatMap(({ key, label, groups: below, ...sum }) =>
    below ? leaves(below, [...above, key]) : [[JSON.stringify([...above, key]), sum]],
  );
}

let ada: Person & Home;
let entries: Plain[];
let bucket: TestBucket;

beforeAll(async () => {
  vi.useFakeTimers({ now, toFake: ["Date"] });
  vi.stubEnv("RATE_LIMITS", "off");
  bucket = await startBucket();
  ada = await owner("Ada", "ENTERPRISE");
  const { workspaceId, token } = ada;
  await db()
    .updateTable("workspaces")
    .set({ timezone, week_start: 7 })
    .where("id", "=", workspaceId)
    .execute();
  const people: Person[] = [ada];
  for (const name of ["=Bob", "Chloé", "Dmitri Волков"]) people.push(await colleague(ada, "member", name));
  const team = (await request("POST /team", { token, body: { name: "Second", workspaceId } })).body.id;
  // The creator of a team is its first member.
  const teams = new Map(people.map(({ id }) => [id, id === ada.id ? [ada.teamId, team] : [ada.teamId]]));
  for (const { id } of people.slice(1, 3)) {
    await db().insertInto("team_members").values({ team_id: team, user_id: id, joined_at: now }).execute();
    teams.get(id)?.push(team);
  }
  const roll = randomFrom(20261121);
  const projects = [];
  for (const [at, currency] of [...currencies, ...currencies].entries())
    projects.push(
      (
        await request("POST /api/v1/projects", {
          token,
          body: {
            name: `+Project ${at}`,
            client: at % 3 === 0 ? "" : `Client ${at % 4}`,
            currency,
            hourlyRate: decimal(BigInt(1000 + roll(20_000)), currency),
          },
        })
      ).body,
    );
  await insertRates(roll);
  const first = Date.parse("2025-12-31T23:00:00Z") / 1000;
  const span = Date.parse("2026-11-21T10:00:00Z") / 1000 - first;
  const running = new Set<string>();
  entries = [];
  const rows = [];
  for (let at = 0; at < count; at++) {
    const person = people[roll(people.length)] as Person;
    const project = roll(8) === 0 ? undefined : projects[roll(projects.length)];
    const started = new Date((first + roll(span)) * 1000);
    const runs = roll(20) === 0 && !running.has(person.id);
    if (runs) running.add(person.id);
    const length = roll(3) === 0 ? roll(400_000) : roll(9) * 900;
    const seconds = runs ? (now.getTime() - started.getTime()) / 1000 : length;
    const billable = project !== undefined && roll(4) > 0;
    const rate = project ? minorOf(project.hourlyRate, project.currency) : null;
    const currency = project?.currency ?? "EUR";
    const minor = billable && rate !== null ? price(seconds, rate) : 0n;
    const tags = ["=1+1", "b", 'c "d"'].filter(() => roll(3) === 0);
    const id = newId("tim", started);
    entries.push({
      id,
      userId: person.id,
      projectId: project?.id ?? null,
      client: project?.client || null,
      teams: teams.get(person.id) ?? [],
      tags,
      day: dayIn(timezone, started),
      billable,
      seconds,
      minor,
      currency,
    });
    rows.push({
      id,
      workspace_id: workspaceId,
      user_id: person.id,
      project_id: project?.id ?? null,
      description: ["=HYPERLINK(1)", "@work", "plain, with a comma", "two\nlines", "-1", ""][roll(6)] ?? "",
      started_at: started,
      ended_at: runs ? null : new Date(started.getTime() + seconds * 1000),
      duration_seconds: runs ? null : seconds,
      billable,
      hourly_rate_minor: rate,
      amount_minor: runs ? null : minor,
      currency,
      tags: JSON.stringify(tags),
      created_at: started,
      updated_at: started,
    });
  }
  expect(running.size).toBe(people.length);
  for (let at = 0; at < count; at += 500)
    await db()
      .insertInto("time_entries")
      .values(rows.slice(at, at + 500))
      .execute();
}, 120_000);

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await bucket.close();
});

/** Inserts a rate for each currency on every weekday. */
async function insertRates(roll: (below: number) => number): Promise<void> {
  const days = Array.from({ length: 340 }, (_, at) => addDays("2025-12-20", at));
  const fetched_at = now;
  const published = days
    .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
    .flatMap((day) =>
      currencies
        .filter((code) => code !== "EUR")
        .map((code) => ({
          source: "ECB",
          code,
          day,
          rate: `${code === "JPY" ? 160 + roll(9) : roll(2)}.${1000 + roll(8999)}`,
          document: `ECB ${day}`,
          fetched_at,
        })),
    );
  for (let at = 0; at < published.length; at += 500)
    await db()
      .insertInto("rates")
      .values(published.slice(at, at + 500))
      .execute();
  await db()
    .insertInto("rate_feeds")
    .values({ feed: "ecb-daily", source: "ECB", address: "x", last_day: to, fetched_at })
    .execute();
}

const ask = async (path: "summary" | "custom", query: Record<string, string>) => {
  const { status, body } = await request(`GET /api/v1/reports/${path}`, {
    token: ada.token,
    query: { from, to, ...query },
  });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
};

/** Returns all time entries of the list, read by cursor. */
async function listed(query: Record<string, string> = {}) {
  const found = [];
  let cursor: string | undefined;
  do {
    const { body } = await request("GET /api/v1/time-entries", {
      token: ada.token,
      query: { from, to, limit: "200", ...query, ...(cursor && { cursor }) },
    });
    found.push(...body.data);
    cursor = body.meta.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

/** Generates a report and downloads its file from the signed URL. */
async function generated(body: object): Promise<Buffer> {
  const created = await request("POST /api/v1/reports/generate", {
    token: ada.token,
    body: { from, to, ...body },
  });
  expect([created.status, created.body.detail]).toEqual([201, undefined]);
  const file = await fetch(created.body.signedUrl);
  expect(file.status).toBe(200);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes.length).toBe(created.body.size);
  return bytes;
}

/** Returns the rows of one sheet of a CSV or XLSX file as a spreadsheet program reads them. No cell may be a formula. */
function sheet(bytes: Buffer, format: string, at = 0): Record<string, string | number>[] {
  const book =
    format === "csv" ? XLSX.read(bytes.toString(), { type: "string", raw: true }) : XLSX.read(bytes);
  const page = book.Sheets[book.SheetNames[at] ?? ""] ?? {};
  for (const [name, cell] of Object.entries(page))
    if (!name.startsWith("!")) expect(cell).not.toHaveProperty("f");
  return XLSX.utils.sheet_to_json(page, { defval: "" });
}

type ColumnNames = { seconds: string; amount: string; currency: string };
const names: Record<string, ColumnNames> = {
  csv: { seconds: "duration_seconds", amount: "amount", currency: "currency" },
  xlsx: { seconds: "Time", amount: "Amount", currency: "Currency" },
};

/** Adds up the rows of a sheet, in seconds and minor units. */
function sumOfRows(
  rows: readonly Record<string, string | number>[],
  { seconds, amount, currency }: ColumnNames,
) {
  const sums = new Map<string, bigint>();
  let time = 0;
  for (const row of rows) {
    const code = String(row[currency]);
    time += Number(row[seconds]);
    const minor = BigInt(Math.round(Number(row[amount]) * 10 ** (decimals[code] ?? 2)));
    sums.set(code, (sums.get(code) ?? 0n) + minor);
  }
  const amounts = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    time,
    amounts: amounts.map(([code, minor]) => ({ amount: decimal(minor, code), currency: code })),
  };
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;

async function textOf(bytes: Buffer): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}

describe(`reports on ${count} entries in ${currencies.length} currencies`, () => {
  test("the list returns every entry as it was created", async () => {
    const found = await listed();
    expect(found).toHaveLength(count);
    const plain = new Map(entries.map((entry) => [entry.id, entry]));
    for (const { id, durationSeconds, amount, currency } of found)
      expect([durationSeconds, amount, currency]).toEqual([
        plain.get(id)?.seconds,
        decimal(plain.get(id)?.minor ?? -1n, currency),
        plain.get(id)?.currency,
      ]);
  });

  test.each(Object.keys(keys))("the summary by %s returns correct groups and totals", async (level) => {
    const { groups, totals } = await ask("summary", { group_by: level });
    expect(new Map(leaves(groups))).toEqual(grouped(entries, [level]));
    expect(totals).toEqual(total(entries));
  });

  test.each([
    ["project", "user"],
    ["tag", "month"],
    ["team", "tag"],
    ["client", "week"],
    ["day", "billable"],
  ])("the summary by %s and %s returns correct groups on both levels", async (level, below) => {
    const { groups, totals } = await ask("summary", { group_by: level, sub_group_by: below });
    expect(new Map(leaves(groups))).toEqual(grouped(entries, [level, below]));
    const above = groups.map(({ groups: _, ...group }: GroupView) => group);
    expect(new Map(leaves(above))).toEqual(grouped(entries, [level]));
    expect(totals).toEqual(total(entries));
  });

  test.each(["user,tag,month", "year,team,project", "currency,client,billable", "tag,team,day"])(
    "a custom report by %s returns correct groups and totals",
    async (levels) => {
      const { groups, totals } = await ask("custom", { group_by: levels });
      expect(new Map(leaves(groups))).toEqual(grouped(entries, levels.split(",")));
      expect(totals).toEqual(total(entries));
    },
  );

  test("a custom report with columns lists each entry under each of its groups", async () => {
    const body = await ask("custom", { group_by: "tag", columns: "id,duration_seconds,amount,currency" });
    for (const { key, entries: rows } of body.groups) {
      const expected = entries.filter((entry) => keys.tag?.(entry).includes(key));
      const rowsExpected = expected.map(({ id, seconds, minor, currency }) => [
        id,
        seconds,
        decimal(minor, currency),
        currency,
      ]);
      expect(rows.map((row: object) => Object.values(row)).sort()).toEqual(rowsExpected.sort());
    }
  });

  test("converted totals equal the sum of the list's converted amounts, in total and in every group", async () => {
    const found = await listed({ convert_to: "GBP" });
    const sum = (list: typeof found) =>
      decimal(
        list.reduce((all, { converted }) => all + minorOf(converted.amount, "GBP"), 0n),
        "GBP",
      );
    const { groups, totals } = await ask("summary", { group_by: "user", convert_to: "GBP" });
    expect(totals.converted).toEqual({ amount: sum(found), currency: "GBP" });
    for (const { key, converted } of groups)
      expect(converted.amount).toBe(sum(found.filter(({ userId }) => userId === key)));
    const custom = await ask("custom", { convert_to: "GBP", columns: "converted" });
    expect(custom.totals.converted).toEqual(totals.converted);
    const rows = custom.entries.map(({ converted }: { converted: string }) => ({
      converted: { amount: converted },
    }));
    expect(sum(rows)).toBe(totals.converted.amount);
    for (const format of ["csv", "xlsx"]) {
      const bytes = await generated({ type: "detailed", format, convertTo: "GBP" });
      const name = format === "csv" ? "converted_gbp" : "In GBP";
      const minor = sheet(bytes, format).reduce((all, row) => all + Math.round(Number(row[name]) * 100), 0);
      expect(decimal(BigInt(minor), "GBP")).toBe(totals.converted.amount);
    }
  });

  test("rounding rounds each entry separately and recalculates its amount", async () => {
    const rules: Record<string, (seconds: number) => number> = {
      "up:15": (seconds) => Math.ceil(seconds / 900) * 900,
      "down:6": (seconds) => Math.floor(seconds / 360) * 360,
      "nearest:1": (seconds) => Math.floor((seconds + 30) / 60) * 60,
    };
    const hourly = new Map<string, bigint>();
    for (const { id, hourlyRate, currency } of await listed())
      if (hourlyRate !== null) hourly.set(id, minorOf(hourlyRate, currency));
    for (const [rounding, rule] of Object.entries(rules)) {
      const rounded = entries.map((entry) => {
        const seconds = rule(entry.seconds);
        return { ...entry, seconds, minor: entry.billable ? price(seconds, hourly.get(entry.id) ?? 0n) : 0n };
      });
      const { groups, totals } = await ask("summary", { group_by: "week", rounding });
      expect(totals).toEqual(total(rounded));
      expect(new Map(leaves(groups))).toEqual(grouped(rounded, ["week"]));
    }
  });

  test("charts have no gaps and the same totals as the report", async () => {
    for (const level of ["project", "day", "week", "month"]) {
      const { charts, totals, groups } = await ask("summary", {
        group_by: level,
        include_charts: "true",
        convert_to: "EUR",
      });
      for (const { labels, series } of charts)
        for (const { data } of series) expect(data).toHaveLength(labels.length);
      const chart = (id: string) => charts.find((one: { id: string }) => one.id === id);
      const seconds = (id: string) =>
        chart(id)
          .series.flatMap(({ data }: { data: number[] }) => data)
          .reduce((a: number, b: number) => a + b, 0);
      expect(seconds("duration-over-time")).toBe(totals.durationSeconds);
      expect(seconds(`duration-by-${level}`)).toBe(
        groups.reduce((all: number, { durationSeconds }: Total) => all + durationSeconds, 0),
      );
      expect(chart("duration-over-time").series[0].data.reduce((a: number, b: number) => a + b)).toBe(
        totals.billableSeconds,
      );
      for (const { amount, currency } of totals.amounts) {
        const [{ data }] = chart(`amount-over-time-${currency}`).series;
        expect(
          decimal(
            data.reduce((all: bigint, text: string) => all + minorOf(text, currency), 0n),
            currency,
          ),
        ).toBe(amount);
      }
      const [{ data }] = chart("converted-over-time").series;
      expect(
        decimal(
          data.reduce((all: bigint, text: string) => all + minorOf(text, "EUR"), 0n),
          "EUR",
        ),
      ).toBe(totals.converted.amount);
    }
    const { charts } = await ask("summary", { group_by: "day", include_charts: "true" });
    const days = Array.from({ length: 325 }, (_, at) => addDays(from, at));
    expect(charts.find(({ id }: { id: string }) => id === "duration-by-day").labels).toEqual(days);
  });

  test.each(["csv", "xlsx"])(
    "%s files add up to the correct totals for every report type",
    async (format) => {
      const { durationSeconds, amounts } = total(entries);
      const name = names[format] as ColumnNames;
      for (const body of [
        { type: "detailed" },
        { type: "summary", groupBy: ["project", "day"] },
        { type: "custom", groupBy: ["user", "client", "month"] },
        { type: "custom", groupBy: ["user"], columns: ["duration_seconds", "amount", "currency"] },
      ]) {
        const rows = sheet(await generated({ ...body, format }), format);
        expect(sumOfRows(rows, name)).toEqual({ time: durationSeconds, amounts });
        for (const row of rows)
          for (const value of Object.values(row))
            if (typeof value === "string") expect(value).not.toMatch(/^[=+\-@\t\r]/);
      }
      const rows = sheet(await generated({ type: "summary", groupBy: ["tag"], format }), format);
      const byTag = grouped(entries, ["tag"]);
      expect(sumOfRows(rows, name).time).toBe(
        [...byTag.values()].reduce((all, { durationSeconds }) => all + durationSeconds, 0),
      );
    },
  );

  test("XLSX files contain the totals on a separate sheet", async () => {
    const { durationSeconds, entryCount, amounts } = total(entries);
    const book = XLSX.read(await generated({ type: "summary", groupBy: ["tag"], format: "xlsx" }));
    const page = book.Sheets.Totals ?? {};
    const figures = new Map(
      XLSX.utils
        .sheet_to_json<[string, number]>(page, { header: 1 })
        .map(([label, figure]) => [label, figure]),
    );
    expect([figures.get("Time"), figures.get("Entries")]).toEqual([durationSeconds, entryCount]);
    for (const { amount, currency } of amounts)
      expect(figures.get(`Amount ${currency}`)).toBe(Number(amount));
  });

  test("JSON files equal the reports of the API", async () => {
    const detailed = JSON.parse((await generated({ type: "detailed", format: "json" })).toString());
    expect(detailed.totals).toEqual(total(entries));
    expect(detailed.entries).toHaveLength(count);
    const summary = await generated({ type: "summary", groupBy: ["week"], format: "json" });
    expect(JSON.parse(summary.toString())).toEqual(await ask("summary", { group_by: "week" }));
    const custom = await generated({
      type: "custom",
      groupBy: ["tag", "day"],
      columns: ["id"],
      format: "json",
    });
    expect(JSON.parse(custom.toString())).toEqual(
      await ask("custom", { group_by: "tag,day", columns: "id" }),
    );
  });

  test("PDF files show the correct totals, and their rows add up to them", async () => {
    const { durationSeconds, billableSeconds, amounts } = total(entries);
    for (const body of [
      { type: "summary", groupBy: ["project", "month"], includeCharts: true },
      { type: "detailed", includeCharts: true },
    ]) {
      const text = await textOf(await generated({ ...body, format: "pdf" }));
      expect(text).toContain(`Time: ${clock(durationSeconds)}`);
      expect(text).toContain(`Billable time: ${clock(billableSeconds)}`);
      for (const { amount, currency } of amounts) expect(text).toContain(`Amount ${currency}: ${amount}`);
      const rows =
        body.type === "summary"
          ? [...text.matchAll(/ ([A-Z]{3}) (\d+:\d\d:\d\d) \d+:\d\d:\d\d \d+ ([\d.]+)/g)].map(
              ([, currency, time, amount]) => ({ currency, time, amount }),
            )
          : [...text.matchAll(/ (?:yes|no) (\d+:\d\d:\d\d) ([\d.]+) ([A-Z]{3})/g)].map(
              ([, time, amount, currency]) => ({ currency, time, amount }),
            );
      const read = rows.map(({ currency = "", time = "", amount = "" }) => {
        const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
        return { currency, seconds: hours * 3600 + minutes * 60 + seconds, amount };
      });
      expect(sumOfRows(read, { currency: "currency", seconds: "seconds", amount: "amount" })).toEqual({
        time: durationSeconds,
        amounts,
      });
    }
  });
});
