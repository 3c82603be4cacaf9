import * as StoredValue from "@svc/core/avatar/stored-value";
import * as Sweep from "@svc/core/avatar/sweep";
import { upload } from "@svc/core/avatar/upload";
import * as Clock from "@svc/core/clock/clock";
import { db } from "@svc/core/db/engine";
import { person } from "@svc/core/testing/people";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBucket, type TestBucket } from "../testing/bucket.ts";
import { type Death, runKilled } from "../testing/killed.ts";

const loops = 50;

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

type Operation = "upload" | "remove";

/** A step is a request to the bucket too. */
const runPicture = (operation: Operation, userId: string, death: Death) =>
  runKilled({ operation, userId }, death, (arrives) => {
    bucket.fail = () => (arrives() && death.when === "before" ? "reset" : undefined);
    return () => {
      bucket.fail = undefined;
    };
  });

const storedOf = async (id: string) =>
  (await db().selectFrom("users").select("avatar").where("id", "=", id).executeTakeFirstOrThrow()).avatar;

test("killed at any step of an upload or a removal, nobody's picture points to nothing that they did not remove, and the sweep leaves no orphan", {
  timeout: 240_000,
}, async () => {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#c93" } })
    .png()
    .toBuffer();
  const removed = new Set<string>();
  const people: string[] = [];
  const plan: { operation: Operation; death: Death }[] = [];
  const last: Record<Operation, number> = { upload: 0, remove: 0 };

  // Once each without dying, to count the steps.
  for (const operation of ["upload", "remove"] as const) {
    const { id } = await person();
    await upload({ userId: id, sessionId: "s", ip: "", userAgent: "", requestId: "r" }, picture);
    last[operation] = await runPicture(operation, id, { at: -1, when: "before" });
    expect(await storedOf(id)).toMatch(operation === "upload" ? /^objstore:/ : /^$/);
  }
  expect(last.upload).toBeGreaterThanOrEqual(7);
  for (let n = 0; plan.length < loops; n++)
    for (const operation of ["upload", "remove"] as const)
      for (const when of ["before", "after"] as const)
        if (plan.length < loops) plan.push({ operation, death: { at: n % last[operation], when } });

  for (const { operation, death } of plan) {
    const { id } = await person();
    people.push(id);
    await upload({ userId: id, sessionId: "s", ip: "", userAgent: "", requestId: "r" }, picture);
    if (operation === "remove") removed.add(id);
    const steps = await runPicture(operation, id, death);
    expect(steps).toBeGreaterThan(death.at);
    const value = await storedOf(id);
    const exists = bucket.avatars().includes(StoredValue.key(value) ?? "");
    if (operation === "upload")
      expect([operation, death, value !== "" && exists]).toEqual([operation, death, true]);
  }

  Clock.advance(3601);
  await Sweep.sweep({});
  const values = await Promise.all(people.map(storedOf));
  const referenced = new Set(values.map((value) => StoredValue.key(value)));
  const mine = bucket.avatars().filter((key) => people.some((id) => key.startsWith(`avatars/${id}/`)));
  expect(mine.filter((key) => !referenced.has(key))).toEqual([]);
  for (const [at, id] of people.entries())
    if (!removed.has(id)) expect(bucket.avatars()).toContain(StoredValue.key(values[at] ?? ""));
});
