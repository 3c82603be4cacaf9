import { avatarBucket } from "@svc/core/avatar/bucket";
import * as ObjectKey from "@svc/core/avatar/object-key";
import * as StoredValue from "@svc/core/avatar/stored-value";
import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { type Person, person } from "@svc/core/testing/people";
import { jpeg } from "@svc/core/testing/pictures";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { form, request } from "../testing/request.ts";
import { handler } from "./make-small-avatars.ts";
import { handler as sweepAvatars } from "./sweep-avatars.ts";

const image = await jpeg({ width: 60, height: 40 });

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());
beforeEach(() => db().updateTable("users").set({ avatar: "", avatar_placeholder: null }).execute());
afterEach(() => {
  bucket.fail = undefined;
  Clock.reset();
});

/** Runs the job. `remainingMs` returns the time that is left at each look. */
const makeSmall = (event: unknown = {}, remainingMs = () => 900_000) =>
  handler(event, { awsRequestId: "small", getRemainingTimeInMillis: remainingMs } as never);

const me = async ({ token }: Person) => (await request("GET /auth/me", { token })).body;

/** Returns a user whose avatar was uploaded before there were small ones, and its object key. */
async function withOldAvatar() {
  const user = await person();
  const { body } = await request("POST /api/upload/avatar", { token: user.token, form: form(image) });
  const key = StoredValue.key(body.url) ?? "";
  await avatarBucket().remove(ObjectKey.small(key));
  await db().updateTable("users").set({ avatar_placeholder: null }).where("id", "=", user.id).execute();
  return { ...user, key, placeholder: body.avatarPlaceholder as string };
}

describe("make-small-avatars", () => {
  test("shows the large picture before, and the small one with its placeholder afterwards", async () => {
    const ada = await withOldAvatar();
    const before = await me(ada);
    expect([before.avatarSmall, before.avatarPlaceholder]).toEqual([before.avatar, ""]);
    expect(await makeSmall({ dryRun: true })).toMatchObject({ made: 1, finished: true });
    expect((await me(ada)).avatarPlaceholder).toBe("");

    expect(await makeSmall()).toEqual({ dryRun: false, made: 1, replaced: 0, failed: 0, finished: true });
    const { avatarSmall, avatarPlaceholder } = await me(ada);
    const shown = await fetch(avatarSmall);
    expect(shown.headers.get("cache-control")).toBe("private, max-age=604800, immutable");
    const picture = sharp(Buffer.from(await shown.arrayBuffer()));
    expect(await picture.metadata()).toMatchObject({ format: "webp", width: 96, height: 96 });
    expect(avatarPlaceholder).toHaveLength(ada.placeholder.length);
    expect(await makeSmall()).toMatchObject({ made: 0, finished: true });
  });

  test("leaves the version of the profile, which the user did not change", async () => {
    const ada = await withOldAvatar();
    const version = async () => (await request("GET /user/profile", { token: ada.token })).body.version;
    const before = await version();
    await makeSmall();
    expect(await version()).toBe(before);
  });

  test("stops before its time limit and continues in the next run", async () => {
    const users = await Promise.all(Array.from({ length: 10 }, withOldAvatar));
    let looks = 0;
    const first = await makeSmall({}, () => (looks++ < 3 ? 900_000 : 0));
    expect(first).toMatchObject({ made: 8, finished: false });
    expect(await makeSmall()).toMatchObject({ made: 2, finished: true });
    for (const user of users) expect((await me(user)).avatarPlaceholder).not.toBe("");
  });

  test("continues after a crash between the object and the row", async () => {
    const ada = await withOldAvatar();
    await avatarBucket().put(ObjectKey.small(ada.key), image, { contentType: "image/webp" });
    Clock.advance(3601);
    const context = { awsRequestId: "sweep", getRemainingTimeInMillis: () => 900_000 } as never;
    await sweepAvatars({}, context);
    expect(bucket.avatars()).toContain(ObjectKey.small(ada.key));
    expect(await makeSmall()).toMatchObject({ made: 1, failed: 0 });
    expect((await me(ada)).avatarPlaceholder).not.toBe("");
  });

  test("deletes the small object again when the picture was removed meanwhile", async () => {
    const ada = await withOldAvatar();
    let removed: Promise<unknown> | undefined;
    bucket.fail = ({ method }) => {
      if (method === "PUT")
        removed ??= db().updateTable("users").set({ avatar: "" }).where("id", "=", ada.id).execute();
      return undefined;
    };
    expect(await makeSmall()).toMatchObject({ made: 0, replaced: 1 });
    await removed;
    expect(bucket.avatars().filter((key) => key.includes(ada.id))).toEqual([ada.key]);
  });

  test("counts damaged and missing pictures, and makes the others", async () => {
    const [damaged, missing, intact] = [await withOldAvatar(), await withOldAvatar(), await withOldAvatar()];
    await avatarBucket().put(damaged.key, Buffer.from("no picture"), { contentType: "image/webp" });
    await avatarBucket().remove(missing.key);
    expect(await makeSmall()).toMatchObject({ made: 1, failed: 2, finished: true });
    expect((await me(intact)).avatarPlaceholder).not.toBe("");
    expect((await me(damaged)).avatarPlaceholder).toBe("");
  });
});
