import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/clock/clock";
import { db } from "@svc/core/db/engine";
import type { Schema } from "@svc/core/db/schema";
import { withApp } from "@svc/core/testing/factors";
import { colleague, owner, type Person, password, person } from "@svc/core/testing/people";
import { startBucket } from "@svc/local/testing/bucket";
import { sql } from "kysely";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chrome, swiss } from "../testing/browsers.ts";
import { mailServer } from "../testing/mails.ts";
import { form, request } from "../testing/request.ts";

const mails = mailServer();
beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  Clock.reset();
  delete process.env.RATE_LIMITS;
});

const reauthenticated = ({ token }: Person) =>
  request("POST /auth/reauthenticate", { token, body: { password } });
const remove = ({ token }: Person) => request("DELETE /user", { token });
const login = ({ email }: { email: string }, secret = password) =>
  request("POST /auth/login", {
    ip: swiss,
    headers: { "user-agent": chrome },
    body: { email, password: secret },
  });

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: keyof Schema }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(db());
  const rows = await Promise.all(tables.map(({ name }) => db().selectFrom(name).selectAll().execute()));
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

describe("deleting an account", () => {
  test("needs the password within ten minutes", async () => {
    const ada = await person();
    const refused = await remove(ada);
    expect([refused.status, refused.body.code]).toEqual([403, "reauthentication_required"]);
    await reauthenticated(ada);
    Clock.advance(601);
    expect((await remove(ada)).status).toBe(403);
    await reauthenticated(ada);
    Clock.advance(599);
    expect((await remove(ada)).status).toBe(204);
  });

  test("leaves nothing personal in the database, and keeps the audit log's entries", async () => {
    const ada = await owner("Ada");
    const mark = randomUUID();
    const bob = await person(`Bob ${mark}`);
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
    await reauthenticated(bob);
    const gone = await remove(bob);
    expect([gone.status, gone.cookies[0]]).toEqual([
      204,
      "svc_token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
    ]);

    for (const dead of [bob.token, token, pat])
      expect((await request("GET /auth/me", { token: dead })).status).toBe(401);
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
    const kept = (await eventsOf(ada.workspaceId)).find(({ action }) => action === "member.updated");
    expect(kept).toMatchObject({ target_name: "Deleted user", changes: { role: { after: "manager" } } });
  });
  const eventsOf = (workspaceId: string) =>
    db().selectFrom("events").selectAll().where("workspace_id", "=", workspaceId).execute();

  test("is refused to who owns a workspace with others, until it is handed over", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    await reauthenticated(ada);
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

  test("closes the workspaces that nobody else is in", async () => {
    const ada = await owner();
    await reauthenticated(ada);
    expect((await remove(ada)).status).toBe(204);
    for (const table of ["workspaces", "teams"] as const) {
      const column = table === "workspaces" ? "id" : "workspace_id";
      const left = await db()
        .selectFrom(table)
        .select("id")
        .where(sql.ref(column), "=", ada.workspaceId)
        .execute();
      expect(left).toEqual([]);
    }
  });

  test("frees the address for a new account", async () => {
    const ada = await person();
    await reauthenticated(ada);
    await remove(ada);
    const taken = await db().selectFrom("users").select("id").where("email_key", "=", ada.email).execute();
    expect(taken).toEqual([]);
  });

  test("takes the pictures with it", async () => {
    const bucket = await startBucket();
    try {
      const ada = await person();
      const picture = sharp({ create: { width: 40, height: 40, channels: 3, background: "#c33" } });
      await request("POST /api/upload/avatar", {
        token: ada.token,
        form: form(await picture.png().toBuffer()),
      });
      const mine = () => bucket.avatars().filter((key) => key.includes(ada.id));
      expect(mine()).toHaveLength(1);
      await reauthenticated(ada);
      expect((await remove(ada)).status).toBe(204);
      expect(mine()).toEqual([]);
    } finally {
      await bucket.close();
    }
  });

  test("that cannot reach the bucket changes nothing", async () => {
    const ada = await person();
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${ada.id}/1.webp` })
      .where("id", "=", ada.id)
      .execute();
    await reauthenticated(ada);
    const answer = await remove(ada);
    expect([answer.status, answer.body.code]).toEqual([502, "storage_unavailable"]);
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
  });
});

describe("the export", () => {
  test("holds everything that a deletion would touch, and no secret", async () => {
    const ada = await owner("Ada");
    await login(ada, "wrong");
    const { token, deviceToken } = (await login(ada)).body;
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

  test("is recorded, and shows nobody else's address", async () => {
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
