import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../base/actor.ts";
import { db } from "../../platform/db/engine.ts";
import { owner } from "../../testing/people.ts";
import { authorize, type Membership } from "../../workspace/authorization.ts";
import * as Budget from "../budgets/budget.ts";
import * as Project from "../projects/project.ts";
import * as TimeEntry from "./time-entry.ts";
import * as Timer from "./timer.ts";

const now = new Date("2026-03-02T12:00:00Z");
const start = new Date("2026-03-02T09:00:00Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

let actor: Actor;
let membership: Membership;
beforeEach(async () => {
  const { id, sessionId, workspaceId } = await owner("Ada", "ENTERPRISE");
  actor = { userId: id, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  membership = await authorize(actor, workspaceId);
});

const create = (input: Omit<TimeEntry.Create, "startedAt"> & { startedAt?: Date }) =>
  TimeEntry.create(actor, membership, { startedAt: start, ...input }, now);
const errorAt = (pointer: string, code: string) =>
  expect.objectContaining({ details: { errors: [expect.objectContaining({ pointer, code })] } });

describe("create", () => {
  test("accepts an entry of zero length, which costs nothing and uses no budget", async () => {
    const hourlyRate = "80.00";
    const budget = { type: "hours", amount: "10" } as const;
    const project = await Project.create(actor, membership, { name: "Website", hourlyRate, budget }, now);
    const entry = await create({ endedAt: start, projectId: project.id });
    expect(entry).toMatchObject({ durationSeconds: 0, amount: "0.00", billable: true });
    expect(await Budget.get(membership, project.id, now)).toMatchObject({ spent: "0.00", percent: 0 });
  });

  test("rejects an entry that ends a second before it starts", () =>
    expect(create({ endedAt: later(-1) })).rejects.toEqual(errorAt("/endedAt", "ends_before_start")));

  test("accepts an entry of exactly the maximum length", async () => {
    const entry = await create({ endedAt: later(TimeEntry.maxDays * 86_400) });
    expect(entry.durationSeconds).toBe(TimeEntry.maxDays * 86_400);
  });

  test("rejects an entry that is a second longer than the maximum", () =>
    expect(create({ endedAt: later(TimeEntry.maxDays * 86_400 + 1) })).rejects.toEqual(
      errorAt("/endedAt", "too_long"),
    ));

  test("accepts a timer that starts now, with no elapsed time", async () => {
    const timer = await create({ startedAt: now });
    expect(timer).toMatchObject({ endedAt: null, durationSeconds: 0 });
  });

  test("rejects a timer that starts in the future", () =>
    expect(create({ startedAt: new Date(now.getTime() + 1000) })).rejects.toEqual(
      errorAt("/startedAt", "in_the_future"),
    ));
});

describe("update", () => {
  test("accepts an end that equals the start", async () => {
    const { id } = await create({ endedAt: later(3600) });
    const entry = await TimeEntry.update(actor, membership, id, { endedAt: start }, undefined, now);
    expect(entry.durationSeconds).toBe(0);
  });

  test("changes only the given fields", async () => {
    const before = await create({ endedAt: later(3600), description: "Loom", tags: ["x"] });
    const update = (input: TimeEntry.Update) =>
      TimeEntry.update(actor, membership, before.id, input, undefined, now);
    const described = await update({ description: "Engine" });
    const version = expect.any(String);
    expect(described).toEqual({ ...before, description: "Engine", updatedAt: now.toISOString(), version });
    const moved = await update({ startedAt: later(1800), tags: ["y", "y"] });
    expect(moved).toEqual({
      ...described,
      startedAt: later(1800).toISOString(),
      durationSeconds: 1800,
      tags: ["y"],
      version,
    });
  });

  test("validates times like `create`, with the stored time where only one is given", async () => {
    const entry = await create({ endedAt: later(3600) });
    const timer = await create({});
    const update = (id: string, input: TimeEntry.Update) =>
      TimeEntry.update(actor, membership, id, input, undefined, now);
    await expect(update(entry.id, { startedAt: later(3601) })).rejects.toEqual(
      errorAt("/endedAt", "ends_before_start"),
    );
    await expect(update(entry.id, { endedAt: later(-1) })).rejects.toEqual(
      errorAt("/endedAt", "ends_before_start"),
    );
    await expect(update(timer.id, { startedAt: new Date(now.getTime() + 1000) })).rejects.toEqual(
      errorAt("/startedAt", "in_the_future"),
    );
  });
});

describe("budget warnings", () => {
  const budget = { type: "hours", amount: "2", alertThresholdPercent: 75 } as const;
  const warnings = async (id: string) =>
    (
      await db()
        .selectFrom("events")
        .select("data")
        .where("target_id", "=", id)
        .where("action", "=", "budget.forecast_warning")
        .orderBy("id")
        .execute()
    ).map(({ data }) => data);
  const thresholds = async (id: string) =>
    (await warnings(id)).filter((data) => data?.reason === "threshold").map((data) => data?.thresholdPercent);
  const project = (input: Partial<Project.Create>) =>
    Project.create(actor, membership, { name: "Website", budget, ...input }, now);

  test("are recorded when an entry becomes longer", async () => {
    const { id } = await project({});
    const entry = await create({ endedAt: later(3600), projectId: id });
    expect(await thresholds(id)).toEqual([]);
    await TimeEntry.update(actor, membership, entry.id, { endedAt: later(5400) }, undefined, now);
    expect(await thresholds(id)).toEqual([75]);
  });

  test("are recorded when an entry moves to the project", async () => {
    const { id } = await project({});
    const entry = await create({ endedAt: later(5400) });
    await TimeEntry.update(actor, membership, entry.id, { projectId: id }, undefined, now);
    expect(await thresholds(id)).toEqual([75]);
  });

  test("are recorded when a timer stops", async () => {
    const { id } = await project({});
    await TimeEntry.create(actor, membership, { startedAt: start, projectId: id }, start);
    expect(await thresholds(id)).toEqual([]);
    await Timer.stop(actor, membership, now);
    expect(await thresholds(id)).toEqual([75]);
  });

  test("are recorded again when another threshold is reached in the same period", async () => {
    const { id } = await project({});
    await create({ endedAt: later(5400), projectId: id });
    const higher = { ...budget, alertThresholdPercent: 80 };
    await Project.update(actor, membership, id, { budget: higher }, undefined, now);
    await create({ startedAt: later(5400), endedAt: later(6000), projectId: id });
    expect(await thresholds(id)).toEqual([75, 80]);
  });

  test("name the currency of a money budget and the time at which the budget is used up", async () => {
    const { id } = await project({ hourlyRate: "60", budget: { type: "money", amount: "100" } });
    await create({ endedAt: later(6000), projectId: id });
    const spent = { type: "money", amount: "100.00", spent: "100.00", currency: "EUR" };
    expect((await warnings(id))[0]).toMatchObject({
      ...spent,
      forecastDate: "2026-03-02",
      forecastAt: now.toISOString(),
    });
    const hours = await project({});
    await create({ startedAt: later(-7200), endedAt: later(-1800), projectId: hours.id });
    expect((await warnings(hours.id))[0]).toMatchObject({ type: "hours", currency: null });
  });
});

test("a project is marked as tracked at most once a minute", async () => {
  const { id } = await Project.create(actor, membership, { name: "Website" }, now);
  const lastTrackedAfter = async (seconds: number) => {
    const at = new Date(now.getTime() + seconds * 1000);
    await TimeEntry.create(actor, membership, { startedAt: start, endedAt: now, projectId: id }, at);
    return (await Project.get(membership, id)).lastTrackedAt;
  };
  expect(await lastTrackedAfter(0)).toBe("2026-03-02T12:00:00.000Z");
  expect(await lastTrackedAfter(59)).toBe("2026-03-02T12:00:00.000Z");
  expect(await lastTrackedAfter(60)).toBe("2026-03-02T12:01:00.000Z");
});

test("a monthly budget counts a running timer from the first instant of the month, not one that began before", async () => {
  const budget = { type: "hours", amount: "100", period: "month" } as const;
  const { id } = await Project.create(actor, membership, { name: "Website", budget }, now);
  const spent = async () => (await Budget.get(membership, id, now)).spent;
  const timer = await create({ startedAt: new Date("2026-03-01T00:00:00Z"), projectId: id });
  expect(await spent()).toBe("36.00");
  await TimeEntry.update(
    actor,
    membership,
    timer.id,
    { startedAt: new Date("2026-02-28T23:59:59Z") },
    undefined,
    now,
  );
  expect(await spent()).toBe("0.00");
});
