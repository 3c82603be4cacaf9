import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { log } from "@svc/core/platform/log/log";
import { unlimited } from "@svc/core/testing/dsql";
import { colleague, owner, reauthenticated } from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { request } from "../testing/request.ts";
import { handler as chain } from "./chain-audit-logs.ts";
import { handler as check } from "./check-audit-logs.ts";

const context = { awsRequestId: "run", getRemainingTimeInMillis: () => 900_000 } as never;

beforeEach(async () => {
  for (const table of ["events", "audit_links", "audit_checkpoints", "job_cursors"] as const)
    await unlimited(() => db().deleteFrom(table).execute());
});
afterEach(() => {
  Clock.reset();
  vi.restoreAllMocks();
});

/** Makes all entries old enough for the chain, and chains them. */
async function chained() {
  Clock.advance(3600);
  return chain({}, context);
}

describe("check-audit-logs", () => {
  it("checks each log once a day", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await owner("Bob");
    for (const { token } of [ada, bob])
      await request("POST /api/v1/projects", { token, body: { name: "Loom" } });
    await chained();
    expect(await check({}, context)).toMatchObject({ workspaces: 2, problems: 0, finished: true });
    expect(await check({}, context)).toMatchObject({ workspaces: 0, finished: true });
    expect(await check({ again: true }, context)).toMatchObject({ workspaces: 2 });
  });

  it("continues where a run without time stopped", async () => {
    for (const name of ["Ada", "Bob", "Cy"]) await owner(name);
    await chained();
    let runs = 0;
    for (let finished = false; !finished; runs++) {
      let left = 5;
      const getRemainingTimeInMillis = () => --left;
      ({ finished } = await check({}, { ...(context as object), getRemainingTimeInMillis } as never));
    }
    expect(runs).toBeGreaterThan(1);
  });

  it("fails and names the entry when one was changed", async () => {
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    await chained();
    const { id } = await db()
      .updateTable("events")
      .set({ target_name: "Other" })
      .where("workspace_id", "=", workspaceId)
      .returning("id")
      .executeTakeFirstOrThrow();
    const error = vi.spyOn(log, "error");
    await expect(check({}, context)).rejects.toThrow("problems in audit logs");
    expect(error.mock.calls[0]).toEqual([
      "audit log does not verify",
      { workspaceId, problem: "entry_changed", sequence: 1, eventId: id },
    ]);
  });

  it("accepts the log after a member deleted their account, whose values and salts are gone", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada, "manager");
    await request("POST /api/v1/projects", { token: bob.token, body: { name: "Loom" }, ip: "192.0.2.7" });
    await request("PATCH /team/{id}/members/{userId}", {
      token: ada.token,
      path: { id: ada.teamId, userId: bob.id },
      body: { role: "admin" },
    });
    await chained();
    const { status } = await request("DELETE /user", { token: (await reauthenticated(bob)).token });
    expect(status).toBe(204);
    await chained();
    const rows = await db()
      .selectFrom("events")
      .select(["action", "ip", "origin_salt", "changes_salt"])
      .where("actor_id", "=", bob.id)
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "=", "project.created")
      .execute();
    expect(rows).toEqual([
      { action: "project.created", ip: "", origin_salt: null, changes_salt: expect.any(String) },
    ]);
    expect(await check({}, context)).toMatchObject({ problems: 0, finished: true });
  });

  it("accepts the log after a member deleted their account while the job chained their entries", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada, "manager");
    for (let n = 0; n < 5; n++)
      await request("POST /api/v1/projects", {
        token: bob.token,
        body: { name: `Loom ${n}` },
        ip: "192.0.2.7",
      });
    Clock.advance(3600);
    const { token } = await reauthenticated(bob);
    const [, { status }] = await Promise.all([chain({}, context), request("DELETE /user", { token })]);
    expect(status).toBe(204);
    await chained();
    const left = await db()
      .selectFrom("events")
      .select("id")
      .where("actor_id", "=", bob.id)
      .where("ip", "=", "192.0.2.7")
      .execute();
    expect(left).toEqual([]);
    expect(await check({}, context)).toMatchObject({ problems: 0, finished: true });
  });
});
