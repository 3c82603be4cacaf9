import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, it } from "vitest";
import type { Cell, Document } from "./document.ts";
import { pdf } from "./pdf.ts";

const names = [
  "李雷",
  "محمد بن سلمان",
  "الاجتماع الثاني",
  "דוד כהן",
  "Łukasz Żółć",
  "김철수",
  "Նարեկ",
  "やまだ",
];

const column = (name: string, kind: Document["columns"][number]["kind"]) =>
  ({ name, title: name, kind, width: 20 }) as const;

function documentOf(rows: readonly (readonly Cell[])[], change: Partial<Document> = {}): Document {
  async function* batches() {
    yield rows;
  }
  return {
    workspace: "Nordlicht GmbH",
    title: "Detailed report",
    from: "2026-10-25",
    to: "2026-10-26",
    timezone: "Europe/Berlin",
    created: new Date("2026-11-21T12:00:00Z"),
    filters: [["Person", "محمد"]],
    totals: [{ name: "Time", value: 4_500_000, kind: "duration" }],
    charts: [],
    columns: [column("user", "text"), column("duration", "duration"), column("amount", "money")],
    rows: batches(),
    totalRows: [{ label: "Total", cells: [null, 4_500_000, { amount: "1234567.5", currency: "EUR" }] }],
    ...change,
  };
}

/** Returns the text of each page as an independent reader extracts it. */
async function textOf(document: Document): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pdf(document)) chunks.push(chunk);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.concat(chunks))));
  return text.map((page) => page.replace(/\s+/g, " "));
}

describe("pdf", () => {
  it("holds names of every script as they are typed", async () => {
    const [text] = await textOf(documentOf(names.map((name) => [name, 60, null])));
    for (const name of names) expect(text).toContain(name);
  });

  it("says the workspace, the period, the filters, the time zone and when it was created", async () => {
    const [text] = await textOf(documentOf([]));
    for (const part of [
      "Nordlicht GmbH",
      "Detailed report",
      "25 Oct 2026 – 26 Oct 2026",
      "Person محمد",
      "Time zone Europe/Berlin",
      "Created 21 Nov 2026, 13:00 (12:00 UTC)",
    ])
      expect(text).toContain(part);
  });

  it("says in an empty report that no entries match, without blank charts", async () => {
    const chart: Document["charts"][number] = {
      id: "time",
      type: "bar",
      title: "Time per day",
      unit: "seconds",
      labels: ["2026-10-25"],
      series: [{ name: "Billable", data: [0] }],
    };
    const [text] = await textOf(documentOf([], { charts: [chart], totalRows: [] }));
    expect(text).toContain("No time entries match this report.");
    expect(text).not.toContain("Time per day");
    const drawn = { ...chart, series: [{ name: "Billable", data: [60] }] };
    const [full] = await textOf(documentOf([["Ada", 60, null]], { charts: [drawn] }));
    expect(full).not.toContain("No time entries match");
    expect(full).toContain("Time per day");
  });

  it("keeps the blank between words where it cuts a text", async () => {
    const words = Array.from({ length: 80 }, (_, at) => `word${at}`);
    const [text = ""] = await textOf(documentOf([[words.join(" "), 60, null]]));
    const [shown = ""] = /word0 .*?…/.exec(text) ?? [];
    const [, last = ""] = /(\S*)…$/.exec(shown) ?? [];
    const whole = shown.replace(/\S*…$/, "").trim().split(" ");
    expect(whole).toEqual(words.slice(0, whole.length));
    expect(words[whole.length]?.startsWith(last)).toBe(true);
  });

  it("separates thousands and shows totals below the rows", async () => {
    const [text] = await textOf(documentOf([]));
    expect(text).toContain("Time 1,250:00 1,250.00 hours");
    expect(text).toContain("Total 1,250:00 1,234,567.50 EUR");
  });

  it("numbers the pages and repeats the heading", async () => {
    const pages = await textOf(documentOf(Array.from({ length: 100 }, (_, at) => [`Row ${at}`, 60, null])));
    expect(pages.length).toBeGreaterThan(2);
    for (const [at, text] of pages.entries()) {
      expect(text).toMatch(new RegExp(`Page ${at + 1} of ?${pages.length}`));
      expect(text).toContain("user duration amount");
    }
    expect(pages.join(" ").match(/Row \d+/g)).toHaveLength(100);
  });

  it("shows local times with the UTC time below, and how many days they are from the day of the row", async () => {
    const columns = [
      column("day", "day"),
      column("started_local", "local"),
      column("ended_local", "local"),
      column("started_at", "instant"),
      column("ended_at", "instant"),
    ];
    const [text] = await textOf(
      documentOf(
        [
          [
            "2026-10-25",
            "2026-10-25 00:30:00",
            "2026-10-26 01:15:00",
            "2026-10-24T22:30:00.000Z",
            "2026-10-26T00:15:00.000Z",
          ],
        ],
        { columns, totalRows: [] },
      ),
    );
    expect(text).toContain("25 Oct 2026 00:30 22:30 −1 01:15 +1 00:15 +1");
  });
});
