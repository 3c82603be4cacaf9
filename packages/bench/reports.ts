import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type RawBuilder, sql } from "kysely";
import { event } from "../../functions/testing/request.ts";
import { handler } from "../../functions/v1/reports/summary.ts";
import * as Session from "../core/identity/sessions/session.ts";
import { db } from "../core/platform/db/engine.ts";
import { heap } from "../core/report/heap.ts";
import { summary } from "../core/report/summary.ts";
import { authorize } from "../core/workspace/authorization.ts";
import { interleaved, table } from "./interleaved.ts";
import { withMillion } from "./million.ts";

const rounds = 31;
/** Rounds of fast measurements. A running server is past the slow first rounds, so they must not dominate the median. */
const shortRounds = 201;

/** Compares reports over a million entries with the plain SQL for the same sums, and a year's report with a month's. */
export async function reports(): Promise<string> {
  process.env.RATE_LIMITS = "off";
  const tables = await withMillion(async ({ admin }) => {
    const { token, workspaceId } = admin;
    const today = new Date().toISOString().slice(0, 10);
    const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const actor = await Session.authenticate(token, { ip: "", userAgent: "", requestId: "bench" });
    const membership = await authorize(actor, workspaceId);
    const core = (from: string, query: object) => () =>
      summary(actor, membership, { from, to: today, ...query });
    const whole = async (from: string, query: Record<string, string>) => {
      const request = await event("GET /api/v1/reports/summary", {
        token,
        query: { from, to: today, ...query },
      });
      return async () => {
        const { statusCode, body } = await handler(request, {
          getRemainingTimeInMillis: () => 30_000,
        } as never);
        if (statusCode !== 200)
          throw new Error(`GET /api/v1/reports/summary returned ${statusCode}: ${body}`);
      };
    };
    const plainSql = (from: string, by: RawBuilder<unknown>) => () =>
      sql`SELECT ${by}, currency, count(*), sum(duration_seconds), sum(duration_seconds) FILTER (WHERE billable),
          sum(amount_minor) FROM time_entries
        WHERE workspace_id = ${workspaceId} AND started_at >= ${from}::timestamptz
        GROUP BY ${by}, currency`.execute(db());
    const [month, year] = [since(29), since(364)];
    const two = { group_by: "project", sub_group_by: "month" } as const;
    return [
      table(
        "A month’s summary by project, over 1,000,000 entries",
        await interleaved(
          [
            { name: "plain SQL", run: plainSql(month, sql`project_id`) },
            { name: "the summary", run: core(month, { group_by: "project" }) },
            { name: "the whole handler", run: await whole(month, { group_by: "project" }) },
          ],
          shortRounds,
        ),
      ),
      table(
        "A year’s summary with two groupings, compared with a month’s, whole handler",
        await interleaved(
          [
            { name: "a month by project", run: await whole(month, { group_by: "project" }) },
            { name: "a year by project and month", run: await whole(year, two) },
            {
              name: "a year by project and user",
              run: await whole(year, { group_by: "project", sub_group_by: "user" }),
            },
            {
              name: "a year by day, with charts",
              run: await whole(year, { group_by: "day", include_charts: "true" }),
            },
            {
              name: "a year by project, converted",
              run: await whole(year, { group_by: "project", convert_to: "USD" }),
            },
          ],
          rounds,
        ),
      ),
    ].join("\n");
  });
  return tables ?? "reports: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- reports)\n";
}

/** V8 options for a small heap, so that peak memory shows what a report needs rather than uncollected garbage. */
const smallHeap = ["--max-old-space-size=96", "--max-semi-space-size=1"];

/**
 * Measures report files of nearly 100,000 rows (PDF: 20,000), each in a separate process with the heap of the deployed function. The
 * CSV and the PDF are also measured with a small heap, and the PDF with the defaults of V8.
 */
export async function reportFiles(): Promise<string> {
  const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const result = await withMillion(({ admin: { id, workspaceId }, url }) =>
    files(url, id, workspaceId, since),
  );
  return result ?? "reportFiles: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- reportFiles)\n";
}

async function files(
  url: string,
  userId: string,
  workspaceId: string,
  since: (days: number) => string,
): Promise<string> {
  const lines = [];
  const to = since(0);
  for (const [format, label, flags = [], hasDefaults = false] of [
    ["csv", "csv, 96 MiB of heap", smallHeap],
    ["csv", "csv"],
    ["json", "json"],
    ["xlsx", "xlsx"],
    ["pdf", "pdf, 96 MiB of heap", smallHeap],
    ["pdf", "pdf"],
    ["pdf", "pdf, defaults of V8", [], true],
  ] as const) {
    const from = since(format === "pdf" ? 20 : 107);
    const child = spawn(
      process.execPath,
      [
        ...flags,
        fileURLToPath(new URL("report-child.ts", import.meta.url)),
        JSON.stringify({ userId, workspaceId, from, to, format }),
      ],
      {
        env: { ...process.env, DATABASE_URL: url, ...(hasDefaults ? {} : heap) },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    await once(child, "close");
    const { rows, bytes, seconds, mebibytes, before } = JSON.parse(text);
    lines.push(
      `| ${label} | ${rows} | ${(bytes / 1e6).toFixed(1)} | ${seconds.toFixed(1)} | ${mebibytes} | ${before} |`,
    );
  }
  return [
    "### A detailed report as a file, in a separate process",
    "",
    "| format | rows | MB | seconds | peak memory, MiB | before the first row, MiB |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
