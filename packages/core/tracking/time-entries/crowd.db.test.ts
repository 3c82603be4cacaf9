import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Actor } from "../../base/actor.ts";
import { db } from "../../platform/db/engine.ts";
import { widen } from "../../testing/database.ts";
import { owner } from "../../testing/people.ts";
import { authorize, type Membership } from "../../workspace/authorization.ts";
import * as Budget from "../budgets/budget.ts";
import * as Project from "../projects/project.ts";
import * as Timer from "./timer.ts";

const now = new Date("2026-03-02T12:00:00Z");
const later = new Date("2026-03-02T13:00:00Z");
/** Transactions conflict only on PostgreSQL (`.ci/with-postgres`), because PGlite has one connection. */
const members = inject("template").kind === "pglite" ? 20 : 200;

let membership: Membership;
let crowd: Actor[];
let projectId: string;
let narrow: () => Promise<void>;

beforeAll(async () => {
  const { id: userId, sessionId, workspaceId } = await owner("Ada", "ENTERPRISE");
  const ada: Actor = { userId, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  membership = await authorize(ada, workspaceId);
  crowd = Array.from({ length: members }, (_, n) => ({ ...ada, userId: `usr_crowd${n}` }));
  const budget = { type: "money", amount: String(75 * members), alertThresholdPercent: 50 } as const;
  const input = { name: "Festival", hourlyRate: "100", budget };
  projectId = (await Project.create(ada, membership, input, now)).id;
  narrow = await widen(80);
});
afterAll(() => narrow());

/** Returns the codes of the calls that failed. */
async function failures(calls: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.flatMap((call) => (call.status === "rejected" ? [call.reason.code] : []));
}

describe("members of one project, 200 on PostgreSQL", () => {
  it("start their timers at once without a failure", async () => {
    const start = (actor: Actor) => Timer.start(actor, membership, { projectId }, now);
    expect(await failures(crowd.map(start))).toEqual([]);
    const { last_tracked_at } = await Project.fetch(db(), membership.workspaceId, projectId);
    expect(last_tracked_at).toEqual(now);
  });

  it("stop their timers at once without a failure, and their time uses the budget", async () => {
    const stop = (actor: Actor) => Timer.stop(actor, membership, later);
    expect(await failures(crowd.map(stop))).toEqual([]);
    expect(await Budget.get(membership, projectId, later)).toMatchObject({ spent: `${100 * members}.00` });
    const warned = await db()
      .selectFrom("budget_warnings")
      .select("threshold")
      .where("project_id", "=", projectId)
      .execute();
    expect(warned.map(({ threshold }) => threshold).sort()).toEqual(["50", "forecast"]);
  });
});
