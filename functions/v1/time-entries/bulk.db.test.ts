import { db } from "@svc/core/platform/db/engine";
import { transaction } from "@svc/core/platform/db/transaction";
import { colleague, owner, type Person } from "@svc/core/testing/people";
import * as Sums from "@svc/core/tracking/amounts/sums";
import * as Bulk from "@svc/core/tracking/time-entries/bulk";
import { maxEndpoints } from "@svc/core/webhook/endpoint";
import { describe, expect, it } from "vitest";
import { request } from "../../testing/request.ts";

const hour = { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };

const create = async ({ token }: Person, body: object = {}): Promise<string> =>
  (await request("POST /api/v1/time-entries", { token, body: { ...hour, ...body } })).body.id;
const update = ({ token }: Person, ids: string[], changes: object) =>
  request("PATCH /api/v1/time-entries", { token, body: { ids, changes } });
const remove = ({ token }: Person, ids: string[], headers: Record<string, string> = {}) =>
  request("POST /api/v1/time-entries/delete", { token, body: { ids }, headers });
const list = async ({ token }: Person) =>
  (await request("GET /api/v1/time-entries", { token, query: { limit: "200" } })).body.data;
const descriptions = async (user: Person) =>
  (await list(user)).map(({ description }: { description: string }) => description);

async function projectOf({ token }: Person, more: object = {}): Promise<string> {
  const body = { name: "Engine", currency: "EUR", hourlyRate: "80", ...more };
  return (await request("POST /api/v1/projects", { token, body })).body.id;
}

const archive = ({ token }: Person, id: string) =>
  request("POST /api/v1/projects/{id}/archive", { token, path: { id } });

const sumsOf = (projectId: string) =>
  db()
    .selectFrom("project_sums")
    .select(["user_id", "unit", "starts_on", "minor", "seconds"])
    .where("project_id", "=", projectId)
    .orderBy("unit")
    .orderBy("starts_on")
    .orderBy("user_id")
    .execute();

const eventsOf = (ids: string[]) =>
  db().selectFrom("events").select(["action", "target_id"]).where("target_id", "in", ids).execute();

describe("PATCH /api/v1/time-entries", () => {
  it("changes all entries as a change of each would", async () => {
    const ada = await owner("Ada");
    const [from, to] = [await projectOf(ada), await projectOf(ada, { hourlyRate: "100" })];
    const ids = [
      await create(ada, { projectId: from }),
      await create(ada, { projectId: to, endedAt: "2026-11-20T11:00:00Z" }),
      await create(ada, {
        startedAt: "2026-10-31T09:00:00Z",
        endedAt: "2026-10-31T09:30:00Z",
        billable: true,
      }),
    ];
    const changes = { projectId: to, description: "Moved", tags: ["x", "x"] };
    const { status, body } = await update(ada, ids, changes);
    expect(status).toBe(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.data.map(({ amount }: { amount: string }) => amount)).toEqual(["100.00", "200.00", "50.00"]);
    for (const entry of body.data)
      expect(entry).toMatchObject({ projectId: to, description: "Moved", tags: ["x"], updatedBy: ada.id });
    const read = await list(ada);
    expect(read.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    for (const entry of read) expect(body.data).toContainEqual(entry);
    expect(await sumsOf(from)).toEqual([]);
    expect((await sumsOf(to)).map(({ unit, minor }) => [unit, minor])).toEqual([
      ["day", "5000"],
      ["day", "30000"],
      ["month", "5000"],
      ["month", "30000"],
    ]);
    const updated = (await eventsOf(ids)).filter(({ action }) => action === "time_entry.updated");
    expect(updated.map(({ target_id }) => target_id).sort()).toEqual([...ids].sort());
  });

  it("changes no entry and names each that cannot be changed", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const eve = await owner("Eve");
    const [archived, open] = [await projectOf(ada), await projectOf(ada)];
    const ids = [
      await create(ada, { projectId: open }),
      await create(ada, { projectId: archived }),
      await create(ada),
      await create(ada, { projectId: archived }),
    ];
    await archive(ada, archived);
    const before = [await list(ada), await sumsOf(open)];
    const answer = await update(ada, ids, { description: "Changed" });
    expect([answer.status, answer.body.code]).toEqual([409, "project_archived"]);
    expect(answer.body.errors).toMatchObject([
      { pointer: "/ids/1", code: "project_archived" },
      { pointer: "/ids/3", code: "project_archived" },
    ]);
    const foreign = await update(ada, [ids[0] ?? "", await create(eve), "tim_unknown"], { description: "x" });
    expect([foreign.status, foreign.body.code]).toEqual([404, "time_entry_not_found"]);
    expect(foreign.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/ids/1",
      "/ids/2",
    ]);
    const late = await update(ada, [ids[0] ?? "", ids[2] ?? ""], { endedAt: "2026-11-20T08:00:00Z" });
    expect([late.status, late.body.code]).toEqual([422, "invalid_input"]);
    expect(late.body.errors).toMatchObject([
      { pointer: "/ids/0", code: "ends_before_start" },
      { pointer: "/ids/1", code: "ends_before_start" },
    ]);
    expect([await list(ada), await sumsOf(open)]).toEqual(before);
  });

  it("lets managers change the entries that they may correct, and no others", async () => {
    const ada = await owner("Ada");
    const [boss, bob] = [await colleague(ada, "manager"), await colleague(ada)];
    const [adas, bobs, own] = [await create(ada), await create(bob), await create(boss)];
    const refused = await update(boss, [own, bobs, adas], { description: "x" });
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_role"]);
    expect(refused.body.errors).toMatchObject([{ pointer: "/ids/2", code: "insufficient_role" }]);
    const hidden = await remove(bob, [bobs, own]);
    expect([hidden.status, hidden.body.errors[0].pointer]).toEqual([404, "/ids/1"]);
    expect((await update(boss, [own, bobs], { description: "Corrected" })).status).toBe(200);
    expect(await descriptions(bob)).toEqual(["Corrected"]);
    expect((await remove(boss, [own, bobs])).status).toBe(204);
    expect(await list(bob)).toEqual([]);
  });

  it("returns project_not_found for a project of another workspace", async () => {
    const [ada, eve] = [await owner("Ada"), await owner("Eve")];
    const answer = await update(ada, [await create(ada)], { projectId: await projectOf(eve) });
    expect([answer.status, answer.body.code]).toEqual([404, "project_not_found"]);
  });

  it("changes no entry and names each that is on a locked day", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada);
    const day = (n: number) => ({ startedAt: `2026-11-0${n}T09:00:00Z`, endedAt: `2026-11-0${n}T10:00:00Z` });
    const same = { ...day(1), description: "Changed" };
    const ids = [
      await create(ada, same),
      await create(ada, day(5)),
      await create(bob, day(2)),
      await create(ada, day(1)),
    ];
    await request("PATCH /api/v1/workspace", { token: ada.token, body: { lockedUntil: "2026-11-03" } });
    const before = await list(ada);
    const locked = await update(ada, ids, { description: "Changed" });
    expect([locked.status, locked.body.code]).toEqual([409, "period_locked"]);
    expect(locked.body.errors).toMatchObject([
      { pointer: "/ids/2", code: "period_locked" },
      { pointer: "/ids/3", code: "period_locked" },
    ]);
    const moved = await update(ada, ids.slice(1, 2), { startedAt: "2026-11-03T09:00:00Z" });
    expect(moved.body.errors).toMatchObject([{ pointer: "/ids/0", code: "period_locked" }]);
    const deleted = await remove(ada, ids);
    expect(deleted.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/ids/0",
      "/ids/2",
      "/ids/3",
    ]);
    expect(await list(ada)).toEqual(before);
  });

  it("changes no entry and names each that would be after the last day of its currency", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const inKuna = await projectOf(ada, { currency: "HRK" });
    const day = (day: string) => ({ startedAt: `${day}T09:00:00Z`, endedAt: `${day}T10:00:00Z` });
    const [last, after] = [day("2022-12-31"), day("2023-01-01")];
    const ids = [
      await create(ada, last),
      await create(ada, after),
      await create(ada, { ...after, description: "B" }),
    ];
    const before = [await list(ada), await sumsOf(inKuna)];
    const refused = await update(ada, ids, { projectId: inKuna });
    expect([refused.status, refused.body.code]).toEqual([422, "currency_ended"]);
    expect(refused.body.errors).toMatchObject([
      { pointer: "/ids/1", code: "currency_ended" },
      { pointer: "/ids/2", code: "currency_ended" },
    ]);
    expect([await list(ada), await sumsOf(inKuna)]).toEqual(before);
    expect((await update(ada, ids.slice(0, 1), { projectId: inKuna })).status).toBe(200);
    const moved = await update(ada, ids.slice(0, 1), after);
    expect(moved.body.errors).toMatchObject([{ pointer: "/ids/0", code: "currency_ended" }]);
    expect((await update(ada, ids.slice(0, 1), { description: "Kuna" })).status).toBe(200);
  });

  it("stops a timer and leaves finished entries without a change alone", async () => {
    const ada = await owner("Ada");
    const ids = [await create(ada), await create(ada, { endedAt: undefined })];
    const { body } = await update(ada, ids, { endedAt: hour.endedAt });
    expect(body.data).toMatchObject([{ durationSeconds: 3600 }, { durationSeconds: 3600 }]);
    expect((await eventsOf(ids)).filter(({ action }) => action === "time_entry.updated")).toHaveLength(1);
  });

  it.each([
    [[], "/ids"],
    [Array(201).fill("tim_x"), "/ids"],
    [["tim_x", "../x"], "/ids/1"],
    [["tim_x", "tim_y", "tim_x"], "/ids/2"],
  ])("rejects ids %#", async (ids, pointer) => {
    const ada = await owner("Ada");
    const answers = [await update(ada, ids, {}), await remove(ada, ids)];
    for (const { status, body } of answers)
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, "invalid_input", pointer]);
  });
});

describe("POST /api/v1/time-entries/delete", () => {
  it("deletes all entries with their sums, once per Idempotency-Key", async () => {
    const ada = await owner("Ada");
    const projectId = await projectOf(ada);
    const ids = [await create(ada, { projectId }), await create(ada), await create(ada, { projectId })];
    const kept = await create(ada);
    const key = { "idempotency-key": "delete" };
    expect((await remove(ada, ids, key)).status).toBe(204);
    expect((await remove(ada, ids, key)).status).toBe(204);
    expect((await list(ada)).map(({ id }: { id: string }) => id)).toEqual([kept]);
    expect(await sumsOf(projectId)).toEqual([]);
    const deleted = (await eventsOf(ids)).filter(({ action }) => action === "time_entry.deleted");
    expect(deleted).toHaveLength(3);
    const again = await remove(ada, [kept, ...ids]);
    expect([again.status, again.body.errors.length]).toEqual([404, 3]);
    expect(await list(ada)).toHaveLength(1);
  });

  it("changes and deletes the maximum number of entries", async () => {
    const ada = await owner("Ada");
    const [from, to] = [await projectOf(ada), await projectOf(ada, { hourlyRate: "100" })];
    const { id, workspaceId } = ada;
    const first = Date.parse("2020-01-01T09:00:00Z");
    const rows = Array.from({ length: Bulk.maxEntries }, (_, n) => {
      const started_at = new Date(first + n * 17 * 86_400_000);
      return {
        id: `tim_${n}_${id}`,
        workspace_id: workspaceId,
        user_id: id,
        project_id: null,
        description: "",
        started_at,
        ended_at: new Date(started_at.getTime() + 3_600_000),
        duration_seconds: 3600,
        billable: true,
        hourly_rate_minor: null,
        amount_minor: 0n,
        currency: "EUR",
        tags: "[]",
        created_at: started_at,
        updated_at: started_at,
      };
    });
    await db().insertInto("time_entries").values(rows).execute();
    const ids = rows.map(({ id }) => id);
    // The pool of the tests rejects transactions of more rows than Aurora DSQL does.
    expect((await update(ada, ids, { projectId: from })).status).toBe(200);
    expect((await update(ada, ids, { projectId: to })).body.data.at(-1).amount).toBe("100.00");
    expect(await sumsOf(from)).toEqual([]);
    const days = (await sumsOf(to)).filter(({ unit }) => unit === "day");
    expect(days.map(({ minor }) => minor)).toEqual(Array(Bulk.maxEntries).fill("10000"));
    expect((await remove(ada, ids)).status).toBe(204);
    expect([await list(ada), await sumsOf(to)]).toEqual([[], []]);
  });
});

describe("the largest transactions", () => {
  it("stay within the rows of Aurora DSQL with 200 users, projects and budgets, a lock and all endpoints", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { token, workspaceId } = ada;
    const count = Bulk.maxEntries;
    const target = await projectOf(ada, { budget: { type: "hours", amount: "1" } });
    await request("PATCH /api/v1/workspace", { token, body: { lockedUntil: "2019-12-31" } });
    const hook = { url: "https://hooks.example.com/", events: ["budget.forecast_warning"] };
    for (let n = 0; n < maxEndpoints; n++)
      expect((await request("POST /api/v1/webhooks", { token, body: hook })).status).toBe(201);
    const { id: _, ...project } = await db()
      .selectFrom("projects")
      .selectAll()
      .where("id", "=", target)
      .executeTakeFirstOrThrow();
    const projects = Array.from({ length: count }, (_, n) => ({ ...project, id: `prj_${n}_${ada.id}` }));
    const startedAt = new Date("2026-09-20T09:00:00Z");
    const rows = projects.map(({ id }, n) => ({
      ...{ id: `tim_${n}_${ada.id}`, workspace_id: workspaceId, user_id: `usr_${n}`, project_id: id },
      ...{ description: "", tags: "[]", currency: "EUR", created_at: startedAt, updated_at: startedAt },
      ...{
        started_at: startedAt,
        ended_at: new Date(startedAt.getTime() + 7_200_000),
        duration_seconds: 7200,
      },
      ...{ billable: true, hourly_rate_minor: 8000n, amount_minor: 16_000n },
    }));
    await db().insertInto("projects").values(projects).execute();
    await db().insertInto("time_entries").values(rows).execute();
    await transaction((tx) => Sums.change(tx, { added: rows }));

    // The pool of the tests rejects transactions of more rows than Aurora DSQL does.
    const ids = rows.map(({ id }) => id);
    const moved = { startedAt: "2026-10-20T09:00:00Z", endedAt: "2026-10-20T12:00:00Z" };
    for (const changes of [moved, { projectId: target, ...hour }])
      expect((await update(ada, ids, changes)).status).toBe(200);
    const deliveries = db().selectFrom("webhook_deliveries").where("workspace_id", "=", workspaceId);
    const { warned } = await deliveries
      .select(({ fn }) => fn.countAll<bigint>().as("warned"))
      .executeTakeFirstOrThrow();
    // Five projects of the first change and the target of the second have both warnings, for each endpoint.
    expect(Number(warned)).toBe(6 * 2 * maxEndpoints);
    expect((await remove(ada, ids, { "idempotency-key": "all" })).status).toBe(204);
  });
});
