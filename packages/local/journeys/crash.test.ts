import * as StoredValue from "@svc/core/avatar/stored-value";
import * as Sweep from "@svc/core/avatar/sweep";
import { upload } from "@svc/core/avatar/upload";
import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { owner, person } from "@svc/core/testing/people";
import { sample } from "@svc/core/testing/sample";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBucket, type TestBucket } from "../testing/bucket.ts";
import type { Task } from "../testing/crash-child.ts";
import { type Death, runKilled } from "../testing/killed.ts";

/** Number of kills in a long run. Other runs only sample them. */
const kills = 50;

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

/** Runs a task and counts requests to the bucket as steps too. */
const runWithBucket = (task: Task, death: Death) =>
  runKilled(task, death, (countStep) => {
    bucket.fail = () => (countStep() && death.when === "before" ? "reset" : undefined);
    return () => {
      bucket.fail = undefined;
    };
  });

const storedOf = async (id: string) =>
  (await db().selectFrom("users").select("avatar").where("id", "=", id).executeTakeFirstOrThrow()).avatar;

test("a process killed at any step of an upload or removal loses no avatar, and the sweep deletes all orphans", {
  timeout: 240_000,
}, async () => {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#c93" } })
    .png()
    .toBuffer();
  const removed = new Set<string>();
  const people: string[] = [];
  const plan: { operation: "upload" | "remove"; death: Death }[] = [];
  const last = { upload: 0, remove: 0 };

  // Runs each operation once without killing it, to count the steps.
  for (const operation of ["upload", "remove"] as const) {
    const { id } = await person();
    await upload({ userId: id, sessionId: "s", ip: "", userAgent: "", requestId: "r" }, picture);
    last[operation] = await runWithBucket({ operation, userId: id }, { at: -1, when: "before" });
    expect(await storedOf(id)).toMatch(operation === "upload" ? /^objstore:/ : /^$/);
  }
  expect(last.upload).toBeGreaterThanOrEqual(7);
  for (let n = 0; plan.length < kills; n++)
    for (const operation of ["upload", "remove"] as const)
      for (const when of ["before", "after"] as const)
        if (plan.length < kills) plan.push({ operation, death: { at: n % last[operation], when } });

  for (const { operation, death } of sample(plan, 12)) {
    const { id } = await person();
    people.push(id);
    await upload({ userId: id, sessionId: "s", ip: "", userAgent: "", requestId: "r" }, picture);
    if (operation === "remove") removed.add(id);
    const steps = await runWithBucket({ operation, userId: id }, death);
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
  const stored = bucket.avatars().filter((key) => people.some((id) => key.startsWith(`avatars/${id}/`)));
  expect(stored.filter((key) => !referenced.has(key))).toEqual([]);
  for (const [at, id] of people.entries())
    if (!removed.has(id)) expect(bucket.avatars()).toContain(StoredValue.key(values[at] ?? ""));
});

test("a process killed at any step of generating a report leaves no row without its file", {
  timeout: 120_000,
}, async () => {
  const ada = await owner();
  const task: Task = { operation: "generate", userId: ada.id, workspaceId: ada.workspaceId };
  const generateUntil = (death: Death) => runWithBucket(task, death);
  const reportRows = () =>
    db().selectFrom("reports").select("id").where("workspace_id", "=", ada.workspaceId).execute();
  const files = () => bucket.keys("svc-files").filter((key) => key.includes(ada.workspaceId));
  const steps = await generateUntil({ at: -1, when: "before" });
  expect([steps >= 7, (await reportRows()).length, files().length]).toEqual([true, 1, 1]);
  const deaths = Array.from({ length: steps }, (_, at) =>
    (["before", "after"] as const).map((when) => ({ at, when })),
  ).flat();
  // The last steps write the row, so every run includes them.
  const early = deaths.filter(({ at }) => at < steps - 3);
  const late = deaths.filter(({ at }) => at >= steps - 3);
  for (const { at, when } of [...sample(early, 4), ...late]) {
    await generateUntil({ at, when });
    for (const { id } of await reportRows())
      expect([at, when, files()]).toEqual([
        at,
        when,
        expect.arrayContaining([`reports/${ada.workspaceId}/${id}.csv`]),
      ]);
  }
  // Some processes died between file and row, so there are more files than rows.
  expect(files().length).toBeGreaterThan((await reportRows()).length);
});
