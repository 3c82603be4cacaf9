import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person } from "@svc/core/testing/people";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { request } from "../../testing/request.ts";

/** Opens report files of the handlers with LibreOffice and Poppler, which share no code with the programs that write them. */
const run = promisify(execFile);
const programs = { soffice: "libreoffice-calc", pdftotext: "poppler-utils" };

const missing: string[] = [];
for (const [program, debianPackage] of Object.entries(programs))
  await run("which", [program]).catch(() => missing.push(debianPackage));
if (missing.length > 0)
  console.warn(`Skipped, because programs are missing: apt-get install ${missing.join(" ")}`);

const names = ["李雷", "محمد بن سلمان", "Łukasz Żółć", "דוד כהן", "김철수"];
const period = { from: "2026-10-24", to: "2026-10-27" };

let folder: string;
let bucket: TestBucket;
let ada: Person & Home;

/** The figures of the API for the same period, in seconds and decimal amounts. */
let totals: { durationSeconds: number; entryCount: number; amounts: { amount: string; currency: string }[] };

describe.skipIf(missing.length > 0)("report files in other programs", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-documents-"));
    bucket = await startBucket();
    ada = await owner("Ada", "ENTERPRISE");
    await db()
      .updateTable("workspaces")
      .set({ timezone: "Europe/Berlin", name: "Nordlicht GmbH" })
      .where("id", "=", ada.workspaceId)
      .execute();
    await fill();
    const { body } = await request("GET /api/v1/reports/summary", { token: ada.token, query: period });
    totals = body.totals;
  }, 60_000);
  afterAll(async () => {
    await bucket.close();
    await rm(folder, { recursive: true });
  });

  it("LibreOffice reads days, times, durations and amounts of a detailed XLSX as numbers with formats", async () => {
    const [titles = [], ...rows] = await sheet("detailed", {});
    const column = (title: string) => titles.findIndex(({ text }) => text === title);
    const entries = rows.slice(0, totals.entryCount);
    expect(entries).toHaveLength(totals.entryCount);
    for (const row of entries) {
      const cell = (title: string) => row[column(title)];
      expect(cell("Day")).toMatchObject({ type: "date", text: expect.stringMatching(/^2026-10-\d\d$/) });
      for (const time of ["Start (Europe/Berlin)", "End (Europe/Berlin)", "Start (UTC)", "End (UTC)"])
        expect(cell(time)).toMatchObject({
          type: "date",
          text: expect.stringMatching(/^2026-10-\d\d \d\d:\d\d:\d\d$/),
        });
      expect(cell("Time")).toMatchObject({ type: "time", text: expect.stringMatching(/^\d+:\d\d$/) });
      expect(cell("Hours")).toMatchObject({ type: "float" });
      expect(cell("Amount")).toMatchObject({ type: "currency", text: expect.stringMatching(/ (EUR|JPY)$/) });
      expect(cell("Description")).toMatchObject({ type: "string", text: "=1+1" });
    }
    // 27 hours are not shown as three, and the local time is that of the time zone, an hour after the clock was set back.
    const long = entries.find((row) => row[column("Time")]?.text === "27:00");
    expect(long?.[column("Start (Europe/Berlin)")]?.text).toBe("2026-10-25 02:30:00");
    expect(long?.[column("Start (UTC)")]?.text).toBe("2026-10-25 01:30:00");
    expect(new Set(entries.map((row) => row[column("Person")]?.text))).toEqual(new Set(names));
  });

  it("the sums of the cells that LibreOffice reads equal the figures of the API", async () => {
    for (const [type, body] of [
      ["detailed", {}],
      ["summary", { groupBy: ["project", "user"] }],
    ] as const) {
      const [titles = [], ...rows] = await sheet(type, body);
      const column = (title: string) => titles.findIndex(({ text }) => text === title);
      const time = column("Time");
      const amount = column("Amount");
      const end = rows.findIndex((row) => row.every(({ type: kind }) => kind === ""));
      const parts = rows.slice(0, end);
      const sum = (cells: readonly Cell[]) => cells.reduce((total, { value }) => total + value, 0);
      const amountsOf = (currency: string) =>
        parts.flatMap((row) => row[amount] ?? []).filter(({ text }) => text.endsWith(` ${currency}`));
      expect(sum(parts.flatMap((row) => row[time] ?? []))).toBeCloseTo(totals.durationSeconds, 3);
      expect(totals.amounts.map(({ currency }) => currency)).toEqual(["EUR", "JPY"]);
      for (const { amount: expected, currency } of totals.amounts)
        expect(sum(amountsOf(currency))).toBeCloseTo(Number(expected), 6);
      const totalRow = rows.find((row) => row[0]?.text === "Total");
      expect(totalRow?.[time]?.value).toBeCloseTo(totals.durationSeconds, 3);
    }
  });

  it("pdftotext finds the names as they are typed, the totals and the time zone in detailed and summary PDFs", async () => {
    const hours = Math.floor(totals.durationSeconds / 3600);
    const minutes = String(Math.floor(totals.durationSeconds / 60) % 60).padStart(2, "0");
    for (const [type, body] of [
      ["detailed", {}],
      ["summary", { groupBy: ["user"], includeCharts: true }],
    ] as const) {
      const file = await generated({ type, format: "pdf", ...body });
      const text = (await run("pdftotext", [file, "-"])).stdout.replace(/\s+/g, " ");
      for (const part of [
        ...names,
        "Nordlicht GmbH",
        "24 Oct 2026 – 27 Oct 2026",
        "Europe/Berlin",
        `${hours}:${minutes}`,
        "Page 1 of",
      ])
        expect(text).toContain(part);
    }
  });
});

/** Tracks time of each person in two currencies, with an hour that the clocks of Berlin show twice. */
async function fill(): Promise<void> {
  const projectIn = async (currency: string) =>
    (
      await request("POST /api/v1/projects", {
        token: ada.token,
        body: { name: `Engine ${currency}`, currency, hourlyRate: "99" },
      })
    ).body.id;
  const projects = [await projectIn("EUR"), await projectIn("JPY")];
  for (const [at, name] of names.entries()) {
    const { token } = await colleague(ada, "member", name);
    for (const [index, projectId] of projects.entries()) {
      const startedAt = `2026-10-25T0${index}:30:00Z`;
      const endedAt =
        index === 1 && at === 0 ? "2026-10-26T04:30:00Z" : `2026-10-25T0${index + 1}:1${at}:17Z`;
      await request("POST /api/v1/time-entries", {
        token,
        body: { startedAt, endedAt, projectId, description: "=1+1" },
      });
    }
  }
}

/** Returns the path of a new report file. */
async function generated(body: { type: string; format: string }): Promise<string> {
  const response = await request("POST /api/v1/reports/generate", {
    token: ada.token,
    body: { ...period, ...body },
  });
  expect(response.status).toBe(201);
  const path = join(folder, `${body.type}.${body.format}`);
  await writeFile(path, Buffer.from(await (await fetch(response.body.signedUrl)).arrayBuffer()));
  return path;
}

/** A cell as LibreOffice understands it: its type, its text as shown, and its number. Durations are in seconds. */
type Cell = { type: string; text: string; value: number };

/** Returns the rows of the first sheet of a report, from LibreOffice's own format (OpenDocument as plain XML). */
async function sheet(type: string, body: object): Promise<Cell[][]> {
  const path = await generated({ type, format: "xlsx", ...body });
  // Its own profile, so that another instance that is running does not take over the conversion.
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  await run("soffice", [profile, "--headless", "--convert-to", "fods", "--outdir", folder, path]);
  const xml = await readFile(path.replace(/xlsx$/, "fods"), "utf8");
  const [table = ""] = /<table:table table:name="Report".*?<\/table:table>/s.exec(xml) ?? [];
  return [...table.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = "", content = ""]) => {
        const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1];
        const [, hours, minutes, seconds] =
          /^PT(\d+)H(\d+)M([\d.]+)S$/.exec(attribute("office:time-value") ?? "") ?? [];
        const value =
          hours === undefined
            ? Number(attribute("office:value"))
            : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
        const text = content.replace(/<[^>]*>/g, "").trim();
        const cell = { type: attribute("office:value-type") ?? "", text, value };
        // The empty rest of a row is one cell that is repeated some thousand times.
        const count = Number(attribute("table:number-columns-repeated") ?? 1);
        return Array<Cell>(Math.min(count, 40)).fill(cell);
      },
    ),
  );
}
