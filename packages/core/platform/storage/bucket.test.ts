import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalBucket, listen } from "@svc/local/bucket/bucket";
import { openObjects } from "@svc/local/bucket/objects";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as Clock from "../../base/clock.ts";
import type * as Config from "../config/config.ts";
import { type Bucket, bucket } from "./bucket.ts";

const keys = { accessKeyId: "AKIDLOCAL", secretAccessKey: "secret of the test" };
const put = { contentType: "image/webp", cacheControl: "private, max-age=604800, immutable" } as const;
const picture = Buffer.from("the bytes of a picture");

let directory: string;
let local: LocalBucket;
let storage: Config.Storage;
let store: Bucket;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-bucket-"));
  const many = await openObjects(join(directory, "svc-files"));
  for (let n = 0; n < 1001; n++) await many.write(`reports/${n}`, picture, {}, Clock.now(), false);
  local = await listen({
    directory,
    region: "eu-central-2",
    buckets: ["svc-files", "svc-avatars"],
    credentials: [
      keys,
      { accessKeyId: "AKIDBLIND", secretAccessKey: "s", allow: (action) => action !== "ListBucket" },
      { accessKeyId: "AKIDKEEP", secretAccessKey: "s", allow: (_action, _bucket, key) => key !== "kept/2" },
    ],
  });
  storage = {
    ...keys,
    region: "eu-central-2",
    endpoint: local.url,
    bucket: "svc-files",
    bucketAvatars: "svc-avatars",
    forcePathStyle: true,
  };
  store = bucket(storage, "svc-avatars");
});

afterEach(() => {
  local.fail = undefined;
  Clock.reset();
  vi.useRealTimers();
});

afterAll(async () => {
  await local.close();
  await rm(directory, { recursive: true });
});

/** Makes the first calls fail, and counts all calls. */
function failing(times: number, how: number | "hang" | "reset") {
  const seen = { calls: 0 };
  local.fail = () => (seen.calls++ < times ? how : undefined);
  return seen;
}

const unavailable = { kind: "upstream", code: "storage_unavailable" };

describe("bucket", () => {
  it("stores objects with content type and cache control until they are removed", async () => {
    expect(await store.put("avatars/a b/ü+%.webp", picture, put)).toBe("stored");
    expect(await store.head("avatars/a b/ü+%.webp")).toEqual({
      ...put,
      size: picture.length,
      lastModified: expect.any(Date),
    });
    await store.remove("avatars/a b/ü+%.webp");
    expect(await store.head("avatars/a b/ü+%.webp")).toBeUndefined();
    await store.remove("avatars/a b/ü+%.webp");
  });

  it("removes many objects at once, whatever characters their keys have", async () => {
    const keys = ["many/a&<b>.webp", "many/ü \"+%'.webp", "many/missing.webp"];
    for (const key of keys.slice(0, 2)) await store.put(key, picture, put);
    await store.removeAll(keys);
    expect(local.keys("svc-avatars").filter((key) => key.startsWith("many/"))).toEqual([]);
    await store.removeAll([]);
  });

  it("throws when one of many objects could not be removed", async () => {
    const limited = bucket({ ...storage, accessKeyId: "AKIDKEEP", secretAccessKey: "s" }, "svc-avatars");
    for (const key of ["kept/1", "kept/2"]) await store.put(key, picture, put);
    await expect(limited.removeAll(["kept/1", "kept/2"])).rejects.toMatchObject(unavailable);
    expect(local.keys("svc-avatars").filter((key) => key.startsWith("kept/"))).toEqual(["kept/2"]);
  });

  it("lists the objects after a key", async () => {
    const found = [];
    for await (const { key } of bucket(storage, "svc-files").list("reports/", "reports/998")) found.push(key);
    expect(found).toEqual(["reports/999"]);
  });

  it("stores one of twenty concurrent puts with ifAbsent", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store.put("race", Buffer.from(`${n}`), { ...put, ifAbsent: true }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "exists")).toHaveLength(19);
  });

  it("replaces an existing object without ifAbsent", async () => {
    await store.put("replaced", picture, put);
    expect(await store.put("replaced", Buffer.from("longer than that: yes"), put)).toBe("stored");
    expect((await store.head("replaced"))?.size).toBe(21);
  });

  it("treats a 409 for a concurrent upload as an existing object", async () => {
    failing(1, 409);
    expect(await store.put("conflict", picture, { ...put, ifAbsent: true })).toBe("exists");
  });

  it("falls back to an unconditional put when the store returns 501 for If-None-Match", async () => {
    const seen = failing(1, 501);
    expect(await store.put("plain", picture, { ...put, ifAbsent: true })).toBe("stored");
    expect(seen.calls).toBe(2);
  });

  it.each([503, "reset"] as const)("retries two failures (%s) and throws after three", async (how) => {
    failing(2, how);
    expect(await store.put("retried", picture, put)).toBe("stored");
    const seen = failing(9, how);
    await expect(store.remove("retried")).rejects.toMatchObject({ ...unavailable, cause: expect.any(Error) });
    expect(seen.calls).toBe(3);
  });

  it("gives up on a silent store after three attempts of five seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    let calls = 0;
    local.fail = () => {
      calls++;
      // The request has arrived, so the client is connected and waits for the response.
      setImmediate(() => vi.advanceTimersByTime(5000));
      return "hang";
    };
    await expect(store.head("silent")).rejects.toMatchObject(unavailable);
    expect(calls).toBe(3);
  });

  it("throws a fault with its cause for an unreachable store, a wrong secret and a missing bucket", async () => {
    const nowhere = await listen({
      directory: join(directory, "gone"),
      region: "r",
      buckets: [],
      credentials: [],
    });
    await nowhere.close();
    for (const broken of [
      bucket({ ...storage, endpoint: nowhere.url }, "svc-avatars"),
      bucket({ ...storage, secretAccessKey: "wrong" }, "svc-avatars"),
      bucket(storage, "svc-missing"),
    ])
      for (const call of [
        () => broken.put("a", picture, put),
        () => broken.put("a", picture, { ...put, ifAbsent: true }),
        () => broken.remove("a"),
        () => broken.list("").next(),
      ])
        await expect(call()).rejects.toMatchObject({ ...unavailable, cause: expect.any(Error) });
  });

  it("throws for a missing object when the access key may not list", async () => {
    const blind = bucket({ ...storage, accessKeyId: "AKIDBLIND", secretAccessKey: "s" }, "svc-avatars");
    await expect(blind.head("missing")).rejects.toMatchObject(unavailable);
  });

  it("lists past the first page and fetches each page only when needed", async () => {
    const files = bucket(storage, "svc-files");
    const seen = failing(0, 500);
    const found: string[] = [];
    for await (const { key, size, lastModified } of files.list("reports/")) {
      if (found.length === 0) expect(seen.calls).toBe(1);
      expect(size).toBe(picture.length);
      expect(lastModified).toBeInstanceOf(Date);
      found.push(key);
    }
    expect(seen.calls).toBe(2);
    expect(found).toEqual(Array.from({ length: 1001 }, (_, n) => `reports/${n}`).sort());
    expect((await files.list("none/").next()).done).toBe(true);
  });

  it("signs with the moved clock at the first attempt", async () => {
    await store.put("today", picture, put);
    const seen = failing(0, 500);
    for (const seconds of [86_400, 30 * 86_400, -40 * 86_400]) {
      Clock.advance(seconds);
      await store.put("some-day", picture, put);
      const { lastModified } = (await store.head("some-day")) ?? { lastModified: new Date(0) };
      expect(Math.abs(lastModified.getTime() - Clock.now().getTime())).toBeLessThan(10_000);
    }
    expect(seen.calls).toBe(6);
  });
});
