import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../base/actor.ts";
import { owner } from "../../testing/people.ts";
import { authorize, type Membership } from "../../workspace/authorization.ts";
import * as Budget from "../budgets/budget.ts";
import * as Project from "../projects/project.ts";
import * as TimeEntry from "./time-entry.ts";

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
    const entry = await TimeEntry.update(actor, membership, id, { endedAt: start }, now);
    expect(entry.durationSeconds).toBe(0);
  });
});
