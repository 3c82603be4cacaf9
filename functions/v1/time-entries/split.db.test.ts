import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { colleague, owner, type Person } from "@svc/core/testing/people";
import { long } from "@svc/core/testing/sample";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { request } from "../../testing/request.ts";

const hour = { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };
const at = "2026-11-20T09:20:00Z";

const create = ({ token }: Person, body: object = {}) =>
  request("POST /api/v1/time-entries", { token, body: { ...hour, ...body } });
const split = ({ token }: Person, id: string, at: string, headers: Record<string, string> = {}) =>
  request("POST /api/v1/time-entries/{id}/split", { token, path: { id }, body: { at }, headers });
const duplicate = ({ token }: Person, id: string, headers: Record<string, string> = {}) =>
  request("POST /api/v1/time-entries/{id}/duplicate", { token, path: { id }, headers });
const list = async ({ token }: Person) =>
  (await request("GET /api/v1/time-entries", { token, query: { sort: "started_at" } })).body.data;

async function projectOf({ token }: Person, hourlyRate: string): Promise<string> {
  const body = { name: "Engine", currency: "EUR", hourlyRate };
  return (await request("POST /api/v1/projects", { token, body })).body.id;
}

const sumsOf = (projectId: string) =>
  db()
    .selectFrom("project_sums")
    .select(["unit", "starts_on", "minor", "seconds"])
    .where("project_id", "=", projectId)
    .orderBy("unit")
    .orderBy("starts_on")
    .execute();

describe("POST /api/v1/time-entries/{id}/split", () => {
  it("ends the entry at the time and creates another one with the rest", async () => {
    const ada = await owner("Ada");
    const projectId = await projectOf(ada, "80");
    const details = { projectId, description: "Call", tags: ["x", "y"] };
    const { id } = (await create(ada, details)).body;
    const { status, body, headers } = await split(ada, id, at);
    const [first, second] = body.data;
    expect([status, headers.location]).toEqual([201, `/api/v1/time-entries/${second.id}`]);
    expect(first).toMatchObject({
      ...details,
      id,
      durationSeconds: 1200,
      amount: "26.67",
      hourlyRate: "80.00",
    });
    expect(second).toMatchObject({ ...details, durationSeconds: 2400, amount: "53.33", hourlyRate: "80.00" });
    expect([first.endedAt, second.startedAt]).toEqual(Array(2).fill("2026-11-20T09:20:00.000Z"));
    expect(second.endedAt).toBe("2026-11-20T10:00:00.000Z");
    expect((await list(ada)).map(({ id }: { id: string }) => id)).toEqual([id, second.id]);
  });

  it("keeps durations, amounts and sums of any entry, however often it is split", async () => {
    const ada = await owner("Ada");
    const seconds = fc.integer({ min: 2, max: 100_000 });
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(seconds, fc.integer({ min: 1, max: 20_000 }), cuts, async (length, rate, shares) => {
        const projectId = await projectOf(ada, (rate / 100).toFixed(2));
        const start = Date.parse(hour.startedAt);
        const endedAt = new Date(start + length * 1000).toISOString();
        const { body: whole } = await create(ada, { projectId, endedAt });
        let entries = [whole];
        for (const share of shares) {
          const entry = entries.find(({ durationSeconds }) => durationSeconds > 1);
          if (!entry) break;
          const cut =
            Date.parse(entry.startedAt) + 1000 * (1 + Math.floor(share * (entry.durationSeconds - 2)));
          const { data } = (await split(ada, entry.id, new Date(cut).toISOString())).body;
          entries = [...entries.filter(({ id }) => id !== entry.id), ...data];
        }
        const cents = ({ amount }: { amount: string }) => Math.round(Number(amount) * 100);
        const total = (of: (entry: typeof whole) => number) =>
          entries.reduce((sum, entry) => sum + of(entry), 0);
        expect(total(({ durationSeconds }) => durationSeconds)).toBe(length);
        expect(total(cents)).toBe(cents(whole));
        expect(Math.min(...entries.map(cents))).toBeGreaterThanOrEqual(0);
        const months = (await sumsOf(projectId)).filter(({ unit }) => unit === "month");
        expect(months.reduce((sum, { minor }) => sum + Number(minor), 0)).toBe(cents(whole));
        expect(months.reduce((sum, { seconds }) => sum + Number(seconds), 0)).toBe(length);
      }),
      { numRuns: long ? 200 : 5 },
    );
  });

  it("keeps the amount of a part when only its description changes", async () => {
    const ada = await owner("Ada");
    // Each half is worth half a cent, which is rounded to 0, but together they are worth one.
    const projectId = await projectOf(ada, "0.01");
    const { id } = (await create(ada, { projectId })).body;
    const [first, second] = (await split(ada, id, "2026-11-20T09:30:00Z")).body.data;
    expect([first.amount, second.amount]).toEqual(["0.00", "0.01"]);
    const change = (body: object) =>
      request("PATCH /api/v1/time-entries/{id}", { token: ada.token, path: { id: second.id }, body });
    expect((await change({ description: "Rest" })).body.amount).toBe("0.01");
    expect((await change({ billable: false })).body.amount).toBe("0.00");
    expect((await change({ billable: true })).body.amount).toBe("0.00");
  });

  it("rejects a part after the last day of the currency, and changes nothing", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const body = { name: "Engine", currency: "HRK", hourlyRate: "75" };
    const projectId = (await request("POST /api/v1/projects", { token: ada.token, body })).body.id;
    const times = { startedAt: "2022-12-31T21:00:00Z", endedAt: "2023-01-01T02:00:00Z" };
    const { id } = (await create(ada, { ...times, projectId })).body;
    const before = [await list(ada), await sumsOf(projectId)];
    const refused = await split(ada, id, "2023-01-01T00:30:00Z");
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      422,
      { pointer: "/at", code: "currency_ended" },
    ]);
    expect([await list(ada), await sumsOf(projectId)]).toEqual(before);
    expect((await split(ada, id, "2022-12-31T22:30:00Z")).status).toBe(201);
  });

  it("lets a timer go on in the new entry", async () => {
    const ada = await owner("Ada");
    const projectId = await projectOf(ada, "80");
    const start = Clock.now().getTime() - 3_600_000;
    const startedAt = new Date(start).toISOString();
    const { id } = (await create(ada, { projectId, startedAt, endedAt: undefined })).body;
    const [first, second] = (await split(ada, id, new Date(start + 1_200_000).toISOString())).body.data;
    expect(first).toMatchObject({ id, durationSeconds: 1200, amount: "26.67" });
    expect(second).toMatchObject({ startedAt: first.endedAt, endedAt: null });
    const running = await request("GET /api/v1/time-entries/running", { token: ada.token });
    expect(running.body.id).toBe(second.id);
    const later = new Date(start + 7_200_000).toISOString();
    expect((await split(ada, second.id, later)).body.errors).toMatchObject([
      { pointer: "/at", code: "outside_entry" },
    ]);
  });

  it.each(["2026-11-20T09:00:00Z", "2026-11-20T10:00:00Z", "2026-11-20T08:00:00Z", "2026-11-21T00:00:00Z"])(
    "rejects %s, which is not inside the entry",
    async (at) => {
      const ada = await owner("Ada");
      const { id } = (await create(ada)).body;
      const { status, body } = await split(ada, id, at);
      expect([status, body.errors[0].pointer, body.errors[0].code]).toEqual([422, "/at", "outside_entry"]);
      expect(await list(ada)).toHaveLength(1);
    },
  );

  it("splits once when the request is repeated with the same Idempotency-Key", async () => {
    const ada = await owner("Ada");
    const { id } = (await create(ada)).body;
    const key = { "idempotency-key": "split" };
    const [first, again] = [await split(ada, id, at, key), await split(ada, id, at, key)];
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(await list(ada)).toHaveLength(2);
  });

  it("records the changed and the created entry", async () => {
    const ada = await owner("Ada");
    const { id } = (await create(ada)).body;
    const [, second] = (await split(ada, id, at)).body.data;
    const events = await db()
      .selectFrom("events")
      .select(["action", "target_id", "changes"])
      .where("target_id", "in", [id, second.id])
      .orderBy("id")
      .execute();
    expect(events.slice(1)).toMatchObject([
      {
        action: "time_entry.updated",
        target_id: id,
        changes: { endedAt: { before: "2026-11-20T10:00:00.000Z", after: "2026-11-20T09:20:00.000Z" } },
      },
      { action: "time_entry.created", target_id: second.id },
    ]);
  });

  it("refuses archived projects and the entries of others, except for those who may correct them", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const [boss, bob, eve] = [
      await colleague(ada, "manager", "Boss"),
      await colleague(ada, "member", "Bob"),
      await colleague(ada, "member", "Eve"),
    ];
    const projectId = await projectOf(ada, "80");
    const { id } = (await create(bob, { projectId })).body;
    for (const ask of [(by: Person) => split(by, id, at), (by: Person) => duplicate(by, id)])
      expect((await ask(eve)).body.code).toBe("time_entry_not_found");
    const adas = (await create(ada)).body.id;
    expect((await split(boss, adas, at)).body.code).toBe("insufficient_role");
    expect((await duplicate(boss, adas)).body.code).toBe("insufficient_role");
    const parts = (await split(boss, id, at)).body.data;
    for (const part of [...parts, (await duplicate(boss, id)).body])
      expect(part).toMatchObject({ userId: bob.id, updatedBy: boss.id });
    await request("POST /api/v1/projects/{id}/archive", { token: ada.token, path: { id: projectId } });
    expect((await split(bob, id, "2026-11-20T09:10:00Z")).body.code).toBe("project_archived");
    expect((await duplicate(bob, id)).body.code).toBe("project_archived");
  });
});

describe("POST /api/v1/time-entries/{id}/duplicate", () => {
  it("copies an entry at the current rate of its project", async () => {
    const ada = await owner("Ada");
    const projectId = await projectOf(ada, "80");
    const details = { projectId, description: "Call", tags: ["x"], billable: true };
    const { body: source } = await create(ada, details);
    const path = { id: projectId };
    await request("PATCH /api/v1/projects/{id}", { token: ada.token, path, body: { hourlyRate: "100" } });
    const { status, body, headers } = await duplicate(ada, source.id);
    expect([status, headers.location]).toEqual([201, `/api/v1/time-entries/${body.id}`]);
    const { startedAt, endedAt } = source;
    expect(body).toMatchObject({ ...details, startedAt, endedAt, amount: "100.00" });
    expect(body.id).not.toBe(source.id);
    expect((await list(ada)).map(({ amount }: { amount: string }) => amount).sort()).toEqual([
      "100.00",
      "80.00",
    ]);
  });

  it("returns 409 timer_already_running for a running timer", async () => {
    const ada = await owner("Ada");
    const { id } = (await create(ada, { endedAt: undefined })).body;
    const { status, body } = await duplicate(ada, id);
    expect([status, body.code]).toEqual([409, "timer_already_running"]);
  });

  it("copies once when the request is repeated with the same Idempotency-Key", async () => {
    const ada = await owner("Ada");
    const { id } = (await create(ada)).body;
    const key = { "idempotency-key": "copy" };
    const [first, again] = [await duplicate(ada, id, key), await duplicate(ada, id, key)];
    expect(again.body).toEqual(first.body);
    expect(await list(ada)).toHaveLength(2);
  });
});
