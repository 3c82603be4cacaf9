import { beforeEach, describe, expect, inject, it } from "vitest";
import type { Actor } from "../base/actor.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { owner } from "../testing/people.ts";
import { authorize, type Membership } from "../workspace/authorization.ts";
import * as Settings from "../workspace/settings.ts";
import * as PeriodLock from "./period-lock.ts";

const now = new Date("2026-03-02T12:00:00Z");
const past = new Date("2026-02-10T12:00:00Z");

let actor: Actor;
let membership: Membership;
beforeEach(async () => {
  const { id: userId, sessionId, workspaceId } = await owner("Ada", "ENTERPRISE");
  actor = { userId, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  membership = await authorize(actor, workspaceId);
});

/** Changes a day in a transaction that has read the workspace before `meanwhile` runs, and returns the number of attempts. */
async function changeDay(at: Date, meanwhile: () => Promise<unknown>): Promise<number> {
  let attempts = 0;
  const { workspaceId } = membership;
  await transaction(async (tx) => {
    attempts++;
    await tx.selectFrom("workspaces").selectAll().where("id", "=", workspaceId).execute();
    if (attempts === 1) await meanwhile();
    await PeriodLock.enterAt(tx, { workspaceId, userId: actor.userId }, [at], now);
  });
  return attempts;
}

const lock = () => Settings.update(actor, membership, { lockedUntil: "2026-02-28" }, undefined, now);
const other = (userId: string) => () =>
  transaction((tx) => PeriodLock.enterAt(tx, { workspaceId: membership.workspaceId, userId }, [past], now));

describe("a change of a day", () => {
  it("writes no guard today, and on other plans", async () => {
    await changeDay(now, async () => {});
    await db().updateTable("workspaces").set({ plan: "PRO" }).execute();
    await changeDay(past, async () => {});
    const guards = db().selectFrom("period_guards").selectAll();
    expect(await guards.where("workspace_id", "=", membership.workspaceId).execute()).toEqual([]);
  });
});

// PGlite has one connection, so its transactions cannot overlap.
describe.skipIf(inject("template").kind === "pglite")("a change of a day while others run", () => {
  it("runs again when its day is locked meanwhile, and is rejected", () =>
    expect(changeDay(past, lock)).rejects.toMatchObject({ code: "period_locked" }));

  it("does not run again when another user changes the same day", async () => {
    expect(await changeDay(past, other("usr_other"))).toBe(1);
  });

  it("does not run again when it changes today while earlier days are locked", async () => {
    expect(await changeDay(now, lock)).toBe(1);
  });
});
