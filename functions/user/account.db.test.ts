import { randomUUID } from "node:crypto";
import { none as noAvatar } from "@svc/core/avatar/resolve";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import type { workspaceTables } from "@svc/core/lifecycle/deletion-rules";
import { takeWithin } from "@svc/core/lifecycle/export";
import { db } from "@svc/core/platform/db/engine";
import type { Schema } from "@svc/core/platform/db/schema";
import * as Queue from "@svc/core/platform/queue/queue";
import { chainUntil } from "@svc/core/testing/audit-log";
import { withApp } from "@svc/core/testing/factors";
import { colleague, owner, type Person, password, person, reauthenticated } from "@svc/core/testing/people";
import { startBucket } from "@svc/local/testing/bucket";
import { sql } from "kysely";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { handler as purge } from "../jobs/purge-expired.ts";
import { chrome, swiss } from "../testing/browsers.ts";
import { mailServer } from "../testing/mails.ts";
import { form, request } from "../testing/request.ts";

const mails = mailServer();
beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  Queue.connect(undefined);
  Clock.reset();
  vi.restoreAllMocks();
  delete process.env.RATE_LIMITS;
});

const confirmPassword = ({ token }: Person) =>
  request("POST /auth/reauthenticate", { token, body: { password } });
const remove = ({ token }: Person) => request("DELETE /user", { token });
const login = ({ email }: { email: string }, secret = password) =>
  request("POST /auth/login", {
    ip: swiss,
    headers: { "user-agent": chrome },
    body: { email, password: secret },
  });

/** Returns every row of every table as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: keyof Schema }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(db());
  const rows = await Promise.all(tables.map(({ name }) => db().selectFrom(name).selectAll().execute()));
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

const projectOf = async ({ token }: Person): Promise<{ id: string }> => {
  const budget = { type: "money", amount: "1000", period: "total" };
  const body = { name: "Engine", currency: "EUR", hourlyRate: "80", billable: true, budget };
  return (await request("POST /api/v1/projects", { token, body })).body;
};
const track = async ({ token }: Person, projectId: string) => {
  const body = { projectId, startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };
  return (await request("POST /api/v1/time-entries", { token, body })).body;
};

/** Creates a webhook with a delivery that was attempted once. */
async function createAttempt({ token }: Person) {
  Queue.connect(async () => {});
  const body = { url: "https://1.1.1.1/hook", events: ["*"] };
  const path = { id: (await request("POST /api/v1/webhooks", { token, body })).body.id };
  await request("POST /api/v1/webhooks/{id}/test", { token, path, body: {} });
  const { data } = (await request("GET /api/v1/webhooks/{id}/deliveries", { token, path })).body;
  const attempt = { delivery_id: data[0].id as string, number: 1, at: new Date(), request_headers: "{}" };
  await db().insertInto("webhook_attempts").values(attempt).execute();
  return attempt;
}

/** Counts this workspace's rows in every table that has a workspace_id column. */
async function rowsIn(workspaceId: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: keyof typeof workspaceTables }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_name <> 'api_tokens'`.execute(
    db(),
  );
  const counts = tables.map(async ({ name }) => {
    const rows = await db()
      .selectFrom(name)
      .select("workspace_id")
      .where("workspace_id", "=", workspaceId)
      .execute();
    return [name, rows.length] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

describe("DELETE /user", () => {
  test("returns 403 reauthentication_required unless the password was confirmed in the last ten minutes", async () => {
    const ada = await person();
    const refused = await remove(ada);
    expect([refused.status, refused.body.code]).toEqual([403, "reauthentication_required"]);
    await confirmPassword(ada);
    Clock.advance(601);
    expect((await remove(ada)).status).toBe(403);
    await confirmPassword(ada);
    Clock.advance(599);
    expect((await remove(ada)).status).toBe(204);
  });

  test("removes all personal data from the database and keeps the audit log's entries", async () => {
    const ada = await owner("Ada");
    const mark = randomUUID();
    const bob = await reauthenticated(await person(`Bob ${mark}`));
    const invited = { email: bob.email, role: "member" };
    await request("POST /team/{id}/invitations", {
      token: ada.token,
      path: { id: ada.teamId },
      body: invited,
    });
    const link = /#token=([\w-]+)/.exec(mails.to(bob.email)[0]?.text ?? "")?.[1];
    await request("POST /auth/invitations/accept", { token: bob.token, body: { token: link } });
    await login(bob, "wrong");
    const { token } = (await login(bob)).body;
    await request("PATCH /user/profile", {
      token: bob.token,
      body: { name: `Robert ${mark}`, title: `Cook ${mark}`, phone: "+41 44 999 88 77" },
    });
    const tokens = { name: `CI ${mark}`, scopes: ["read"], workspaceId: ada.workspaceId };
    const { token: pat } = (await request("POST /user/tokens", { token: bob.token, body: tokens })).body;
    const path = { id: ada.teamId, userId: bob.id };
    await request("PATCH /team/{id}/members/{userId}", {
      token: ada.token,
      path,
      body: { role: "manager" },
    });
    await withApp(bob);
    const eventsBefore = await eventsOf(ada.workspaceId);
    await confirmPassword(bob);
    const gone = await remove(bob);
    expect([gone.status, gone.cookies[0]]).toEqual([
      204,
      "svc_token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
    ]);

    for (const ended of [bob.token, token, pat])
      expect((await request("GET /auth/me", { token: ended })).status).toBe(401);
    const everything = await dump();
    for (const trace of [mark, bob.email, "999 88 77", swiss]) expect(everything).not.toContain(trace);
    for (const table of ["totp_factors", "backup_codes", "backup_code_sets"] as const) {
      const left = await db().selectFrom(table).select("user_id").where("user_id", "=", bob.id).execute();
      expect(left).toEqual([]);
    }
    expect((await login(bob)).status).toBe(401);
    expect((await eventsOf(ada.workspaceId)).length).toBeGreaterThan(eventsBefore.length);
    const row = await db().selectFrom("users").selectAll().where("id", "=", bob.id).executeTakeFirst();
    expect(row).toMatchObject({ name: "Deleted user", email: "", avatar: "", phone: "" });
    const members = await request("GET /team/{id}/members", { token: ada.token, path });
    expect(members.body.data.map(({ userId }: { userId: string }) => userId)).toEqual([ada.id]);
    const updated = (await eventsOf(ada.workspaceId)).find(({ action }) => action === "member.updated");
    expect(updated).toMatchObject({ target_name: "Deleted user", changes: { role: { after: "manager" } } });
  });
  const eventsOf = (workspaceId: string) =>
    db().selectFrom("events").selectAll().where("workspace_id", "=", workspaceId).execute();

  test("returns 409 sole_owner until the user's shared workspace is transferred", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    await confirmPassword(ada);
    const refused = await remove(ada);
    expect([refused.status, refused.body.code]).toEqual([409, "sole_owner"]);
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
    await request("POST /workspaces/{id}/transfer", {
      token: ada.token,
      path: { id: ada.workspaceId },
      body: { userId: bob.id },
    });
    expect((await remove(ada)).status).toBe(204);
  });

  test("keeps the user's entries, totals and audit log in the workspace under the name Deleted user", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada, "member", "Bob");
    const project = await projectOf(ada);
    await track(bob, project.id);
    await request("POST /api/v1/time-entries/start", { token: bob.token, body: { projectId: project.id } });
    Clock.advance(1800);
    const entries = async () =>
      (await request("GET /api/v1/time-entries", { token: ada.token })).body.data.map(
        ({ user, updater, updatedAt, endedAt, version, ...entry }: Record<string, unknown>) => entry,
      );
    const spent = async () =>
      (await request("GET /api/v1/projects/{id}/budget", { token: ada.token, path: { id: project.id } })).body
        .spent;
    const before = [await entries(), await spent()];
    expect(before[0]).toMatchObject([{ durationSeconds: 1800 }, { durationSeconds: 3600 }]);
    await confirmPassword(bob);
    expect((await remove(bob)).status).toBe(204);
    expect([await entries(), await spent()]).toEqual(before);
    Clock.advance(1800);
    expect(await entries()).toEqual(before[0]);
    const { data } = (await request("GET /api/v1/time-entries", { token: ada.token })).body;
    const gone = { id: bob.id, name: "Deleted user", ...noAvatar };
    expect(data.map(({ user }: { user: object }) => user)).toEqual([gone, gone]);
    const query = { actor: bob.id, include: "actor" };
    const log = (await request("GET /api/v1/audit-logs", { token: ada.token, query })).body.data;
    expect(log.map(({ action }: { action: string }) => action)).toEqual([
      "member.left",
      "time_entry.stopped",
      "time_entry.started",
      "time_entry.created",
    ]);
    for (const { actor, ip, userAgent } of log)
      expect([actor.name, actor.email, actor.avatar, ip, userAgent]).toEqual([
        "Deleted user",
        null,
        "",
        null,
        null,
      ]);
  });

  test("deletes the workspaces in which the user is the only member, with everything in them", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada);
    const project = await projectOf(ada);
    await track(ada, project.id);
    await track(bob, project.id);
    const { token } = ada;
    const path = { id: ada.workspaceId };
    await request("POST /workspaces/{id}/leave", { token: bob.token, path });
    await request("PUT /api/v1/currencies/{code}/override", {
      token,
      path: { code: "USD" },
      body: { rate: "1.1", reason: "Agreed" },
    });
    const entries = [{ cidr: "192.0.2.1" }];
    await request("PUT /api/v1/security/ip-allowlist", { token, body: { enabled: false, entries } });
    await request("PATCH /api/v1/workspace", { token, body: { lockedUntil: "2020-12-31" } });
    const invited = { email: `${randomUUID()}@new.test`, role: "member" };
    await request("POST /team/{id}/invitations", { token, path: { id: ada.teamId }, body: invited });
    const { delivery_id } = await createAttempt(ada);
    const report = { type: "summary", format: "csv", size_bytes: 1, everybodys: true, user_id: ada.id };
    const times = { created_at: Clock.now(), expires_at: new Date(Clock.now().getTime() + 86_400_000) };
    await db()
      .insertInto("reports")
      .values({ id: newId("rep"), workspace_id: ada.workspaceId, ...report, ...times })
      .execute();
    const warned = { project_id: project.id, period: "total", threshold: "75", warned_at: new Date() };
    await db()
      .insertInto("budget_warnings")
      .values(warned)
      .onConflict((already) => already.doNothing())
      .execute();
    await chainUntil(times.expires_at);
    expect(Object.values(await rowsIn(ada.workspaceId)).every((count) => count > 0)).toBe(true);

    await confirmPassword(ada);
    expect((await remove(ada)).status).toBe(204);
    const { reports, ...others } = await rowsIn(ada.workspaceId);
    expect([reports, ...new Set(Object.values(others))]).toEqual([1, 0]);
    // The purge job deletes the file first, then the row.
    const due = db().selectFrom("reports").select("id").where("expires_at", "<=", Clock.now());
    expect(await due.where("workspace_id", "=", ada.workspaceId).execute()).toHaveLength(1);
    for (const table of ["budget_warnings", "project_guards", "project_sums"] as const) {
      const rows = db().selectFrom(table).select("project_id").where("project_id", "=", project.id);
      expect(await rows.execute()).toEqual([]);
    }
    const attempts = db().selectFrom("webhook_attempts").select("number");
    expect(await attempts.where("delivery_id", "=", delivery_id).execute()).toEqual([]);
  });

  test("finishes an interrupted deletion in the next purge job", async () => {
    const ada = await owner("Ada");
    // The purge job must find no expired reports, because there is no bucket in this test.
    await db().deleteFrom("reports").execute();
    const project = await projectOf(ada);
    const rows = await db().selectFrom("projects").selectAll().where("id", "=", project.id).execute();
    await confirmPassword(ada);
    await remove(ada);
    await db().insertInto("projects").values(rows).execute();
    expect((await purge()).deletedAccountRows).toBeGreaterThan(0);
    expect((await rowsIn(ada.workspaceId)).projects).toBe(0);
  });

  test("frees the email for a new account", async () => {
    const ada = await person();
    await confirmPassword(ada);
    await remove(ada);
    const owners = await db().selectFrom("users").select("id").where("email_key", "=", ada.email).execute();
    expect(owners).toEqual([]);
  });

  test("deletes the user's avatar from the bucket", async () => {
    const bucket = await startBucket();
    try {
      const ada = await person();
      const picture = sharp({ create: { width: 40, height: 40, channels: 3, background: "#c33" } });
      await request("POST /api/upload/avatar", {
        token: ada.token,
        form: form(await picture.png().toBuffer()),
      });
      const mine = () => bucket.avatars().filter((key) => key.includes(ada.id));
      expect(mine()).toHaveLength(2);
      await confirmPassword(ada);
      expect((await remove(ada)).status).toBe(204);
      expect(mine()).toEqual([]);
    } finally {
      await bucket.close();
    }
  });

  test("returns 502 storage_unavailable and changes nothing when the bucket is unreachable", async () => {
    const ada = await person();
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${ada.id}/1.webp` })
      .where("id", "=", ada.id)
      .execute();
    await confirmPassword(ada);
    const answer = await remove(ada);
    expect([answer.status, answer.body.code]).toEqual([502, "storage_unavailable"]);
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
  });
});

describe("GET /user/export", () => {
  test("contains the user's time in every workspace and the whole content of the workspaces in which they are alone", async () => {
    const [ada, boss] = [await owner("Ada"), await owner("Boss")];
    await db()
      .insertInto("memberships")
      .values({
        workspace_id: boss.workspaceId,
        user_id: ada.id,
        role: "member",
        status: "suspended",
        joined_at: new Date(),
      })
      .execute();
    const [own, bosses] = [await projectOf(ada), await projectOf(boss)];
    const mine = await track(ada, own.id);
    await track(boss, bosses.id);
    const there = { id: `tim_${randomUUID()}`, workspace_id: boss.workspaceId, project_id: bosses.id };
    const entry = await db()
      .selectFrom("time_entries")
      .selectAll()
      .where("id", "=", mine.id)
      .executeTakeFirstOrThrow();
    await db()
      .insertInto("time_entries")
      .values({ ...entry, tags: JSON.stringify(entry.tags), ...there })
      .execute();
    const { body } = await request("GET /user/export", { token: ada.token });
    expect(body.complete).toBe(true);
    const entries = body.timeEntries.map(({ id, workspaceId, amount }: Record<string, string>) => [
      id,
      workspaceId,
      amount,
    ]);
    expect(entries.sort()).toEqual(
      [
        [mine.id, ada.workspaceId, "80.00"],
        [there.id, boss.workspaceId, "80.00"],
      ].sort(),
    );
    expect(body.memberships).toMatchObject([
      { workspaceId: ada.workspaceId, role: "owner", status: "active" },
      { workspaceId: boss.workspaceId, role: "member", status: "suspended" },
    ]);
    expect(body.ownWorkspaces).toMatchObject([
      { id: ada.workspaceId, teams: [{ id: ada.teamId }], projects: [{ id: own.id, name: "Engine" }] },
    ]);
    const actions = body.events.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["project.created", "time_entry.created"]));
    expect(JSON.stringify(body)).not.toContain(boss.id);
  });

  test("takeWithin() drops the last rows that exceed the row or byte limit", () => {
    const rows = ["aaaa", "bbbb", "cccc"];
    expect(takeWithin(rows, { rows: 3, bytes: 21 })).toEqual(rows);
    expect(takeWithin(rows, { rows: 3, bytes: 20 })).toEqual(["aaaa", "bbbb"]);
    expect(takeWithin(rows, { rows: 2, bytes: 100 })).toEqual(["aaaa", "bbbb"]);
    expect(takeWithin(rows, { rows: 3, bytes: 6 })).toEqual([]);
  });

  test("contains everything that deleting the account would touch, and no secrets", async () => {
    const ada = await owner("Ada");
    await login(ada, "wrong");
    const { token, deviceToken } = (await login(ada)).body;
    await request("POST /auth/reauthenticate", { token, body: { password } });
    const tokens = { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId };
    const { token: pat } = (await request("POST /user/tokens", { token, body: tokens })).body;
    const answer = await request("GET /user/export", { token });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "content-disposition": expect.stringMatching(
        /^attachment; filename="svc-export-\d{4}-\d\d-\d\d\.json"$/,
      ),
    });
    const { body } = answer;
    expect(body).toMatchObject({
      complete: true,
      profile: { email: ada.email, workspaces: [{ id: ada.workspaceId }] },
      security: { idleTimeoutMinutes: 10_080 },
      secondFactors: { enabled: false },
      apiTokens: [{ name: "CI" }],
      devices: [{ name: "Chrome on Windows" }],
    });
    expect(body.sessions).toHaveLength(2);
    expect(body.loginHistory.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
      "failure",
      "success",
    ]);
    const actions = body.events.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["user.logged_in", "user.token_created"]));
    const text = JSON.stringify(body);
    for (const secret of [token, deviceToken, pat, "argon2", "_hash"]) expect(text).not.toContain(secret);
  });

  test("records the export as an event and hides other users' IP addresses", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const path = { id: ada.teamId, userId: bob.id };
    await request("PATCH /team/{id}/members/{userId}", {
      token: ada.token,
      path,
      body: { role: "manager" },
      ip: "203.0.113.99",
    });
    const first = await request("GET /user/export", { token: bob.token });
    expect(first.body.events).toMatchObject([{ action: "member.updated", ip: null }]);
    expect(JSON.stringify(first.body)).not.toContain("203.0.113.99");
    const second = await request("GET /user/export", { token: bob.token });
    expect(second.body.events.map(({ action }: { action: string }) => action)).toContain("user.exported");
  });
});
