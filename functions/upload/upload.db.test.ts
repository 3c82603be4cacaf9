// The domain code is in packages/core/avatar.

import * as ObjectKey from "@svc/core/avatar/object-key";
import * as StoredValue from "@svc/core/avatar/stored-value";
import * as Sweep from "@svc/core/avatar/sweep";
import * as Clock from "@svc/core/base/clock";
import { connect, db } from "@svc/core/platform/db/engine";
import { testPool } from "@svc/core/testing/database";
import { owner, type Person, person } from "@svc/core/testing/people";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import sharp from "sharp";
import { thumbHashToAverageRGBA } from "thumbhash";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { form, request } from "../testing/request.ts";

let bucket: TestBucket;
let photo: Buffer;
let otherPhoto: Buffer;

beforeAll(async () => {
  bucket = await startBucket();
  const picture = (background: string) =>
    sharp({ create: { width: 500, height: 300, channels: 3, background } })
      .jpeg()
      .toBuffer();
  [photo, otherPhoto] = await Promise.all([picture("#c33"), picture("#3c3")]);
  process.env.RATE_LIMITS = "off";
});
afterAll(async () => {
  delete process.env.RATE_LIMITS;
  await bucket.close();
});
afterEach(() => {
  bucket.fail = undefined;
  connect(testPool());
  Clock.reset();
});

const upload = (user: Person, file: Uint8Array = photo, headers: Record<string, string> = {}) =>
  request("POST /api/upload/avatar", { token: user.token, form: form(file), headers });
const remove = (user: Person) => request("DELETE /api/upload/avatar", { token: user.token });
const stored = async (user: Person) =>
  (await db().selectFrom("users").select("avatar").where("id", "=", user.id).executeTakeFirstOrThrow())
    .avatar;
const objectsOf = (user: Person) => bucket.avatars().filter((key) => key.includes(`/${user.id}/`));
/** The keys of both objects of an avatar, in the order of a listing. */
const objectsFor = (url: string) => {
  const key = StoredValue.key(url) ?? "";
  return [ObjectKey.small(key), key];
};
/** Collects the requests that change the bucket. */
const recordWrites = () => {
  const writes: string[] = [];
  bucket.fail = ({ method, key }) => {
    if (method !== "GET") writes.push(`${method} ${key.split("/")[0]}`);
    return undefined;
  };
  return writes;
};
const metadataOf = async (url: string) => {
  const shown = await fetch(url);
  const { format, width, height, exif, icc } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
  const headers = [shown.status, shown.headers.get("content-type"), shown.headers.get("cache-control")];
  return { headers, picture: { format, width, height, exif, icc } };
};
const sweep = (input: Sweep.SweepInput = {}) =>
  Sweep.sweep(input, { requestId: "sweep", remainingMs: () => 900_000 });
const sweepLater = () => {
  Clock.advance(3601);
  return sweep();
};

describe("POST /api/upload/avatar", () => {
  test("returns the stored value and a signed URL of a 400x400 WebP image without metadata", async () => {
    const ada = await owner();
    const { status, body, headers } = await upload(ada);
    expect([status, headers["cache-control"], Object.keys(body).sort()]).toEqual([
      200,
      "no-store",
      ["avatarPlaceholder", "avatarSmall", "signedUrl", "url"],
    ]);
    expect(body.url).toMatch(new RegExp(`^objstore:avatars/${ada.id}/\\d+\\.webp$`));
    expect(await stored(ada)).toBe(body.url);
    const sent = [200, "image/webp", "private, max-age=604800, immutable"];
    const picture = (side: number) => ({
      ...{ format: "webp", width: side, height: side },
      ...{ exif: undefined, icc: undefined },
    });
    expect(await metadataOf(body.signedUrl)).toEqual({ headers: sent, picture: picture(400) });
    expect(await metadataOf(body.avatarSmall)).toEqual({ headers: sent, picture: picture(96) });
    expect(thumbHashToAverageRGBA(Buffer.from(body.avatarPlaceholder, "base64")).r).toBeCloseTo(0.8, 1);
  });

  test("puts the small object before the large one, and removes the large one before the small one", async () => {
    const ada = await owner();
    const writes = recordWrites();
    await upload(ada);
    expect(writes).toEqual(["PUT avatars-small", "PUT avatars"]);
    const removals = recordWrites();
    await remove(ada);
    expect(removals).toEqual(["DELETE avatars", "DELETE avatars-small"]);
    expect(objectsOf(ada)).toEqual([]);
  });

  test("shows the avatar in me, profile, login and members through fresh URLs, never as an object key", async () => {
    const ada = await owner();
    await upload(ada);
    const login = await request("POST /auth/login", {
      body: { email: ada.email, password: "correct horse battery staple" },
    });
    const answers = [
      (await request("GET /auth/me", { token: ada.token })).body,
      (await request("GET /user/profile", { token: ada.token })).body,
      login.body.user,
      (await request("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId } })).body.data[0],
    ];
    for (const { avatar, avatarSmall, avatarPlaceholder } of answers) {
      expect((await metadataOf(avatar)).picture.width).toBe(400);
      expect((await metadataOf(avatarSmall)).picture.width).toBe(96);
      expect(avatarPlaceholder).toBe(answers[0].avatarPlaceholder);
    }
    expect(answers[0].avatarPlaceholder).toMatch(/^[A-Za-z0-9+/]{20,}={0,2}$/);
    expect(JSON.stringify(answers)).not.toContain("objstore:");
    Clock.advance(1);
    const later = await request("GET /auth/me", { token: ada.token });
    expect(later.body.avatar).not.toBe(answers[0]?.avatar);
  });

  test("deletes the object of the previous avatar", async () => {
    const ada = await person();
    const first = await upload(ada);
    const second = await upload(ada, otherPhoto);
    expect(second.body.url).not.toBe(first.body.url);
    expect(objectsOf(ada)).toEqual(objectsFor(second.body.url));
    for (const url of [first.body.signedUrl, first.body.avatarSmall])
      expect((await fetch(url)).status).not.toBe(200);
  });

  test("accepts any field name and ignores text fields", async () => {
    const ada = await person();
    const data = form(photo, "anything", "x");
    data.append("note", "hello");
    expect((await request("POST /api/upload/avatar", { token: ada.token, form: data })).status).toBe(200);
  });

  test("applies the upload rate limit to each user separately", async () => {
    process.env.RATE_LIMITS = "upload=2/60";
    const [ada, eve] = [await person(), await person()];
    const statuses = [await upload(ada), await upload(ada), await upload(ada), await upload(eve)].map(
      ({ status }) => status,
    );
    process.env.RATE_LIMITS = "off";
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  test("stores one avatar for a repeated Idempotency-Key, signs a new URL, and returns 422 for other bytes", async () => {
    const ada = await person();
    const key = { "idempotency-key": "photo-1" };
    const first = await upload(ada, photo, key);
    Clock.advance(1);
    const again = await upload(ada, photo, key);
    expect(again.body.url).toBe(first.body.url);
    expect(again.body.signedUrl).not.toBe(first.body.signedUrl);
    expect((await fetch(again.body.signedUrl)).status).toBe(200);
    expect((await fetch(again.body.avatarSmall)).status).toBe(200);
    expect(again.body.avatarPlaceholder).toBe(first.body.avatarPlaceholder);
    expect(objectsOf(ada)).toHaveLength(2);
    expect((await upload(ada, otherPhoto, key)).body.code).toBe("idempotency_key_reused");
    // The picture of the first answer is gone, and the placeholder of its successor must not appear beside it.
    await upload(ada, otherPhoto);
    const late = (await upload(ada, photo, key)).body;
    expect([late.url, late.avatarSmall, late.avatarPlaceholder]).toEqual([
      first.body.url,
      late.signedUrl,
      "",
    ]);
  });

  test("gives twenty concurrent uploads distinct keys and keeps only the last committed object", async () => {
    const ada = await person();
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(ada)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(20);
    const shown = StoredValue.key(await stored(ada));
    expect(answers.map(({ body }) => StoredValue.key(body.url))).toContain(shown);
    expect(objectsOf(ada)).toEqual(objectsFor(await stored(ada)));
  });

  test("gives uploads of the same millisecond distinct keys and never reuses one", async () => {
    const ada = await person();
    const { upload: core } = await import("@svc/core/avatar/upload");
    const actor = { userId: ada.id, sessionId: ada.sessionId, ip: "", userAgent: "", requestId: "r" };
    const at = new Date(1_769_817_600_000);
    const values = await Promise.all([core(actor, photo, at), core(actor, photo, at)]);
    // The first object has been deleted by now, but its key must not be reused.
    values.push(await core(actor, photo, at));
    expect(values.sort()).toEqual(
      [0, 1, 2].map((ms) => `objstore:avatars/${ada.id}/${1_769_817_600_000 + ms}.webp`),
    );
  });
});

describe("POST /api/upload/avatar with an invalid request", () => {
  let ada: Person;
  let before: string;
  beforeAll(async () => {
    ada = await person();
    before = (await upload(ada)).body.url;
  });
  const multipart = (boundary: string, file: Buffer = photo) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="avatar"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
      ),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  const send = (body: Buffer, type: string) =>
    request("POST /api/upload/avatar", { token: ada.token, headers: { "content-type": type }, body });
  const empty = new FormData();
  empty.append("note", "no file here");
  const two = form(Buffer.from("x"), "a");
  two.append("b", new Blob(["y"]), "b.jpg");
  const sameName = form(Buffer.from("x"), "a");
  sameName.append("a", new Blob(["y"]), "b.jpg");

  test.each([
    ["a form without a file", empty, 400, "file_missing"],
    ["two files", two, 400, "too_many_files"],
    ["two files in one field", sameName, 400, "too_many_files"],
    ["an empty file", form(Buffer.alloc(0)), 422, "image_invalid"],
    [
      "a text file named .jpg",
      form(Buffer.from("hello, I am a text"), "avatar", "me.jpg"),
      415,
      "image_type_not_supported",
    ],
    [
      "an SVG file",
      form(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      415,
      "image_type_not_supported",
    ],
    ["a file of 4,550,000 bytes", form(Buffer.alloc(4_550_000, 1)), 413, "file_too_large"],
  ])("rejects %s and keeps the avatar", async (_, data, status, code) => {
    const answer = await request("POST /api/upload/avatar", { token: ada.token, form: data });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await stored(ada)).toBe(before);
    expect(objectsOf(ada)).toEqual(objectsFor(before));
  });

  test.each([
    ["a JSON body", "{}", "application/json", 415, "unsupported_media_type"],
    ["a body without a content type", "x", "", 415, "unsupported_media_type"],
    ["multipart without a boundary", "x", "multipart/form-data", 400, "multipart_malformed"],
    ["multipart without parts", "x", "multipart/form-data; boundary=abc", 400, "multipart_malformed"],
  ])("rejects %s", async (_, body, type, status, code) => {
    const answer = await send(Buffer.from(body), type);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("returns 400 multipart_malformed for a wrong boundary", async () => {
    const wrong = await send(multipart("abc"), "multipart/form-data; boundary=xyz");
    expect([wrong.status, wrong.body.code]).toEqual([400, "multipart_malformed"]);
    expect(await stored(ada)).toBe(before);
  });

  test("returns 400 multipart_malformed for a truncated body", async () => {
    const cut = await send(multipart("abc").subarray(0, 300), "multipart/form-data; boundary=abc");
    expect([cut.status, cut.body.code]).toEqual([400, "multipart_malformed"]);
    expect(await stored(ada)).toBe(before);
  });

  test.each(["_+'()", "a,b.c/d:e=f?g", "x".repeat(70)])("accepts the valid boundary %s", async (boundary) => {
    const answer = await send(multipart(boundary), `multipart/form-data; boundary="${boundary}"`);
    expect(answer.status).toBe(200);
    before = await stored(ada);
  });

  test("returns 401 without a token, with an invalid one and after logout", async () => {
    const gone = await person();
    await request("POST /auth/logout", { token: gone.token });
    for (const token of ["", "wrong", gone.token]) {
      const answer = await request("POST /api/upload/avatar", { ...(token && { token }), form: form(photo) });
      expect(answer.status).toBe(401);
    }
  });
});

describe("DELETE /api/upload/avatar", () => {
  test("removes the object and the stored value, and repeating it changes nothing", async () => {
    const ada = await person();
    await upload(ada);
    expect([(await remove(ada)).status, await stored(ada), objectsOf(ada)]).toEqual([204, "", []]);
    expect((await request("DELETE /user/avatar", { token: ada.token })).status).toBe(204);
    const events = await db()
      .selectFrom("events")
      .select("action")
      .where("actor_id", "=", ada.id)
      .orderBy("id")
      .execute();
    expect(events.map(({ action }) => action)).toEqual(["user.avatar_changed", "user.avatar_removed"]);
  });

  test("clears a legacy value without a request to the bucket", async () => {
    const ada = await person();
    await db()
      .updateTable("users")
      .set({ avatar: "https://gravatar.example/x.png" })
      .where("id", "=", ada.id)
      .execute();
    bucket.fail = () => 500;
    expect([(await remove(ada)).status, await stored(ada)]).toEqual([204, ""]);
  });

  test("succeeds when the object no longer exists", async () => {
    const ada = await person();
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${ada.id}/1.webp` })
      .where("id", "=", ada.id)
      .execute();
    expect([(await remove(ada)).status, await stored(ada)]).toEqual([204, ""]);
  });

  test("returns 502 storage_unavailable and keeps the stored value when the bucket is down", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    bucket.fail = () => 503;
    const answer = await remove(ada);
    expect([answer.status, answer.body.code, await stored(ada)]).toEqual([502, "storage_unavailable", url]);
  });

  test("does not clear an avatar that is uploaded at the same time", async () => {
    const ada = await person();
    await upload(ada);
    let meanwhile: Promise<unknown> | undefined;
    bucket.fail = ({ method }) => {
      if (method === "DELETE" && !meanwhile) meanwhile = upload(ada, otherPhoto);
      return undefined;
    };
    const removing = await remove(ada);
    await meanwhile;
    expect(removing.status).toBe(204);
    const value = await stored(ada);
    // Depending on which call committed last, there is no avatar or the new one with its object.
    expect(objectsOf(ada)).toEqual(value === "" ? [] : objectsFor(value));
  });
});

describe("POST /api/upload/avatar during an outage", () => {
  test("returns 502 storage_unavailable and keeps the old avatar when the bucket rejects the new object", async () => {
    const ada = await person();
    const { url, signedUrl } = (await upload(ada)).body;
    bucket.fail = ({ method }) => (method === "PUT" ? 500 : undefined);
    const answer = await upload(ada, otherPhoto);
    expect([answer.status, answer.body.code, await stored(ada)]).toEqual([502, "storage_unavailable", url]);
    bucket.fail = undefined;
    expect((await fetch(signedUrl)).status).toBe(200);
  });

  test("succeeds when the old object cannot be deleted, and the sweep deletes it later", async () => {
    const ada = await person();
    await upload(ada);
    bucket.fail = ({ method }) => (method === "POST" ? 500 : undefined);
    const { body } = await upload(ada, otherPhoto);
    bucket.fail = undefined;
    expect(objectsOf(ada)).toHaveLength(4);
    await sweepLater();
    expect(objectsOf(ada)).toEqual(objectsFor(body.url));
  });

  test("keeps the old avatar when the bucket accepts only the new small object, which the sweep deletes later", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    bucket.fail = ({ method, key }) => (method === "PUT" && key.startsWith("avatars/") ? 500 : undefined);
    const answer = await upload(ada, otherPhoto);
    expect([answer.status, await stored(ada)]).toEqual([502, url]);
    bucket.fail = undefined;
    expect(objectsOf(ada)).toHaveLength(3);
    await sweepLater();
    expect(objectsOf(ada)).toEqual(objectsFor(url));
  });

  test("a removal succeeds when only the small object cannot be deleted, and the sweep deletes it later", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    bucket.fail = ({ method, key }) =>
      method === "DELETE" && key.startsWith("avatars-small/") ? 500 : undefined;
    expect((await remove(ada)).status).toBe(204);
    bucket.fail = undefined;
    expect([await stored(ada), objectsOf(ada)]).toEqual(["", objectsFor(url).slice(0, 1)]);
    await sweepLater();
    expect(objectsOf(ada)).toEqual([]);
  });

  const saveStatement = 'update "users" set "avatar"';

  /**
   * Makes statements that start with `statement` fail once the avatar is being saved: before they run, or after they ran, as
   * when the connection breaks.
   */
  const failOn = (statement: string, when: "before" | "after") => {
    const pool = testPool();
    let armed = false;
    connect({
      ...pool,
      end: async () => {},
      async connect() {
        const client = await pool.connect();
        return {
          release: () => client.release(),
          query: async (text: string, parameters: unknown[]) => {
            armed ||= text.startsWith(saveStatement);
            const hit = armed && text.startsWith(statement);
            if (hit && when === "before") throw new Error("Connection terminated unexpectedly");
            const result = await client.query(text, parameters);
            if (hit) throw new Error("Connection terminated unexpectedly");
            return result;
          },
        } as never;
      },
    });
  };

  test("returns 503 database_unavailable and discards the new object when the database fails after the upload", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    failOn(saveStatement, "before");
    const answer = await upload(ada, otherPhoto);
    connect(testPool());
    expect([answer.status, answer.body.code]).toEqual([503, "database_unavailable"]);
    expect([await stored(ada), objectsOf(ada)]).toEqual([url, objectsFor(url)]);
  });

  test("returns 200 and keeps the new avatar when the connection breaks after a successful commit", async () => {
    const ada = await person();
    await upload(ada);
    failOn("commit", "after");
    const answer = await upload(ada, otherPhoto);
    connect(testPool());
    expect(answer.status).toBe(200);
    expect(await stored(ada)).toBe(answer.body.url);
    expect((await fetch(answer.body.signedUrl)).status).toBe(200);
    await sweepLater();
    expect(objectsOf(ada)).toEqual(objectsFor(answer.body.url));
  });

  test("returns 503 commit_unknown and keeps the old avatar when the connection breaks before the commit", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    failOn("commit", "before");
    const answer = await upload(ada, otherPhoto);
    connect(testPool());
    expect([answer.status, answer.body.code, await stored(ada)]).toEqual([503, "commit_unknown", url]);
    await sweepLater();
    expect(objectsOf(ada)).toEqual(objectsFor(url));
  });
});

describe("sweep of orphaned avatars", () => {
  const put = async (key: string) => {
    const { avatarBucket } = await import("@svc/core/avatar/bucket");
    await avatarBucket().put(key, photo, { contentType: "image/webp" });
  };

  test("lists orphans in a dry run, deletes them otherwise, and keeps avatars in use and unrelated objects", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    await put(`avatars/${ada.id}/1.webp`);
    await put("avatars/usr_deleted/2.webp");
    await put("avatars/readme.txt");
    Clock.advance(3601);
    const dry = await sweep({ dryRun: true });
    expect(dry.orphans).toEqual(
      expect.arrayContaining([`avatars/${ada.id}/1.webp`, "avatars/usr_deleted/2.webp"]),
    );
    expect(dry.foreign).toBe(1);
    expect(objectsOf(ada)).toHaveLength(3);
    const swept = await sweep();
    expect(swept.orphans).toEqual(dry.orphans);
    expect(objectsOf(ada)).toEqual(objectsFor(url));
    expect(bucket.avatars()).toContain("avatars/readme.txt");
    expect(bucket.avatars()).not.toContain("avatars/usr_deleted/2.webp");
  });

  test("keeps objects younger than an hour, whose upload may not have committed yet", async () => {
    await put("avatars/usr_young/1.webp");
    Clock.advance(3500);
    expect((await sweep()).orphans).not.toContain("avatars/usr_young/1.webp");
  });
});
