import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { db } from "@svc/core/platform/db/engine";
import { unlimited } from "@svc/core/testing/dsql";
import { colleague, type Home, owner, type Person, person, reauthenticated } from "@svc/core/testing/people";
import { maxActiveProjects, maxOwnedWorkspaces, maxTeams } from "@svc/core/workspace/limits";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteKey } from "../routes.ts";
import { request } from "../testing/request.ts";

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

const day = "2026-11-20";
const budget = { type: "money", amount: "1000.00", period: "total", alertThresholdPercent: 75 };

const create = async (token: string, body: object = {}) =>
  (await request("POST /api/v1/projects", { token, body: { name: "Engine", ...body } })).body.id as string;
const track = async (token: string, projectId: string, hours: number) => {
  const body = { projectId, startedAt: `${day}T05:00:00Z`, endedAt: `${day}T0${5 + hours}:00:00Z` };
  const { status, body: entry } = await request("POST /api/v1/time-entries", { token, body });
  expect(status).toBe(201);
  return entry;
};
const setting = (token: string, membersSeeMoney: boolean) =>
  request("PATCH /api/v1/workspace", { token, body: { membersSeeMoney } });
const setRole = ({ workspaceId }: Home, { id }: Person, role: string) =>
  db()
    .updateTable("memberships")
    .set({ role })
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", id)
    .execute();

/** The projects of every response that contains them, and the budget's status and code. */
async function seenBy(token: string, id: string) {
  const path = { id };
  const [list, recent, one, status] = await Promise.all([
    request("GET /api/v1/projects", { token }),
    request("GET /api/v1/projects/recent", { token }),
    request("GET /api/v1/projects/{id}", { token, path }),
    request("GET /api/v1/projects/{id}/budget", { token, path }),
  ]);
  const projects = [...list.body.data, ...recent.body.data, one.body];
  return {
    rates: [...new Set(projects.map(({ hourlyRate }) => hourlyRate))],
    budgets: [...new Set(projects.map(({ budget }) => budget?.amount ?? null))],
    budget: [status.status, status.body.code],
  };
}

/** A workspace with a project that has a rate and a budget, on which a manager and a member have tracked time. */
async function scene() {
  const ada = await owner("Ada", "ENTERPRISE");
  const [mia, bob] = [await colleague(ada, "manager", "Mia"), await colleague(ada, "member", "Bob")];
  const projectId = await create(mia.token, { hourlyRate: "80", budget });
  await track(mia.token, projectId, 2);
  const entry = await track(bob.token, projectId, 1);
  return { ada, mia, bob, projectId, entry };
}

describe("a member reads what the workspace charges and spends", () => {
  it("returns no rate and no budget to members, and both to managers", async () => {
    const { mia, bob, projectId } = await scene();
    expect(await seenBy(bob.token, projectId)).toEqual({
      rates: [null],
      budgets: [null],
      budget: [403, "money_hidden"],
    });
    expect(await seenBy(mia.token, projectId)).toMatchObject({
      rates: ["80.00"],
      budgets: ["1000.00"],
      budget: [200, undefined],
    });
  });

  it("returns the same to a member's API token of every scope", async () => {
    const { ada, bob, projectId } = await scene();
    for (const scope of ["read", "write", "admin"]) {
      await reauthenticated(bob);
      const created = await request("POST /user/tokens", {
        token: bob.token,
        body: { name: scope, scopes: [scope], workspaceId: ada.workspaceId },
      });
      expect(await seenBy(created.body.token, projectId)).toMatchObject({
        rates: [null],
        budget: [403, "money_hidden"],
      });
    }
  });

  it("does not tell members which projects have a budget, nor which exist", async () => {
    const { mia, bob } = await scene();
    const without = await create(mia.token);
    const answers = await Promise.all(
      [without, newId("prj")].map((id) =>
        request("GET /api/v1/projects/{id}/budget", { token: bob.token, path: { id } }),
      ),
    );
    expect(answers.map(({ body }) => body.code)).toEqual(["money_hidden", "money_hidden"]);
  });

  it("shows members everything when an admin turns membersSeeMoney on, and hides it again at once", async () => {
    const { ada, bob, projectId } = await scene();
    const visible = { rates: ["80.00"], budgets: ["1000.00"], budget: [200, undefined] };
    expect((await setting(ada.token, true)).body).toMatchObject({ membersSeeMoney: true });
    expect(await seenBy(bob.token, projectId)).toMatchObject(visible);
    await setting(ada.token, false);
    expect(await seenBy(bob.token, projectId)).toMatchObject({ rates: [null], budgets: [null] });
  });

  it("keeps money visible in workspaces that are older than the setting", async () => {
    const { ada, bob, projectId } = await scene();
    await sql`UPDATE workspaces SET members_see_money = NULL WHERE id = ${ada.workspaceId}`.execute(db());
    expect(await seenBy(bob.token, projectId)).toMatchObject({ rates: ["80.00"], budgets: ["1000.00"] });
    const { body } = await request("GET /api/v1/workspace", { token: bob.token });
    expect(body.membersSeeMoney).toBe(true);
  });

  it("returns 403 insufficient_role when a member or a manager turns it on, and 422 for other values", async () => {
    const { ada, mia, bob } = await scene();
    for (const { token } of [mia, bob])
      expect((await setting(token, true)).body.code).toBe("insufficient_role");
    for (const membersSeeMoney of [null, "true", 1]) {
      const answer = await request("PATCH /api/v1/workspace", {
        token: ada.token,
        body: { membersSeeMoney },
      });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/membersSeeMoney"]);
    }
  });

  it("shows members the amounts on their own entries and no others, however they filter and group", async () => {
    const { mia, bob, projectId, entry } = await scene();
    const { token } = bob;
    const own = { hourlyRate: "80.00", amount: "80.00" };
    expect(entry).toMatchObject(own);
    const list = await request("GET /api/v1/time-entries", { token });
    expect(list.body.data).toMatchObject([{ userId: bob.id, ...own }]);

    const amounts = [{ amount: "80.00", currency: "EUR" }];
    const teams = await request("GET /team", { token });
    const groupings = ["user", "project", "client", "team", "tag", "billable", "currency", "day"];
    const filters: Record<string, string>[] = [
      { project_id: projectId },
      { team_id: teams.body.data[0].id },
      { currency: "EUR" },
    ];
    const chosen = [
      ...groupings.map((group_by) => ({ group_by })),
      ...filters.map((filter) => ({ group_by: "user", ...filter })),
    ];
    for (const choice of chosen) {
      const query = { from: day, to: day, ...choice };
      const columns = "user_id,hourly_rate,amount";
      const summary = await request("GET /api/v1/reports/summary", { token, query });
      const custom = await request("GET /api/v1/reports/custom", { token, query: { ...query, columns } });
      for (const { body } of [summary, custom]) {
        expect(body.totals.amounts).toEqual(amounts);
        expect(body.groups).toMatchObject([{ amounts }]);
      }
      expect(custom.body.groups[0].entries).toEqual([{ userId: bob.id, ...own }]);
    }
    const others = await request("GET /api/v1/reports/summary", {
      token,
      query: { from: day, to: day, user_id: mia.id },
    });
    expect(others.body).toMatchObject({ groups: [], totals: { amounts: [] } });
  });

  it("writes only the member's own amounts to the files they generate", async () => {
    const { bob } = await scene();
    for (const type of ["detailed", "summary", "custom"]) {
      const body = { type, format: "csv", from: day, to: day };
      const file = await request("POST /api/v1/reports/generate", { token: bob.token, body });
      const text = await (await fetch(file.body.signedUrl)).text();
      expect(text).toContain("80.00");
      expect(text).not.toMatch(/160|240/);
    }
  });

  it("returns 404 for a report file that a manager generated, also to that manager as a member", async () => {
    const { ada, mia, bob } = await scene();
    const body = { type: "detailed", format: "csv", from: day, to: day };
    const { id } = (await request("POST /api/v1/reports/generate", { token: mia.token, body })).body;
    await setRole(ada, mia, "member");
    for (const { token } of [mia, bob]) {
      const answer = await request("GET /api/v1/reports/{id}", { token, path: { id } });
      expect([answer.status, answer.body.code]).toEqual([404, "report_not_found"]);
    }
  });

  it("returns 404 for a report file to a former manager who repeats the request that generated it", async () => {
    const { ada, mia } = await scene();
    const body = { type: "detailed", format: "csv", from: day, to: day };
    const again = { token: mia.token, headers: { "idempotency-key": "once" }, body };
    expect((await request("POST /api/v1/reports/generate", again)).status).toBe(201);
    await setRole(ada, mia, "member");
    const answer = await request("POST /api/v1/reports/generate", again);
    expect([answer.status, answer.body.code]).toEqual([404, "report_not_found"]);
  });

  it("exports no money that a former manager recorded, besides that on their own entries", async () => {
    const { ada, mia, bob, projectId, entry } = await scene();
    const timer = { token: bob.token, body: { projectId } };
    const { id: stopped } = (await request("POST /api/v1/time-entries/start", timer)).body;
    const hours = { startedAt: `${day}T05:00:00Z`, endedAt: `${day}T06:00:00Z` };
    const correction = { token: mia.token, body: { ...hours, projectId, userId: bob.id } };
    const { id: corrected } = (await request("POST /api/v1/time-entries", correction)).body;
    await request("DELETE /api/v1/time-entries/{id}", { token: mia.token, path: { id: corrected } });
    await request("POST /api/v1/projects/{id}/archive", { token: mia.token, path: { id: projectId } });
    const changesOf = async ({ token }: Person) => {
      const { events } = (await request("GET /user/export", { token })).body;
      const of = (id: string) =>
        Object.assign({}, ...events.filter((e: { targetId: string }) => e.targetId === id).map(changes));
      return {
        project: of(projectId),
        stopped: of(stopped),
        corrected: of(corrected),
        own: of(entry.id),
        events,
      };
    };
    const changes = (event: { changes: object }) => event.changes;
    const before = await changesOf(mia);
    expect(before.project).toMatchObject({ hourlyRate: { after: "80.00" }, budget: { after: budget } });
    expect(before.stopped).toHaveProperty("amount");
    expect(before.corrected).toHaveProperty("amount");

    await setRole(ada, mia, "member");
    const after = await changesOf(mia);
    expect(after.project).toMatchObject({ name: { after: "Engine" }, archivedAt: {} });
    for (const field of ["hourlyRate", "budget"]) expect(after.project).not.toHaveProperty(field);
    expect(after.stopped).toHaveProperty("endedAt");
    for (const entry of [after.stopped, after.corrected]) expect(entry).not.toHaveProperty("amount");
    const tracked = after.events.findLast(
      ({ action }: { action: string }) => action === "time_entry.created",
    );
    expect(tracked.changes).toMatchObject({ amount: { after: "160.00" } });
    expect((await changesOf(bob)).own).toMatchObject({ amount: { after: "80.00" } });
  });
});

const insertUnlimited = (insert: RawBuilder<unknown>) => unlimited(() => insert.execute(db()));

/** Adds rows to a workspace without calling the API for each. */
const fill = {
  projects: ({ workspaceId }: Home, count: number, archivedAt: Date | null = null) =>
    insertUnlimited(sql`INSERT INTO projects (id, workspace_id, name, color, client, currency, billable, archived_at, created_at, updated_at)
      SELECT 'prj_' || gen_random_uuid(), ${workspaceId}, 'Filled', '#000000', '', 'EUR', true, ${archivedAt}, now(), now()
      FROM generate_series(1, ${count})`),
  teams: ({ workspaceId }: Home, count: number) =>
    insertUnlimited(sql`INSERT INTO teams (id, workspace_id, name, created_at, updated_at)
      SELECT 'team_' || gen_random_uuid(), ${workspaceId}, 'Filled', now(), now()
      FROM generate_series(1, ${count})`),
  owned: ({ id }: Person, count: number) =>
    insertUnlimited(sql`INSERT INTO memberships (workspace_id, user_id, role, status, joined_at)
      SELECT 'wsp_' || gen_random_uuid(), ${id}, 'owner', 'active', ${Clock.now()}
      FROM generate_series(1, ${count})`),
};

/** Sends the same request three times at once and returns the statuses and codes, sorted. */
async function atOnce(routeKey: RouteKey, token: string, body: object) {
  const answers = await Promise.all([1, 2, 3].map(() => request(routeKey, { token, body })));
  return answers.map(({ status, body }) => [status, body.code]).sort();
}
const oneCreated = [
  [201, undefined],
  [409, "limit_reached"],
  [409, "limit_reached"],
];

describe("one account fills the database", () => {
  it("returns 409 limit_reached for the 21st owned workspace, also of several at once", async () => {
    const ada = await owner();
    await fill.owned(ada, maxOwnedWorkspaces - 2);
    expect(await atOnce("POST /workspaces", ada.token, { name: "More" })).toEqual(oneCreated);
    const refused = await request("POST /workspaces", { token: ada.token, body: { name: "More" } });
    expect(refused.body).toMatchObject({
      code: "limit_reached",
      limit: 20,
      detail: "You own 20 workspaces, which is the maximum. Transfer one to another member first.",
    });
    const rows = db().selectFrom("events").selectAll().where("actor_id", "=", ada.id);
    expect(await rows.where("action", "=", "workspace.created").execute()).toHaveLength(2);
  });

  it("does not count workspaces in which the user is only a member", async () => {
    const [ada, bob] = [await owner(), await person("Bob")];
    await fill.owned(ada, maxOwnedWorkspaces - 2);
    await sql`INSERT INTO memberships (workspace_id, user_id, role, status, joined_at)
      SELECT workspace_id, ${bob.id}, 'admin', 'active', now() FROM memberships WHERE user_id = ${ada.id}`.execute(
      db(),
    );
    expect((await request("POST /workspaces", { token: bob.token, body: { name: "Own" } })).status).toBe(201);
  });

  it("returns 409 limit_reached for a transfer to a member who owns 20 workspaces, and keeps the owner", async () => {
    const ada = await reauthenticated(await owner());
    const bob = await colleague(ada, "admin");
    await fill.owned(bob, maxOwnedWorkspaces);
    const answer = await request("POST /workspaces/{id}/transfer", {
      token: ada.token,
      path: { id: ada.workspaceId },
      body: { userId: bob.id },
    });
    expect([answer.status, answer.body.code]).toEqual([409, "limit_reached"]);
    const { body } = await request("GET /api/v1/workspace", { token: ada.token });
    expect(body.role).toBe("owner");
  });

  it("returns 409 limit_reached for the 501st team of a workspace, also of several at once", async () => {
    const ada = await owner();
    await fill.teams(ada, maxTeams - 2);
    expect(await atOnce("POST /team", ada.token, { name: "More" })).toEqual(oneCreated);
  });

  it("returns 409 limit_reached for the 5,001st active project, also of several at once", async () => {
    const ada = await owner();
    await fill.projects(ada, maxActiveProjects - 1);
    await fill.projects(ada, 10, Clock.now());
    expect(await atOnce("POST /api/v1/projects", ada.token, { name: "More" })).toEqual(oneCreated);
  });

  it("returns 409 limit_reached for unarchiving a project above the limit, until another one is archived", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const [first, second] = [await create(ada.token), await create(ada.token)];
    const call = (action: "archive" | "unarchive", id: string) =>
      request(`POST /api/v1/projects/{id}/${action}`, { token: ada.token, path: { id } });
    await call("archive", first);
    await fill.projects(ada, maxActiveProjects - 1);
    const refused = await call("unarchive", first);
    expect([refused.status, refused.body.code]).toEqual([409, "limit_reached"]);
    // A project that is already active stays unchanged.
    expect((await call("unarchive", second)).status).toBe(200);
    await call("archive", second);
    const restored = await Promise.all([call("unarchive", first), call("unarchive", second)]);
    expect(restored.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("creates 12 projects at once below the limit", async () => {
    const ada = await owner();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        request("POST /api/v1/projects", { token: ada.token, body: { name: "Engine" } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
  });
});
