import { randomUUID } from "node:crypto";
import { db } from "@svc/core/platform/db/engine";
import { owner } from "@svc/core/testing/people";
import { beforeEach, describe, expect, test } from "vitest";
import { request } from "../testing/request.ts";
import { handler } from "./forecast-budgets.ts";

const minute = 60_000;

/** Runs the job with a clock that advances by a minute at each look, from the given number of minutes. */
function run(minutes: number) {
  let left = (minutes + 1) * minute;
  const getRemainingTimeInMillis = () => {
    left -= minute;
    return left;
  };
  return handler({}, { awsRequestId: "run", getRemainingTimeInMillis } as never);
}

const warned = async () => {
  const rows = await db().selectFrom("budget_warnings").select("project_id").distinct().execute();
  return rows.map(({ project_id }) => project_id).sort();
};

describe("forecast-budgets", () => {
  const ids: string[] = [];
  beforeEach(async () => {
    const { token } = await owner();
    for (let n = 0; n < 3; n++) {
      const body = { name: randomUUID(), budget: { type: "hours", amount: "1" } };
      const { id } = (await request("POST /api/v1/projects", { token, body })).body;
      const time = { projectId: id, startedAt: "2026-01-05T08:00:00Z", endedAt: "2026-01-05T10:00:00Z" };
      await request("POST /api/v1/time-entries", { token, body: time });
      ids.push(id);
    }
    ids.sort();
    await db().deleteFrom("budget_warnings").execute();
  });

  test("stops before its time limit, continues in the next run, and then starts again", async () => {
    expect(await run(4)).toEqual({ budgets: 2, failed: 0, finished: false });
    expect(await warned()).toEqual(ids.slice(0, 2));
    expect(await run(100)).toEqual({ budgets: 1, failed: 0, finished: true });
    expect(await warned()).toEqual(ids);
    expect(await run(100)).toEqual({ budgets: 3, failed: 0, finished: true });
  });
});
