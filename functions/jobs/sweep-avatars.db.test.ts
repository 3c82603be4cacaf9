import { avatarBucket } from "@svc/core/avatar/bucket";
import * as ObjectKey from "@svc/core/avatar/object-key";
import * as Placeholder from "@svc/core/avatar/placeholder";
import * as StoredValue from "@svc/core/avatar/stored-value";
import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { person } from "@svc/core/testing/people";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { handler } from "./sweep-avatars.ts";

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());
beforeEach(() => db().updateTable("users").set({ avatar: "" }).execute());
afterEach(() => {
  bucket.fail = undefined;
  Clock.reset();
});

/** Runs the job. `remainingMs` returns the time that is left at each look. */
const sweep = (event: unknown = {}, remainingMs = () => 900_000) =>
  handler(event, { awsRequestId: "sweep", getRemainingTimeInMillis: remainingMs } as never);

const put = (key: string) => avatarBucket().put(key, Buffer.from("x"), { contentType: "image/webp" });

/** Returns a user with an avatar whose object was deleted, as by a removal that was killed half-way. */
async function withoutObject() {
  const { id } = await person();
  const key = ObjectKey.build({ userId: id, unixTimestampMs: Clock.now().getTime() });
  const stored = StoredValue.fromKey(key);
  await db().updateTable("users").set({ avatar: stored }).where("id", "=", id).execute();
  return { id, key, stored };
}

const avatarOf = async (id: string) =>
  (await db().selectFrom("users").select("avatar").where("id", "=", id).executeTakeFirstOrThrow()).avatar;

const placeholderOf = async (id: string) =>
  (await db().selectFrom("users").select("avatar_placeholder").where("id", "=", id).executeTakeFirstOrThrow())
    .avatar_placeholder;

describe("sweep-avatars, for avatars whose object is missing", () => {
  test("lists them in a dry run and clears them otherwise, with an event", async () => {
    const [lost, intact] = [await withoutObject(), await withoutObject()];
    await put(intact.key);
    Clock.advance(3601);
    const young = await withoutObject();
    expect(await sweep({ dryRun: true })).toMatchObject({ values: 2, missingCount: 1, missing: [lost.key] });
    expect(await avatarOf(lost.id)).toBe(lost.stored);

    expect(await sweep()).toMatchObject({ missing: [lost.key], finished: true });
    const left = await Promise.all([lost, intact, young].map(({ id }) => avatarOf(id)));
    expect(left).toEqual(["", intact.stored, young.stored]);
    const events = await db()
      .selectFrom("events")
      .selectAll()
      .where("actor_id", "=", "sweep-avatars")
      .execute();
    expect(events).toMatchObject([
      { action: "user.avatar_removed", target_id: lost.id, actor_type: "job", request_id: "sweep" },
    ]);
  });

  test("deletes the small object of a cleared avatar in the same run", async () => {
    const lost = await withoutObject();
    await put(ObjectKey.small(lost.key));
    Clock.advance(3601);
    await sweep();
    expect([await avatarOf(lost.id), bucket.avatars()]).toEqual(["", []]);
  });

  test("forgets a small object that is missing, and keeps the avatar", async () => {
    const [intact, lacking] = [await withoutObject(), await withoutObject()];
    for (const { id, key } of [intact, lacking]) {
      await put(key);
      const avatar_placeholder = Placeholder.toStored(key, Buffer.from("hash"));
      await db().updateTable("users").set({ avatar_placeholder }).where("id", "=", id).execute();
    }
    await put(ObjectKey.small(intact.key));
    Clock.advance(3601);
    expect(await sweep({ dryRun: true })).toMatchObject({ missingCount: 0, missingSmallCount: 1 });
    expect(await placeholderOf(lacking.id)).not.toBeNull();
    expect(await sweep()).toMatchObject({ missingCount: 0, missingSmallCount: 1, orphanCount: 0 });
    expect(await placeholderOf(lacking.id)).toBeNull();
    expect(await placeholderOf(intact.id)).not.toBeNull();
    expect(await Promise.all([intact, lacking].map(({ id }) => avatarOf(id)))).toEqual([
      intact.stored,
      lacking.stored,
    ]);
    const removeAll = [intact.key, lacking.key, ObjectKey.small(intact.key)];
    await avatarBucket().removeAll(removeAll);
  });

  test.each([403, 500])("clears nothing when the bucket answers %d instead of 404", async (status) => {
    const lost = await withoutObject();
    Clock.advance(3601);
    bucket.fail = ({ method }) => (method === "HEAD" ? status : undefined);
    await expect(sweep()).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await avatarOf(lost.id)).toBe(lost.stored);
  });

  test("clears nothing and fails when more than 20 and more than one in a hundred are missing", async () => {
    const lost = await Promise.all(Array.from({ length: 21 }, withoutObject));
    Clock.advance(3601);
    await expect(sweep()).rejects.toThrow("Too many avatars are without an object.");
    expect(await avatarOf(lost[0]?.id ?? "")).toBe(lost[0]?.stored);
    expect((await sweep({ dryRun: true })).missingCount).toBe(21);
  });

  test("keeps an avatar that was uploaded while the sweep was running", async () => {
    const lost = await withoutObject();
    Clock.advance(3601);
    const uploaded = StoredValue.fromKey(ObjectKey.build({ userId: lost.id, unixTimestampMs: 1 }));
    let changed: Promise<unknown> | undefined;
    bucket.fail = ({ method }) => {
      if (method === "HEAD")
        changed ??= db().updateTable("users").set({ avatar: uploaded }).where("id", "=", lost.id).execute();
      return undefined;
    };
    await sweep();
    await changed;
    expect(await avatarOf(lost.id)).toBe(uploaded);
  });
});

describe("sweep-avatars, for orphans", () => {
  test("deletes small objects of former avatars, and keeps those of current ones even without a mark", async () => {
    const current = await withoutObject();
    const keys = [current.key, "avatars/usr_orphan/5.webp"].flatMap((key) => [ObjectKey.small(key), key]);
    for (const key of keys) await put(key);
    await put("avatars-small/readme.txt");
    Clock.advance(3601);
    expect(await sweep()).toMatchObject({
      foreign: 1,
      orphans: ["avatars-small/usr_orphan/5.webp", "avatars/usr_orphan/5.webp"],
    });
    const left = [ObjectKey.small(current.key), current.key];
    expect(bucket.avatars()).toEqual(["avatars-small/readme.txt", ...left].sort());
    await avatarBucket().removeAll(["avatars-small/readme.txt", ...left]);
  });

  test("deletes them in bulk, stops before its time limit and continues in the next run", async () => {
    const keys = Array.from({ length: 510 }, (_, n) => `avatars/usr_orphan/${1000 + n}.webp`);
    for (let at = 0; at < keys.length; at += 30) await Promise.all(keys.slice(at, at + 30).map(put));
    Clock.advance(3601);
    const deletions: string[] = [];
    bucket.fail = ({ method }) => {
      if (method === "POST" || method === "DELETE") deletions.push(method);
      return undefined;
    };
    let looks = 0;
    const first = await sweep({}, () => (looks++ < 2 ? 900_000 : 0));
    expect(first).toMatchObject({ orphanCount: 500, finished: false });
    expect(bucket.avatars().filter((key) => keys.includes(key))).toEqual(keys.slice(500));
    expect(await sweep()).toMatchObject({ orphans: keys.slice(500), finished: true });
    expect(deletions).toEqual(["POST", "POST"]);
  });
});
