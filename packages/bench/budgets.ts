import { sql } from "kysely";
import { event, request } from "../../functions/testing/request.ts";
import { handler as createEntry } from "../../functions/v1/time-entries/create.ts";
import { db } from "../core/platform/db/engine.ts";
import { owner, type Person } from "../core/testing/people.ts";
import { checkAll } from "../core/tracking/budgets/check-sums.ts";
import { withDatabase } from "./database.ts";
import { interleaved, table } from "./interleaved.ts";

const rounds = 201;
const people = 20;
const years = 2;

/**
 * Measures a new entry on projects with a budget and 20, 20,000 and 200,000 entries of 20 people in two years, and of 200,000
 * entries in one month. The last variant is a project whose sums are not complete.
 */
export async function budgets(): Promise<string> {
  const result = await withDatabase(async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const variants = [
      { name: "20 entries", entries: 20, days: years * 365 },
      { name: "20,000 entries", entries: 20_000, days: years * 365 },
      { name: "200,000 entries", entries: 200_000, days: years * 365 },
      { name: "200,000 entries, all in the last 28 days", entries: 200_000, days: 28 },
      { name: "200,000 entries, read one by one", entries: 200_000, days: years * 365 },
    ];
    const projects: string[] = [];
    for (const { name, entries, days } of variants) projects.push(await project(ada, name, entries, days));
    await checkAll({});
    const [last = ""] = projects.slice(-1);
    await db().updateTable("projects").set({ sums_complete_at: null }).where("id", "=", last).execute();
    await sql`VACUUM ANALYZE`.execute(db());
    const contenders = variants.map(({ name }, at) => ({ name, run: () => track(ada, projects[at] ?? "") }));
    return table(
      "POST /api/v1/time-entries on a project with a budget, whole handler",
      await interleaved(contenders, rounds),
    );
  });
  return result ?? "budgets: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- budgets)\n";
}

/** Creates a project with a budget that no measured entry uses up, and entries at equal distances over the last days. */
async function project({ token }: Person, name: string, entries: number, days: number): Promise<string> {
  const budget = { type: "money", amount: "900000000" };
  const body = { name, hourlyRate: "80", budget };
  const { id, currency } = (await request("POST /api/v1/projects", { token, body })).body;
  const start = sql`date_trunc('second', now()) - n * ${(days * 86_400) / entries}::float8 * interval '1 second'`;
  await sql`INSERT INTO time_entries (id, workspace_id, user_id, project_id, description, started_at, ended_at,
      duration_seconds, billable, hourly_rate_minor, amount_minor, currency, tags, created_at, updated_at)
    SELECT 'tim_' || md5(${name} || n), projects.workspace_id, 'usr_' || n % ${sql.lit(people)}, projects.id, 'Work ' || n,
      date_trunc('second', ${start}), date_trunc('second', ${start}) + interval '1 hour', 3600, true, 8000, 8000, ${currency}, '[]',
      now(), now()
    FROM projects, generate_series(1, ${sql.lit(entries)}) n WHERE projects.id = ${id}`.execute(db());
  return id;
}

async function track({ token }: Person, projectId: string): Promise<void> {
  const endedAt = new Date();
  const startedAt = new Date(endedAt.getTime() - 3_600_000);
  const request = await event("POST /api/v1/time-entries", {
    token,
    body: { projectId, startedAt, endedAt },
  });
  const { statusCode } = await createEntry(request, { getRemainingTimeInMillis: () => 30_000 } as never);
  if (statusCode !== 201) throw new Error(`POST /api/v1/time-entries returned ${statusCode}.`);
}
