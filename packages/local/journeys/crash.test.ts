import { batchRows, chainAll } from "@svc/core/audit/proof/chain";
import { checkAll } from "@svc/core/audit/proof/check";
import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import * as ObjectKey from "@svc/core/avatar/object-key";
import * as Avatar from "@svc/core/avatar/resolve";
import * as Sweep from "@svc/core/avatar/sweep";
import { upload } from "@svc/core/avatar/upload";
import { newId } from "@svc/core/base/id";
import * as Config from "@svc/core/platform/config/config";
import { db } from "@svc/core/platform/db/engine";
import { unlimited } from "@svc/core/testing/dsql";
import { owner, person } from "@svc/core/testing/people";
import { sample } from "@svc/core/testing/sample";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBucket, type TestBucket } from "../testing/bucket.ts";
import type { Task } from "../testing/crash-child.ts";
import { type Death, runKilled } from "../testing/killed.ts";

/** Number of kills in a long run. Other runs only sample them. */
const kills = 100;

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

/** Returns the keys that a user's answers are signed for: those of the large object and of the small one. */
async function shownKeys(id: string): Promise<string[]> {
  const row = await db()
    .selectFrom("users")
    .select(Avatar.columns)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { avatar, avatarSmall } = Avatar.resolve(row);
  return [avatar, avatarSmall]
    .filter(Boolean)
    .map((url) => new URL(url).pathname.replace("/svc-avatars/", ""));
}

/** Sweeps as if it were an hour later. The clock stays, since the killed processes have the real time. */
const sweepLater = () =>
  Sweep.sweep({}, { requestId: "sweep", remainingMs: () => 900_000 }, new Date(Date.now() + 3_601_000));

const isStored = (key: string) => bucket.avatars().includes(key);

test("a process killed at any step of an upload or removal loses no avatar, and the sweep deletes all orphans", {
  timeout: 480_000,
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
  // The requests to the bucket (two puts and a bulk deletion, or two deletions) and the statements.
  expect(last.upload).toBeGreaterThanOrEqual(9);
  expect(last.remove).toBeGreaterThanOrEqual(6);
  for (let n = 0; plan.length < kills; n++)
    for (const operation of ["upload", "remove"] as const)
      for (const when of ["before", "after"] as const)
        if (plan.length < kills) plan.push({ operation, death: { at: n % last[operation], when } });

  for (const [at, { operation, death }] of sample(plan, 12).entries()) {
    // The sweep refuses to clear more than 20 avatars at once.
    if (at % 20 === 19) await sweepLater();
    const { id } = await person();
    people.push(id);
    await upload({ userId: id, sessionId: "s", ip: "", userAgent: "", requestId: "r" }, picture);
    if (operation === "remove") removed.add(id);
    const steps = await runWithBucket({ operation, userId: id }, death);
    expect(steps).toBeGreaterThan(death.at);
    if (operation === "upload") {
      const shown = await shownKeys(id);
      expect([death, shown.length, shown.filter((key) => !isStored(key))]).toEqual([death, 2, []]);
      expect(shown[1]).toBe(ObjectKey.small(shown[0] ?? ""));
    }
  }

  await sweepLater();
  const shown = await Promise.all(people.map(shownKeys));
  // No orphan is left of either size, and a removal that died after the large object is completed.
  const stored = bucket.avatars().filter((key) => people.some((id) => key.includes(`/${id}/`)));
  expect(stored).toEqual(shown.flat().sort());
  for (const [at, id] of people.entries()) if (!removed.has(id)) expect(shown[at]).toHaveLength(2);
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

test("a process killed at any step of chaining audit logs adds no entry twice, and the next run completes the chains", {
  timeout: 480_000,
}, async () => {
  const keys = Config.auditKeys();
  /** Inserts old entries of two workspaces, which take two batches. */
  const insertEvents = async () => {
    const workspaceIds = [newId("wsp"), newId("wsp")] as const;
    const at = new Date(Date.now() - 86_400_000);
    const event = {
      action: "project.updated",
      at,
      actor_type: "user",
      actor_id: "usr_a",
      target_type: "project",
      target_id: "prj_a",
      target_name: "Loom",
      request_id: "r",
      outcome: "success",
      changes: "{}",
    };
    const rows = Array.from({ length: batchRows + 3 }, (_, n) => ({
      ...event,
      id: newId("evt", at),
      workspace_id: workspaceIds[n % 5 === 0 ? 0 : 1],
    }));
    await unlimited(() => db().insertInto("events").values(rows).execute());
    return workspaceIds;
  };
  /** Chains what is left, and asserts that each entry is in its chain once. */
  const assertComplete = async (workspaceIds: readonly string[], death?: Death) => {
    for (const workspaceId of workspaceIds)
      expect([death, (await checkAll(keys, { workspaceId })).problems]).toEqual([death, 0]);
    expect(await chainAll(keys)).toMatchObject({ failed: 0, finished: true });
    for (const workspaceId of workspaceIds) {
      expect([death, (await checkAll(keys, { workspaceId })).problems]).toEqual([death, 0]);
      const { entries } = await db()
        .selectFrom("events")
        .select(({ fn }) => fn.countAll().as("entries"))
        .where("workspace_id", "=", workspaceId)
        .executeTakeFirstOrThrow();
      const links = await db()
        .selectFrom("audit_links")
        .select(({ fn }) => [
          fn.countAll().as("links"),
          fn.count("event_id").distinct().as("entries"),
          fn.max("sequence").as("last"),
        ])
        .where("workspace_id", "=", workspaceId)
        .executeTakeFirstOrThrow();
      expect([death, links]).toEqual([death, { links: entries, entries, last: entries }]);
      expect((await Checkpoint.latest(db(), workspaceId))?.sequence).toBe(Number(entries));
    }
  };

  await chainAll(keys);
  let workspaceIds = await insertEvents();
  const steps = await runKilled({ operation: "chain" }, { at: -1, when: "before" }, () => () => {});
  await assertComplete(workspaceIds);
  expect(steps).toBeGreaterThanOrEqual(16);
  const deaths = Array.from({ length: steps }, (_, at) =>
    (["before", "after"] as const).map((when) => ({ at, when })),
  ).flat();
  for (const death of sample(deaths, 4)) {
    workspaceIds = await insertEvents();
    expect(await runKilled({ operation: "chain" }, death, () => () => {})).toBeGreaterThan(death.at);
    await assertComplete(workspaceIds, death);
  }
});
