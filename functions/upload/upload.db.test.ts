import * as StoredValue from "@svc/core/avatar/stored-value";
import * as Sweep from "@svc/core/avatar/sweep";
import * as Clock from "@svc/core/base/clock";
import { connect, db } from "@svc/core/platform/db/engine";
import { testPool } from "@svc/core/testing/database";
import { owner, type Person, person } from "@svc/core/testing/people";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { form, request } from "../testing/request.ts";

let bucket: TestBucket;
let photo: Buffer;
let other: Buffer;

beforeAll(async () => {
  bucket = await startBucket();
  const picture = (background: string) =>
    sharp({ create: { width: 500, height: 300, channels: 3, background } })
      .jpeg()
      .toBuffer();
  [photo, other] = await Promise.all([picture("#c33"), picture("#3c3")]);
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

const upload = (who: Person, file: Uint8Array = photo, headers: Record<string, string> = {}) =>
  request("POST /api/upload/avatar", { token: who.token, form: form(file), headers });
const remove = (who: Person) => request("DELETE /api/upload/avatar", { token: who.token });
const stored = async (who: Person) =>
  (await db().selectFrom("users").select("avatar").where("id", "=", who.id).executeTakeFirstOrThrow()).avatar;
const objectsOf = (who: Person) => bucket.avatars().filter((key) => key.startsWith(`avatars/${who.id}/`));
const sweepLater = () => {
  Clock.advance(3601);
  return Sweep.sweep({});
};

describe("an upload", () => {
  test("answers the stored value and a URL that shows a 400x400 WebP, and nothing else", async () => {
    const ada = await owner();
    const { status, body, headers } = await upload(ada);
    expect([status, headers["cache-control"], Object.keys(body).sort()]).toEqual([
      200,
      "no-store",
      ["signedUrl", "url"],
    ]);
    expect(body.url).toMatch(new RegExp(`^objstore:avatars/${ada.id}/\\d+\\.webp$`));
    expect(await stored(ada)).toBe(body.url);
    const shown = await fetch(body.signedUrl);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("content-type")).toBe("image/webp");
    expect(shown.headers.get("cache-control")).toBe("private, max-age=604800, immutable");
    const { format, width, height, exif, icc } = await sharp(
      Buffer.from(await shown.arrayBuffer()),
    ).metadata();
    expect({ format, width, height, exif, icc }).toEqual({
      format: "webp",
      width: 400,
      height: 400,
      exif: undefined,
      icc: undefined,
    });
  });

  test("is shown by me, profile, login and members through fresh URLs, never as a raw key", async () => {
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
    for (const { avatar } of answers) expect((await fetch(avatar)).status).toBe(200);
    expect(JSON.stringify(answers)).not.toContain("objstore:");
    Clock.advance(1);
    const later = await request("GET /auth/me", { token: ada.token });
    expect(later.body.avatar).not.toBe(answers[0]?.avatar);
  });

  test("replaces the picture before it, whose object goes", async () => {
    const ada = await person();
    const first = await upload(ada);
    const second = await upload(ada, other);
    expect(second.body.url).not.toBe(first.body.url);
    expect(objectsOf(ada)).toEqual([StoredValue.key(second.body.url)]);
    expect((await fetch(first.body.signedUrl)).status).not.toBe(200);
  });

  test("takes any field name, and passes over text fields", async () => {
    const ada = await person();
    const data = form(photo, "whatever", "x");
    data.append("note", "hello");
    expect((await request("POST /api/upload/avatar", { token: ada.token, form: data })).status).toBe(200);
  });

  test("is limited to sixty a minute for each person", async () => {
    process.env.RATE_LIMITS = "upload=2/60";
    const [ada, eve] = [await person(), await person()];
    const statuses = [await upload(ada), await upload(ada), await upload(ada), await upload(eve)].map(
      ({ status }) => status,
    );
    process.env.RATE_LIMITS = "off";
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  test("twice with one Idempotency-Key is one picture, signed anew; with other bytes it is 422", async () => {
    const ada = await person();
    const key = { "idempotency-key": "photo-1" };
    const first = await upload(ada, photo, key);
    Clock.advance(1);
    const again = await upload(ada, photo, key);
    expect(again.body.url).toBe(first.body.url);
    expect(again.body.signedUrl).not.toBe(first.body.signedUrl);
    expect((await fetch(again.body.signedUrl)).status).toBe(200);
    expect(objectsOf(ada)).toHaveLength(1);
    expect((await upload(ada, other, key)).body.code).toBe("idempotency_key_reused");
  });

  test("twenty times at once gives twenty keys; the last one committed is shown and the others are gone", async () => {
    const ada = await person();
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(ada)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(20);
    const shown = StoredValue.key(await stored(ada));
    expect(answers.map(({ body }) => StoredValue.key(body.url))).toContain(shown);
    expect(objectsOf(ada)).toEqual([shown]);
  });

  test("in one and the same millisecond gets a key of its own, and none is ever used again", async () => {
    const ada = await person();
    const { upload: core } = await import("@svc/core/avatar/upload");
    const actor = { userId: ada.id, sessionId: ada.sessionId, ip: "", userAgent: "", requestId: "r" };
    const at = new Date(1_769_817_600_000);
    const values = await Promise.all([core(actor, photo, at), core(actor, photo, at)]);
    // The object of the first is gone by now; its key still is not free.
    values.push(await core(actor, photo, at));
    expect(values.sort()).toEqual(
      [0, 1, 2].map((ms) => `objstore:avatars/${ada.id}/${1_769_817_600_000 + ms}.webp`),
    );
  });
});

describe("a bad upload is refused with its code and leaves the picture as it is", () => {
  let ada: Person;
  let before: string;
  beforeAll(async () => {
    ada = await person();
    before = (await upload(ada)).body.url;
  });
  const raw = (body: string | Uint8Array, type: string) =>
    request("POST /api/upload/avatar", {
      token: ada.token,
      body: Buffer.from(body).toString("latin1"),
      headers: { "content-type": type },
    });
  const multipart = (boundary: string, file: Buffer = photo) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="avatar"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
      ),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  const send = async (bytes: Buffer, type: string) => {
    const data = { token: ada.token, headers: { "content-type": type } };
    const { event } = await import("../testing/request.ts");
    const { handler } = await import("./avatar.ts");
    const asked = {
      ...(await event("POST /api/upload/avatar", data)),
      body: bytes.toString("base64"),
      isBase64Encoded: true,
    };
    const result = await handler(asked, { getRemainingTimeInMillis: () => 30_000 } as never);
    return { status: result.statusCode, body: JSON.parse(result.body ?? "null") };
  };
  const empty = new FormData();
  empty.append("note", "no file here");
  const two = form(Buffer.from("x"), "a");
  two.append("b", new Blob(["y"]), "b.jpg");
  const sameName = form(Buffer.from("x"), "a");
  sameName.append("a", new Blob(["y"]), "b.jpg");

  test.each([
    ["no file", empty, 400, "file_missing"],
    ["two files", two, 400, "too_many_files"],
    ["two files of one name", sameName, 400, "too_many_files"],
    ["an empty file", form(Buffer.alloc(0)), 422, "image_invalid"],
    [
      "text renamed .jpg",
      form(Buffer.from("hello, I am a text"), "avatar", "me.jpg"),
      415,
      "image_type_not_supported",
    ],
    ["SVG", form(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 415, "image_type_not_supported"],
    ["a file of 4,550,000 bytes", form(Buffer.alloc(4_550_000, 1)), 413, "file_too_large"],
  ])("%s", async (_, data, status, code) => {
    const answer = await request("POST /api/upload/avatar", { token: ada.token, form: data });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await stored(ada)).toBe(before);
    expect(objectsOf(ada)).toHaveLength(1);
  });

  test.each([
    ["JSON", "{}", "application/json", 415, "unsupported_media_type"],
    ["no content type", "x", "", 415, "unsupported_media_type"],
    ["no boundary", "x", "multipart/form-data", 400, "multipart_malformed"],
    ["no framing", "x", "multipart/form-data; boundary=abc", 400, "multipart_malformed"],
  ])("%s", async (_, body, type, status, code) => {
    const answer = await raw(body, type);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("another boundary than the body's, and a body that breaks off", async () => {
    const wrong = await send(multipart("abc"), "multipart/form-data; boundary=xyz");
    expect([wrong.status, wrong.body.code]).toEqual([400, "multipart_malformed"]);
    const cut = await send(multipart("abc").subarray(0, 300), "multipart/form-data; boundary=abc");
    expect([cut.status, cut.body.code]).toEqual([400, "multipart_malformed"]);
    expect(await stored(ada)).toBe(before);
  });

  test.each(["_+'()", "a,b.c/d:e=f?g", "x".repeat(70)])(
    "but the legal boundary %s is taken",
    async (boundary) => {
      const somebody = ada;
      const answer = await send(multipart(boundary), `multipart/form-data; boundary="${boundary}"`);
      expect(answer.status).toBe(200);
      before = await stored(somebody);
    },
  );

  test("without a token, with a wrong one, and after logout", async () => {
    const gone = await person();
    await request("POST /auth/logout", { token: gone.token });
    for (const token of ["", "wrong", gone.token]) {
      const answer = await request("POST /api/upload/avatar", { ...(token && { token }), form: form(photo) });
      expect(answer.status).toBe(401);
    }
  });
});

describe("removing", () => {
  test("takes the object and the value, and again changes nothing", async () => {
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

  test("clears a legacy value without asking the bucket", async () => {
    const ada = await person();
    await db()
      .updateTable("users")
      .set({ avatar: "https://gravatar.example/x.png" })
      .where("id", "=", ada.id)
      .execute();
    bucket.fail = () => 500;
    expect([(await remove(ada)).status, await stored(ada)]).toEqual([204, ""]);
  });

  test("succeeds when the object is gone already", async () => {
    const ada = await person();
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${ada.id}/1.webp` })
      .where("id", "=", ada.id)
      .execute();
    expect([(await remove(ada)).status, await stored(ada)]).toEqual([204, ""]);
  });

  test("with the bucket down is 502 and the value stays", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    bucket.fail = () => 503;
    const answer = await remove(ada);
    expect([answer.status, answer.body.code, await stored(ada)]).toEqual([502, "storage_unavailable", url]);
  });

  test("does not clear a picture that was uploaded meanwhile", async () => {
    const ada = await person();
    await upload(ada);
    let meanwhile: Promise<unknown> | undefined;
    bucket.fail = ({ method }) => {
      if (method === "DELETE" && !meanwhile) meanwhile = upload(ada, other);
      return undefined;
    };
    const removing = await remove(ada);
    await meanwhile;
    expect(removing.status).toBe(204);
    const value = await stored(ada);
    // Whichever committed last: nothing at all, or the new picture with its object.
    expect(objectsOf(ada)).toEqual(value === "" ? [] : [StoredValue.key(value)]);
  });
});

describe("when something is down", () => {
  test("the bucket at an upload: 502, and the old picture is intact", async () => {
    const ada = await person();
    const { url, signedUrl } = (await upload(ada)).body;
    bucket.fail = ({ method }) => (method === "PUT" ? 500 : undefined);
    const answer = await upload(ada, other);
    expect([answer.status, answer.body.code, await stored(ada)]).toEqual([502, "storage_unavailable", url]);
    bucket.fail = undefined;
    expect((await fetch(signedUrl)).status).toBe(200);
  });

  test("the bucket when the old object should go: the upload succeeds and the sweep takes it", async () => {
    const ada = await person();
    await upload(ada);
    bucket.fail = ({ method }) => (method === "DELETE" ? 500 : undefined);
    const { body } = await upload(ada, other);
    bucket.fail = undefined;
    expect(objectsOf(ada)).toHaveLength(2);
    await sweepLater();
    expect(objectsOf(ada)).toEqual([StoredValue.key(body.url)]);
  });

  const saving = 'update "users" set "avatar"';

  /** From the change of the picture on, statements of this kind fail: before they run, or after, as when the connection breaks. */
  const breaking = (statement: string, when: "before" | "after") => {
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
            armed ||= text.startsWith(saving);
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

  test("the database after the put: 503, the new object is gone and the old picture shown", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    breaking(saving, "before");
    const answer = await upload(ada, other);
    connect(testPool());
    expect([answer.status, answer.body.code]).toEqual([503, "database_unavailable"]);
    expect([await stored(ada), objectsOf(ada)]).toEqual([url, [StoredValue.key(url)]]);
  });

  test("the connection while committing, though it did commit: the new picture stays", async () => {
    const ada = await person();
    await upload(ada);
    breaking("commit", "after");
    const answer = await upload(ada, other);
    connect(testPool());
    expect(answer.status).toBe(200);
    expect(await stored(ada)).toBe(answer.body.url);
    expect((await fetch(answer.body.signedUrl)).status).toBe(200);
    await sweepLater();
    expect(objectsOf(ada)).toEqual([StoredValue.key(answer.body.url)]);
  });

  test("the connection while committing, and it did not: 503, the old picture is shown and the sweep takes the new object", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    breaking("commit", "before");
    const answer = await upload(ada, other);
    connect(testPool());
    expect([answer.status, answer.body.code, await stored(ada)]).toEqual([503, "commit_unknown", url]);
    await sweepLater();
    expect(objectsOf(ada)).toEqual([StoredValue.key(url)]);
  });
});

describe("the sweep", () => {
  const put = async (key: string) => {
    const { avatarBucket } = await import("@svc/core/avatar/bucket");
    await avatarBucket().put(key, photo, { contentType: "image/webp" });
  };

  test("names orphans in a dry run, and takes them otherwise; pictures in use and foreign keys stay", async () => {
    const ada = await person();
    const { url } = (await upload(ada)).body;
    await put(`avatars/${ada.id}/1.webp`);
    await put("avatars/usr_deleted/2.webp");
    await put("avatars/readme.txt");
    Clock.advance(3601);
    const dry = await Sweep.sweep({ dryRun: true });
    expect(dry.orphans).toEqual(
      expect.arrayContaining([`avatars/${ada.id}/1.webp`, "avatars/usr_deleted/2.webp"]),
    );
    expect(dry.foreign).toBe(1);
    expect(objectsOf(ada)).toHaveLength(2);
    const swept = await Sweep.sweep({});
    expect(swept.orphans).toEqual(dry.orphans);
    expect(objectsOf(ada)).toEqual([StoredValue.key(url)]);
    expect(bucket.avatars()).toContain("avatars/readme.txt");
    expect(bucket.avatars()).not.toContain("avatars/usr_deleted/2.webp");
  });

  test("leaves what is younger than an hour: its upload may not have committed yet", async () => {
    await put("avatars/usr_young/1.webp");
    Clock.advance(3500);
    expect((await Sweep.sweep({})).orphans).not.toContain("avatars/usr_young/1.webp");
  });
});
