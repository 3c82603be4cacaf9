import * as XLSX from "@e965/xlsx";
import * as Clock from "@svc/core/base/clock";
import { long } from "@svc/core/testing/sample";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import fc from "fast-check";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Case, casesOf, fullWorlds } from "../../testing/oracle/arbitraries.ts";
import { ask, generate, type Stored, store } from "../../testing/oracle/ask.ts";
import { answer, file, totals } from "../../testing/oracle/report.ts";
import type { World } from "../../testing/oracle/world.ts";

/** Questions about each world. `npm test` asks 50 questions, and `npm run test:long` 500. */
const questionsPerWorld = 5;
const randomWorlds = long ? 100 : 10;

/** Counterexamples that were found once. A failure prints one that can be pasted here. */
const examples: [Case][] = [
  [
    {
      world: {
        ...{ zone: "UTC", weekBegins: 1, base: "EUR", now: "2026-06-30T12:00:00.000Z", teams: [], locks: [] },
        people: [{ name: "Ada", role: "owner", teams: [] }],
        projects: [],
        entries: ["EUR", "KWD"].map((currency) => ({
          ...{ person: 0, project: null, description: "", tags: [], billable: true, rate: 1000, currency },
          ...{ startedAt: "2026-06-20T09:00:00.000Z", seconds: 3600, updatedAt: "2026-06-20T10:00:00.000Z" },
        })),
        tables: [
          ["NBP-A" as const, "2026-06-18", { USD: "3.5" }] as const,
          ["NBP-A" as const, "2026-06-19", { EUR: "4.25" }] as const,
          ["NBP-B" as const, "2026-06-19", { KWD: "12" }] as const,
        ].map(([source, day, rates]) => ({
          source,
          day,
          rates,
          recordedAt: `${day}T16:00:00Z`,
          corrections: [],
        })),
        reached: ["ECB", "NBP-A", "NBP-B"],
        overrides: [],
      },
      questions: [
        { kind: "summary", by: 0, filters: {}, convertTo: "USD", levels: ["currency"], charts: false },
      ],
    },
  ],
];

/** How long a failing case is shrunk. */
const shrinkingMs = 60_000;

let bucket: TestBucket;

beforeAll(async () => {
  vi.useFakeTimers({ now: new Date("2026-11-21T12:00:00Z"), toFake: ["Date"] });
  vi.stubEnv("RATE_LIMITS", "off");
  bucket = await startBucket();
});

afterAll(async () => {
  Clock.reset();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await bucket.close();
});

/** Sets the clock of the service, which then stands still, and stores a world. */
function begin(world: World): Promise<Stored> {
  Clock.reset();
  Clock.advance((Date.parse(world.now) - Date.now()) / 1000);
  return store(world);
}

describe("reports and the list of time entries", () => {
  it(
    "answer random questions about random worlds as the naive implementation does",
    async () => {
      let end = Number.POSITIVE_INFINITY;
      const agree = async ({ world, questions }: Case) => {
        if (performance.now() > end) return;
        const stored = await begin(world);
        try {
          for (const question of questions)
            expect(await ask(stored, question)).toEqual(answer(world, stored.ids, question));
        } catch (error) {
          end = Math.min(end, performance.now() + shrinkingMs);
          throw error;
        }
      };
      await fc.assert(fc.asyncProperty(casesOf(questionsPerWorld), agree), {
        seed: Number(process.env.TEST_SEED ?? 1),
        numRuns: examples.length + randomWorlds,
        examples,
      });
    },
    long ? 900_000 : 120_000,
  );
});

const everything = { kind: "file" as const, by: 0, from: "2026-09-20", to: "2026-11-30", filters: {} };

describe("report files in other formats", () => {
  let world: World;
  let stored: Stored;
  beforeAll(async () => {
    [world] = fc.sample(fullWorlds("Europe/Berlin"), { seed: 1, numRuns: 1 }) as [World];
    stored = await begin(world);
  });

  it.each([{ levels: [] }, { levels: ["project" as const, "day" as const] }])(
    "XLSX files by $levels have the figures of all rows as numbers, and the totals on a separate sheet",
    async ({ levels }) => {
      const question = { ...everything, levels };
      const { Sheets } = XLSX.read(await generate(stored, question, "xlsx"));
      const { Report = {}, Totals = {} } = Sheets;
      const table = { defval: "", range: Report["!autofilter"]?.ref };
      const rows = XLSX.utils.sheet_to_json<Record<string, number | string>>(Report, table);
      const figures = rows.map(({ Time, Amount, Currency }) => [
        Math.round(Number(Time) * 86_400),
        Amount,
        Currency,
      ]);
      const expected = file(world, stored.ids, question);
      expect(figures).toEqual(
        expected.map(({ duration_seconds, amount, currency }) => [
          Number(duration_seconds),
          Number(amount),
          currency,
        ]),
      );
      const { durationSeconds, entryCount, amounts } = totals(world, stored.ids, question);
      const shown = new Map(
        XLSX.utils
          .sheet_to_json<[string, number]>(Totals, { header: 1 })
          .map(([name, value]) => [name, value]),
      );
      expect(Math.round((shown.get("Time") ?? 0) * 86_400)).toBe(durationSeconds);
      expect(shown.get("Entries")).toBe(entryCount);
      for (const { amount, currency } of amounts)
        expect(shown.get(`Amount ${currency}`)).toBe(Number(amount));
    },
  );

  it("JSON files equal the reports of the API", async () => {
    const read = async (levels: typeof question.levels, options: object) =>
      JSON.parse((await generate(stored, { ...everything, levels }, "json", options)).toString());
    const question = { ...everything, levels: ["tag" as const, "day" as const], convertTo: undefined };
    const detailed = await read([], {});
    expect(detailed.totals).toEqual(totals(world, stored.ids, question));
    expect(detailed.entries).toHaveLength(detailed.totals.entryCount);
    expect(await read(question.levels, {})).toEqual(
      await ask(stored, { ...question, kind: "summary", charts: false }),
    );
    expect(await read(question.levels, { type: "custom", columns: ["id"] })).toEqual(
      await ask(stored, { ...question, kind: "custom", columns: ["id"] }),
    );
  });

  it("PDF files show the totals and the figures of every row", async () => {
    const sum = totals(world, stored.ids, { ...everything, levels: [] });
    const duration = String.raw`[\d,]+:\d\d [\d,]+\.\d\d`;
    const money = String.raw`[\d,.]+ [A-Z]{3}`;
    for (const [levels, row, figuresOf] of [
      [
        ["project" as const, "month" as const],
        `\\d{4} (${duration} ${duration} \\d+ ${money})(?= )`,
        (one: Record<string, string>) => [
          durationOf(one.duration_seconds),
          durationOf(one.billable_seconds),
          one.entry_count,
          moneyOf(one),
        ],
      ],
      [
        [],
        `(${duration} ${money} (?:Not b|B)illable)(?= )`,
        (one: Record<string, string>) => [
          durationOf(one.duration_seconds),
          moneyOf(one),
          one.billable === "yes" ? "Billable" : "Not billable",
        ],
      ],
    ] as const) {
      const question = { ...everything, levels: [...levels] };
      const text = await textOf(await generate(stored, question, "pdf", { includeCharts: true }));
      expect(text).toContain(`Time ${durationOf(sum.durationSeconds)} hours`);
      expect(text).toContain(`Billable time ${durationOf(sum.billableSeconds)} hours`);
      for (const amount of sum.amounts)
        expect(text).toContain(`Amount ${amount.currency} ${moneyOf(amount)}`);
      const found = [...text.matchAll(new RegExp(row, "g"))].map(([, figures]) => figures);
      const expected = file(world, stored.ids, question).map((one) => figuresOf(one).join(" "));
      expect(found.sort()).toEqual(expected.sort());
    }
  });
});

async function textOf(bytes: Buffer): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text.replace(/\s+/g, " ");
}

const number = (value: number | string, places: number) =>
  new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places }).format(
    value as number,
  );

/** Formats seconds as a PDF shows them: `h:mm`, and decimal hours. */
function durationOf(seconds: number | string | undefined): string {
  const minutes = Math.floor(Number(seconds) / 60);
  const clock = `${number(Math.floor(minutes / 60), 0)}:${String(minutes % 60).padStart(2, "0")}`;
  return `${clock} ${number(Math.round(Number(seconds) / 36) / 100, 2)}`;
}

const moneyOf = ({ amount = "", currency = "" }: { amount?: string; currency?: string }) =>
  `${number(amount, amount.split(".")[1]?.length ?? 0)} ${currency}`;
