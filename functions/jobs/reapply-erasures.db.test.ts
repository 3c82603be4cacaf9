import { randomUUID } from "node:crypto";
import { avatarBucket } from "@svc/core/avatar/bucket";
import * as Clock from "@svc/core/base/clock";
import * as Erasure from "@svc/core/event/erasure";
import { db } from "@svc/core/platform/db/engine";
import { migrations } from "@svc/core/platform/db/migrations";
import type { Schema } from "@svc/core/platform/db/schema";
import * as Queue from "@svc/core/platform/queue/queue";
import { filesBucket } from "@svc/core/report/bucket";
import { unlimited } from "@svc/core/testing/dsql";
import { withApp } from "@svc/core/testing/factors";
import { colleague, owner, type Person, person, reauthenticated } from "@svc/core/testing/people";
import { jpeg } from "@svc/core/testing/pictures";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import type { Context } from "aws-lambda";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { form, request } from "../testing/request.ts";
import { handler as reapplyErasures } from "./reapply-erasures.ts";
import { handler as recordErasures } from "./record-erasures.ts";

const image = await jpeg({ width: 60, height: 40 });

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(async () => {
  await bucket.close();
  await dropBackup();
});
beforeEach(async () => {
  await filesBucket().removeAll(records());
  await db().deleteFrom("unrecorded_erasures").execute();
  process.env.RATE_LIMITS = "off";
  Queue.connect(async () => {});
});
afterEach(() => {
  Clock.reset();
  Queue.connect(undefined);
  bucket.fail = undefined;
  delete process.env.RATE_LIMITS;
});

const reapply = (input: object = {}, remainingMs = () => 900_000) =>
  reapplyErasures(input, { awsRequestId: "restore", getRemainingTimeInMillis: remainingMs } as Context);
const remove = ({ token }: Person) => request("DELETE /user", { token });
const removeAvatar = ({ token }: Person) => request("DELETE /user/avatar", { token });
const records = () => bucket.keys("svc-files").filter((key) => key.startsWith("erasures/"));

async function tables(): Promise<(keyof Schema)[]> {
  const { rows } = await sql<{ name: keyof Schema }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(db());
  return rows.map(({ name }) => name);
}

const execute = (statement: string) => unlimited(() => sql.raw(statement).execute(db()));
const dropBackup = () => execute("DROP SCHEMA IF EXISTS backup CASCADE");

/** Copies every row of every table. */
async function backUp(): Promise<void> {
  await dropBackup();
  await execute("CREATE SCHEMA backup");
  for (const name of await tables()) await execute(`CREATE TABLE backup.${name} AS TABLE public.${name}`);
}

/** Replaces every row of every table with the copy, as a database that was restored from a backup. */
async function restore(): Promise<void> {
  for (const name of await tables()) {
    await execute(`TRUNCATE public.${name}`);
    await execute(`INSERT INTO public.${name} SELECT * FROM backup.${name}`);
  }
}

/** Returns every row of every table as text. */
async function dump(): Promise<string> {
  const rows = (await tables()).map((name) => db().selectFrom(name).selectAll().execute());
  return JSON.stringify(await Promise.all(rows), (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

async function withAvatar<P extends Person>(user: P): Promise<P> {
  const { status } = await request("POST /api/upload/avatar", { token: user.token, form: form(image) });
  expect(status).toBe(200);
  return user;
}

const avatarOf = async ({ id }: Person) =>
  (await db().selectFrom("users").select("avatar").where("id", "=", id).executeTakeFirstOrThrow()).avatar;
const roleOf = async ({ id }: Person) =>
  (await db().selectFrom("memberships").select("role").where("user_id", "=", id).execute())[0]?.role;

const ip = "203.0.113.77";

/** Creates a member with personal data in as many tables as possible, also in deliveries of webhooks. */
async function member(boss: Person & { workspaceId: string; teamId: string }, mark: string) {
  const bob = await withAvatar(await reauthenticated(await colleague(boss, "member", `Bob ${mark}`)));
  const { token } = bob;
  await withApp(bob);
  await request("PATCH /user/profile", { token, body: { title: `Cook ${mark}`, phone: "+41 44 999 88 77" } });
  const body = { name: `CI ${mark}`, scopes: ["read"], workspaceId: boss.workspaceId };
  await request("POST /user/tokens", { token, body });
  const hook = { url: "https://1.1.1.1/hook", events: ["security.suspicious_login"] };
  const created = await request("POST /api/v1/webhooks", { token: boss.token, body: hook });
  const at = Clock.now();
  const [event, delivery] = [`evt_${randomUUID()}`, `whd_${randomUUID()}`];
  const workspace_id = boss.workspaceId;
  await db()
    .insertInto("events")
    .values({
      id: event,
      workspace_id,
      action: "security.suspicious_login",
      at,
      actor_type: "user",
      actor_id: bob.id,
      ip,
      user_agent: `Browser ${mark}`,
      target_type: "user",
      target_id: bob.id,
      target_name: `Bob ${mark}`,
      request_id: "request",
      outcome: "success",
      changes: "{}",
      data: JSON.stringify({ userId: bob.id, ip }),
    })
    .execute();
  await db()
    .insertInto("webhook_deliveries")
    .values({
      id: delivery,
      endpoint_id: created.body.id,
      workspace_id,
      event_id: event,
      type: "security.suspicious_login",
      body: JSON.stringify({ data: { userId: bob.id, ip } }),
      status: "delivered",
      failure_count: 0,
      attempt_count: 1,
      next_attempt_at: null,
      completed_at: at,
      created_at: at,
    })
    .execute();
  const attempt = {
    delivery_id: delivery,
    number: 1,
    at,
    request_headers: "{}",
    response_body: `Hi ${mark}`,
  };
  await db().insertInto("webhook_attempts").values(attempt).execute();
  return bob;
}

describe("reapply-erasures", () => {
  test("erases everything again that a deleted account has in a restored database, and only once", async () => {
    const mark = randomUUID();
    const boss = await owner("Boss", "ENTERPRISE");
    const bob = await member(boss, mark);
    const traces = [mark, bob.email, "999 88 77", ip];
    await backUp();
    expect((await remove(bob)).status).toBe(204);
    const erased = await dump();
    for (const trace of traces) expect(erased).not.toContain(trace);
    expect(await recordErasures()).toEqual({ recorded: 2 });
    expect(await recordErasures()).toEqual({ recorded: 0 });

    await restore();
    const restored = await dump();
    for (const trace of traces) expect(restored).toContain(trace);
    expect(await reapply({ dryRun: true })).toMatchObject({ accounts: [bob.id], avatars: [] });
    expect(await dump()).toBe(restored);

    expect(await reapply()).toEqual({
      dryRun: false,
      records: 2,
      accounts: [bob.id],
      avatars: [],
      finished: true,
    });
    const again = await dump();
    for (const trace of traces) expect(again).not.toContain(trace);
    expect((await request("GET /auth/me", { token: bob.token })).status).toBe(401);
    expect((await request("GET /auth/me", { token: boss.token })).status).toBe(200);
    const removal = await db()
      .selectFrom("events")
      .select(["actor_id", "request_id"])
      .where("action", "=", "user.deleted")
      .where("target_id", "=", bob.id)
      .execute();
    expect(removal).toEqual([{ actor_id: bob.id, request_id: "restore" }]);
    expect(await reapply()).toMatchObject({ accounts: [], avatars: [] });
    expect(await dump()).toBe(again);
  });

  test("removes erased avatars with their objects, and keeps replaced and remaining ones", async () => {
    const [removed, replaced, kept, legacy] = [
      await withAvatar(await person()),
      await withAvatar(await person()),
      await withAvatar(await person()),
      await person(),
    ];
    const value = { avatar: "https://pictures.svc.test/legacy.png" };
    await db().updateTable("users").set(value).where("id", "=", legacy.id).execute();
    const before = await Promise.all([replaced, kept].map(avatarOf));
    const objects = bucket.avatars();
    await backUp();
    for (const user of [removed, legacy]) expect((await removeAvatar(user)).status).toBe(204);
    await withAvatar(removed);
    await withAvatar(replaced);
    await recordErasures();

    await restore();
    // The objects of that day are back as well.
    const keys = objects.filter((key) => key.includes(removed.id));
    expect(keys).toHaveLength(2);
    for (const key of keys) await avatarBucket().put(key, image, { contentType: "image/webp" });
    expect((await reapply()).avatars.toSorted()).toEqual([removed.id, legacy.id].toSorted());
    expect(await Promise.all([removed, legacy].map(avatarOf))).toEqual(["", ""]);
    expect(await Promise.all([replaced, kept].map(avatarOf))).toEqual(before);
    expect(bucket.avatars().filter((key) => keys.includes(key))).toEqual([]);
    expect((await reapply()).avatars).toEqual([]);
  });

  test("transfers the workspaces that the owner still shares in the backup, first to an admin", async () => {
    const ada = await reauthenticated(await owner("Ada", "ENTERPRISE"));
    const [member, admin] = [await colleague(ada), await colleague(ada, "admin")];
    await backUp();
    const body = { userId: member.id };
    const path = { id: ada.workspaceId };
    expect((await request("POST /workspaces/{id}/transfer", { token: ada.token, path, body })).status).toBe(
      200,
    );
    expect((await remove(ada)).status).toBe(204);
    await recordErasures();
    await restore();
    expect((await reapply()).accounts).toEqual([ada.id]);
    expect([await roleOf(ada), await roleOf(admin), await roleOf(member)]).toEqual([
      undefined,
      "owner",
      "member",
    ]);
    const [transfer] = await db()
      .selectFrom("events")
      .select(["actor_id", "changes"])
      .where("action", "=", "workspace.transferred")
      .where("target_id", "=", ada.workspaceId)
      .execute();
    expect(transfer).toEqual({
      actor_id: "reapply-erasures",
      changes: { owner: { before: ada.id, after: admin.id } },
    });
  });

  test("erases the others when one erasure fails, fails at the end, and finishes in the next run", async () => {
    const [stuck, other] = [
      await reauthenticated(await withAvatar(await person())),
      await reauthenticated(await person()),
    ];
    await backUp();
    for (const user of [stuck, other]) expect((await remove(user)).status).toBe(204);
    await recordErasures();
    await restore();
    bucket.fail = ({ method }) => (method === "DELETE" ? 500 : undefined);
    await expect(reapply()).rejects.toMatchObject({ code: "storage_unavailable" });
    bucket.fail = undefined;
    expect((await reapply()).accounts).toEqual([stuck.id]);
  });

  test("stops before its time limit, and the next run continues", async () => {
    const users = [await reauthenticated(await person()), await reauthenticated(await person())];
    await backUp();
    for (const user of users) await remove(user);
    await recordErasures();
    await restore();
    let calls = 0;
    const first = await reapply({}, () => (calls++ < 2 ? 1000 : 10));
    expect([first.finished, first.accounts.length]).toEqual([false, 1]);
    expect(await reapply()).toMatchObject({ finished: true, accounts: [expect.any(String)] });
  });
});

describe("record-erasures", () => {
  test("keeps erasures that it could not write for the next run", async () => {
    const user = await reauthenticated(await person());
    await remove(user);
    bucket.fail = ({ method }) => (method === "PUT" ? 500 : undefined);
    await expect(recordErasures()).rejects.toMatchObject({ code: "storage_unavailable" });
    bucket.fail = undefined;
    expect(await recordErasures()).toEqual({ recorded: 1 });
    expect(records().filter((key) => key.endsWith(`/accounts/${user.id}`))).toHaveLength(1);
  });

  test("records accounts that were deleted in the five weeks before the upgrade", async () => {
    const [recent, earlier] = [await reauthenticated(await person()), await reauthenticated(await person())];
    for (const user of [recent, earlier]) await remove(user);
    const longAgo = { deleted_at: new Date(Date.now() - 36 * 86_400_000) };
    await db().updateTable("users").set(longAgo).where("id", "=", earlier.id).execute();
    await db().deleteFrom("unrecorded_erasures").execute();
    const migration = migrations.find(({ id }) => id === "0280-recent-erasures");
    await sql.raw(migration?.sql ?? "").execute(db());
    await recordErasures();
    const recorded = records().map((key) => Erasure.parse(key));
    expect(recorded).toContainEqual({ account: recent.id });
    expect(recorded).not.toContainEqual({ account: earlier.id });
  });

  test("writes no record of a deletion that failed", async () => {
    const ada = await reauthenticated(await owner("Ada"));
    await colleague(ada);
    expect((await remove(ada)).status).toBe(409);
    await recordErasures();
    expect(records().filter((key) => key.endsWith(`/accounts/${ada.id}`))).toEqual([]);
  });
});
