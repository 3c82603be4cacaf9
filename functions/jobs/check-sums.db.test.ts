import { randomUUID } from "node:crypto";
import { connect, db } from "@svc/core/platform/db/engine";
import { log } from "@svc/core/platform/log/log";
import { beforeStatements, testPool } from "@svc/core/testing/database";
import { unlimited } from "@svc/core/testing/dsql";
import { owner } from "@svc/core/testing/people";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { request } from "../testing/request.ts";
import { handler } from "./check-sums.ts";

const minute = 60_000;

/** Runs the job with a clock that advances by a minute at each look, from the given number of minutes. */
function run(minutes = 100, event: object = {}) {
  let left = (minutes + 1) * minute;
  const getRemainingTimeInMillis = () => {
    left -= minute;
    return left;
  };
  return handler(event, { awsRequestId: "run", getRemainingTimeInMillis } as never);
}

/** Makes the project one from before there were sums. */
async function forget(projectId: string): Promise<void> {
  await db().deleteFrom("project_sums").where("project_id", "=", projectId).execute();
  await db().updateTable("projects").set({ sums_complete_at: null }).where("id", "=", projectId).execute();
}

describe("check-sums", () => {
  let token: string;
  beforeEach(async () => {
    for (const table of ["projects", "time_entries", "project_sums", "job_cursors"] as const)
      await unlimited(() => db().deleteFrom(table).execute());
    ({ token } = await owner());
  });
  afterEach(() => {
    connect(testPool());
    vi.restoreAllMocks();
  });

  /** Creates a project with two hours of time and returns its id. */
  async function project(): Promise<string> {
    const body = { name: randomUUID(), budget: { type: "hours", amount: "100" } };
    const { id } = (await request("POST /api/v1/projects", { token, body })).body;
    await track(id, "2026-01-31T23:00:00Z", "2026-02-01T01:00:00Z");
    return id;
  }
  const track = async (projectId: string, startedAt: string, endedAt: string): Promise<string> => {
    const body = { projectId, startedAt, endedAt };
    return (await request("POST /api/v1/time-entries", { token, body })).body.id;
  };
  const spent = async (id: string) =>
    (await request("GET /api/v1/projects/{id}/budget", { token, path: { id } })).body.spent;

  const complete = async () => {
    const rows = await db()
      .selectFrom("projects")
      .select("id")
      .where("sums_complete_at", "is not", null)
      .execute();
    return rows.map(({ id }) => id).sort();
  };

  it("completes the sums of older projects, whose budgets stay right before and after", async () => {
    const id = await project();
    await forget(id);
    const entry = await track(id, "2026-03-01T08:00:00Z", "2026-03-01T09:00:00Z");
    expect(await spent(id)).toBe("3.00");
    await request("DELETE /api/v1/time-entries/{id}", { token, path: { id: entry } });
    expect(await spent(id)).toBe("2.00");
    expect(await run()).toEqual({ projects: 1, completed: 1, corrected: 0, failed: 0, finished: true });
    expect(await spent(id)).toBe("2.00");
    await track(id, "2026-03-01T08:00:00Z", "2026-03-01T09:00:00Z");
    expect(await spent(id)).toBe("3.00");
    expect(await run(100, { again: true })).toMatchObject({ completed: 0, corrected: 0 });
  });

  it("corrects sums that are too large, too small, missing or of no entry, logs each project, and fails", async () => {
    const logged = vi.spyOn(log, "error");
    const ids = [await project(), await project(), await project(), await project()];
    const [large = "", small = "", missing = "", extra = ""] = ids;
    const wrong = (id: string, seconds: bigint) =>
      db().updateTable("project_sums").set({ seconds }).where("project_id", "=", id).execute();
    await wrong(large, 9000n);
    await wrong(small, 60n);
    await db().deleteFrom("project_sums").where("project_id", "=", missing).execute();
    const row = { unit: "day", starts_on: "2030-01-01", user_id: "usr_x", currency: "EUR" };
    await db()
      .insertInto("project_sums")
      .values({ project_id: extra, ...row, minor: 5n, seconds: 5n })
      .execute();
    await expect(run()).rejects.toThrow("7 sums were wrong, and 0 projects were not checked.");
    expect(await Promise.all(ids.map(spent))).toEqual(["2.00", "2.00", "2.00", "2.00"]);
    const left = await db().selectFrom("project_sums").select("starts_on").execute();
    expect(left.map(({ starts_on }) => starts_on).filter((day) => day > "2027")).toEqual([]);
    expect(logged.mock.calls.map(([message]) => message)).toEqual(Array(4).fill("project sums corrected"));
  });

  it("stops before its time limit, continues in the next run, and then waits for the next day", async () => {
    const ids = [await project(), await project(), await project()].sort();
    await Promise.all(ids.map(forget));
    expect(await run(4)).toMatchObject({ projects: 2, finished: false });
    expect(await complete()).toEqual(ids.slice(0, 2));
    expect(await run()).toMatchObject({ projects: 1, finished: true });
    expect(await complete()).toEqual(ids);
    expect(await run()).toMatchObject({ projects: 0, finished: true });
    expect(await run(100, { again: true })).toMatchObject({ projects: 3, finished: true });
  });

  it("completes any number of sums in transactions that Aurora DSQL accepts", async () => {
    const id = await project();
    await forget(id);
    const insert = sql`INSERT INTO time_entries (id, workspace_id, user_id, project_id, description, started_at, ended_at,
        duration_seconds, billable, amount_minor, currency, tags, created_at, updated_at)
      SELECT 'tim_' || person || '_' || day, workspace_id, 'usr_' || person, project_id, '',
        started_at + day * interval '1 day', ended_at + day * interval '1 day', duration_seconds, billable, amount_minor,
        currency, tags, created_at, updated_at
      FROM time_entries, generate_series(1, 120) AS person, generate_series(1, 28) AS day
      WHERE project_id = ${id}`;
    await unlimited(() => insert.execute(db()));
    expect(await run()).toMatchObject({ completed: 1, failed: 0, finished: true });
    expect(await spent(id)).toBe(`${2 + 2 * 120 * 28}.00`);
  });

  it("checks the other projects when one fails, and fails at the end", async () => {
    const ids = [await project(), await project()].sort();
    await Promise.all(ids.map(forget));
    beforeStatements((text, parameters) => {
      if (/"project_sums"/.test(text) && parameters.includes(ids[0]))
        throw new Error("This statement fails.");
    });
    await expect(run()).rejects.toThrow("0 sums were wrong, and 1 projects were not checked.");
    expect(await complete()).toEqual(ids.slice(1));
  });
});
