import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import * as Event from "@svc/core/event/event";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person, password, person } from "@svc/core/testing/people";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { chrome, swiss } from "../../testing/browsers.ts";
import { mailServer } from "../../testing/mails.ts";
import { request } from "../../testing/request.ts";

mailServer();
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());
// Failures are counted by the minute, so the time stands still.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  Clock.reset();
});

type Entry = {
  action: string;
  actor: { id: string; tokenId: string | null };
  target: { type: string; id: string; name: string };
  outcome: string;
  occurrences: number;
  fields: string[];
  changes: { before: object; after: object };
};

const enterprise = (name?: string) => owner(name, "ENTERPRISE");

async function entries({ token, workspaceId }: Person & Home, query: Record<string, string> = {}) {
  const headers = { "x-workspace-id": workspaceId };
  const { status, body } = await request("GET /api/v1/audit-logs", { token, query, headers });
  expect(status).toBe(200);
  return body.data as Entry[];
}
const summary = (list: Entry[]) => list.map(({ action, occurrences }) => [action, occurrences]);

async function join(user: Person, home: Home, status = "active"): Promise<void> {
  await db()
    .insertInto("memberships")
    .values({
      workspace_id: home.workspaceId,
      user_id: user.id,
      role: "member",
      status,
      joined_at: Clock.now(),
    })
    .execute();
}

const login = ({ email }: { email: string }, given = password, ip = swiss) =>
  request("POST /auth/login", { ip, headers: { "user-agent": chrome }, body: { email, password: given } });

async function apiToken({ token, sessionId }: Person, { workspaceId }: Home, scope = "write") {
  await db()
    .updateTable("sessions")
    .set({ reauthenticated_at: Clock.now() })
    .where("id", "=", sessionId)
    .execute();
  const body = { name: "CI", scopes: [scope], workspaceId };
  return (await request("POST /user/tokens", { token, body })).body as { id: string; token: string };
}

describe("the sign-ins of a person", () => {
  it("appear in each ENTERPRISE workspace in which the person is an active member, with origin and place", async () => {
    const [ada, eve, free, left] = [
      await enterprise("Ada"),
      await enterprise("Eve"),
      await owner(),
      await enterprise(),
    ];
    const bob = await person("Bob");
    await join(bob, ada);
    await join(bob, eve);
    await join(bob, free);
    await join(bob, left, "suspended");
    expect((await login(bob)).status).toBe(200);
    for (const home of [ada, eve])
      expect(await entries(home, { category: "sign_in" })).toMatchObject([
        {
          action: "user.logged_in",
          category: "sign_in",
          actor: { type: "user", id: bob.id, name: "Bob" },
          target: { type: "user", id: bob.id },
          ip: swiss,
          country: "CH",
          userAgent: chrome,
          outcome: "success",
          changes: { after: { method: "password" } },
        },
      ]);
    expect(await entries(left, { category: "sign_in" })).toEqual([]);
    const rows = await db().selectFrom("events").selectAll().where("actor_id", "=", bob.id).execute();
    const workspaces = rows.map(({ workspace_id }) => workspace_id);
    expect(workspaces.sort()).toEqual([ada.workspaceId, eve.workspaceId, null].sort());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
  });

  it("are counted by person, IP address and minute when they fail, also in several workspaces", async () => {
    const [ada, eve] = [await enterprise(), await enterprise()];
    const bob = await person();
    await join(bob, ada);
    await join(bob, eve);
    for (const ip of [swiss, swiss, "192.0.2.1"]) expect((await login(bob, "wrong", ip)).status).toBe(401);
    Clock.advance(60_000);
    await login(bob, "wrong");
    for (const home of [ada, eve])
      expect(summary(await entries(home, { outcome: "failure" })).sort()).toEqual([
        ["user.login_failed", 1],
        ["user.login_failed", 1],
        ["user.login_failed", 2],
      ]);
  });

  it("appear as refused while the account is locked", async () => {
    const ada = await enterprise();
    for (let n = 0; n < 5; n++) await login(ada, "wrong");
    expect((await login(ada)).body.code).toBe("account_temporarily_locked");
    expect((await login(ada)).status).toBe(429);
    const failures = await entries(ada, { outcome: "failure" });
    expect(summary(failures)).toEqual(
      expect.arrayContaining([
        ["user.login_refused", 2],
        ["user.login_failed", 5],
      ]),
    );
  });

  it("leave nothing in audit logs for an email without an account", async () => {
    const before = await db().selectFrom("events").select("id").execute();
    for (let n = 0; n < 6; n++) await login({ email: "unknown@people.test" });
    expect(await db().selectFrom("events").select("id").execute()).toHaveLength(before.length);
  });

  it("are not sent to webhooks, nor are failures and changes of accounts", async () => {
    const ada = await enterprise();
    const hook = { url: "https://1.1.1.1/hook", events: ["*"] };
    const { id } = (await request("POST /api/v1/webhooks", { token: ada.token, body: hook })).body;
    await login(ada);
    await login(ada, "wrong");
    await request("PATCH /user/profile", { token: ada.token, body: { title: "Countess" } });
    await request("POST /user/tokens", { token: (await apiToken(ada, ada)).token, body: {} });
    expect((await entries(ada)).map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        "user.logged_in",
        "user.login_failed",
        "user.updated",
        "security.access_denied",
      ]),
    );
    const { body } = await request("POST /api/v1/webhooks/{id}/recover", {
      token: ada.token,
      path: { id },
      body: { since: "2026-01-01T00:00:00Z" },
    });
    expect(body).toMatchObject({ recovered: 0 });
    const deliveries = db().selectFrom("webhook_deliveries").select("id").where("endpoint_id", "=", id);
    expect(await deliveries.execute()).toEqual([]);
  });

  it("lose their origin when the account is deleted", async () => {
    const ada = await enterprise();
    const bob = await colleague(ada, "member", "Bob");
    await login(bob);
    await login(bob, "wrong");
    await request("PATCH /user/profile", { token: bob.token, body: { phone: "+41 44 123 45 67" } });
    await request("POST /auth/reauthenticate", { token: bob.token, body: { password } });
    expect((await request("DELETE /user", { token: bob.token })).status).toBe(204);
    const shown = await entries(ada, { actor: bob.id });
    expect(shown.map(({ action }) => action).sort()).toEqual([
      "member.left",
      "user.logged_in",
      "user.login_failed",
      "user.updated",
    ]);
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`Bob|${bob.email}|${swiss}|"CH"|Chrome`));
  });
});

describe("changes of an account", () => {
  it("name the fields without values, and devices without names", async () => {
    const ada = await enterprise();
    const { token } = (await login(ada)).body;
    await request("PATCH /user/profile", { token, body: { title: "Countess", phone: "+41 44 123 45 67" } });
    const { data } = (await request("GET /user/devices", { token })).body;
    await request("PATCH /user/devices/{id}", {
      token,
      path: { id: data[0].id },
      body: { name: "Secret name" },
    });
    const shown = await entries(ada, { category: "account" });
    expect(shown).toMatchObject([
      { action: "user.device_renamed", fields: ["name"], target: { id: data[0].id, name: "" } },
      { action: "user.updated", changes: { before: {}, after: {} } },
    ]);
    expect(shown[1]?.fields.sort()).toEqual(["phone", "title"]);
    expect(JSON.stringify(shown)).not.toMatch(/Countess|123 45 67|Secret name/);
    const { events } = (await request("GET /user/export", { token })).body;
    expect(JSON.stringify(events)).toContain("Countess");
  });

  it("name the API token only in its own workspace", async () => {
    const [ada, eve] = [await enterprise(), await enterprise()];
    await join(ada, eve);
    const api = await apiToken(ada, ada);
    await request("PATCH /user/profile", { token: api.token, body: { title: "Countess" } });
    const tokens = async (home: Person & Home) =>
      (await entries(home, { action: "user." })).map(({ action, actor }) => [action, actor.tokenId]);
    expect(await tokens(ada)).toEqual([
      ["user.updated", api.id],
      ["user.token_created", null],
    ]);
    expect(await tokens(eve)).toEqual([["user.updated", null]]);
  });
});

describe("rejected requests", () => {
  it("are one entry for each member, route, code, IP address and minute, with a count", async () => {
    const ada = await enterprise();
    const bob = await colleague(ada);
    const headers = { "x-workspace-id": ada.workspaceId };
    for (let n = 0; n < 3; n++) await request("GET /api/v1/audit-logs", { token: bob.token, headers });
    await request("POST /team", { token: bob.token, headers, body: { name: "x" } });
    const shown = await entries(ada, { category: "security" });
    expect(shown.map(({ changes, occurrences }) => [changes.after, occurrences])).toEqual(
      expect.arrayContaining([
        [{ route: "GET /api/v1/audit-logs", reason: "insufficient_role" }, 3],
        [{ route: "POST /team", reason: "insufficient_role" }, 1],
      ]),
    );
    expect(shown).toHaveLength(2);
    expect(shown[0]).toMatchObject({ actor: { id: bob.id }, target: { id: ada.workspaceId, name: "Home" } });
  });

  it("appear with the API token, also if it has expired, and only in its workspace", async () => {
    const [ada, eve] = [await enterprise(), await enterprise()];
    await join(ada, eve);
    const api = await apiToken(ada, ada, "read");
    await request("POST /team", { token: api.token, body: { name: "x" } });
    const expired = { expires_at: Clock.now() };
    await db().updateTable("api_tokens").set(expired).where("id", "=", api.id).execute();
    const { status, body } = await request("GET /team", { token: api.token });
    expect([status, body.code]).toEqual([401, "token_expired"]);
    expect(await entries(ada, { outcome: "failure" })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: "user.token_refused",
          category: "api_token",
          actor: expect.objectContaining({ id: ada.id, tokenId: api.id }),
          target: { type: "token", id: api.id, name: "CI" },
        }),
        expect.objectContaining({
          action: "security.access_denied",
          actor: expect.objectContaining({ id: ada.id, tokenId: api.id }),
          changes: {
            before: expect.anything(),
            after: { route: "POST /team", reason: "insufficient_scope" },
          },
        }),
      ]),
    );
    expect(await entries(eve, { outcome: "failure" })).toEqual([]);
  });

  it("appear in the workspace for which an API token was requested", async () => {
    const ada = await enterprise();
    const body = { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId };
    const create = () => request("POST /user/tokens", { token: ada.token, body });
    expect(await create()).toMatchObject({ status: 403, body: { code: "reauthentication_required" } });
    const set = { require_two_factor: true };
    await db().updateTable("workspaces").set(set).where("id", "=", ada.workspaceId).execute();
    expect(await create()).toMatchObject({ status: 403, body: { code: "two_factor_required" } });
    const rows = await db()
      .selectFrom("events")
      .select(["action", "workspace_id", "actor_id", "changes"])
      .where("workspace_id", "=", ada.workspaceId)
      .where("outcome", "=", "failure")
      .execute();
    const refusal = (reason: string) => ({
      action: "security.access_denied",
      workspace_id: ada.workspaceId,
      actor_id: ada.id,
      changes: {
        route: { before: null, after: "POST /user/tokens" },
        reason: { before: null, after: reason },
      },
    });
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([refusal("reauthentication_required"), refusal("two_factor_required")]),
    );
    const eve = await enterprise();
    const other = { ...body, workspaceId: eve.workspaceId };
    const { status } = await request("POST /user/tokens", { token: ada.token, body: other });
    expect(status).toBe(404);
    expect(await entries(eve, { outcome: "failure" })).toEqual([]);
  });

  it("leave nothing in a workspace of another plan", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const headers = { "x-workspace-id": ada.workspaceId };
    expect((await request("POST /team", { token: bob.token, headers, body: { name: "x" } })).status).toBe(
      403,
    );
    const rows = db().selectFrom("events").select("action").where("actor_id", "=", bob.id);
    expect(await rows.execute()).toEqual([]);
  });
});

describe("recordFailure", () => {
  it("loses no count when failures are recorded at once", async () => {
    const { id: userId, workspaceId, ...ada } = await enterprise();
    const by = { userId, ip: swiss, userAgent: "", requestId: "r" };
    const target = { type: "workspace", id: workspaceId, name: "" } as const;
    const failure = {
      action: "security.access_denied",
      target,
      details: { code: "x" },
      workspaceId,
    } as const;
    await Promise.all(Array.from({ length: 40 }, () => Event.recordFailure(by, failure)));
    const counts = (await entries({ ...ada, id: userId, workspaceId }, { outcome: "failure" })).map(
      ({ occurrences }) => occurrences,
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(counts.length).toBeLessThan(5);
  });
});

describe("the filters of the audit log", () => {
  it("can all be combined", async () => {
    const ada = await enterprise();
    await login(ada, "wrong");
    const filters = {
      category: "sign_in",
      actor: ada.id,
      target: ada.id,
      action: "user.login_failed",
      outcome: "failure",
      ip: swiss,
      from: Clock.now().toISOString().slice(0, 10),
      to: Clock.now().toISOString().slice(0, 10),
    };
    expect(await entries(ada, filters)).toHaveLength(1);
    const others = {
      category: "account",
      actor: newId("usr"),
      target: newId("usr"),
      action: "user.logged_in",
      outcome: "success",
      ip: "192.0.2.1",
      from: "2099-01-01",
      to: "2020-01-01",
    };
    for (const [name, value] of Object.entries(others)) {
      const query = { ...filters, [name]: value };
      if (name === "from") query.to = value;
      if (name === "to") query.from = value;
      expect([name, await entries(ada, query)]).toEqual([name, []]);
    }
  });
});
