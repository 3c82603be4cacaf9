import * as Clock from "../../base/clock.ts";
import { db } from "./engine.ts";

/** Returns where the previous run of a job stopped, and an empty string if it reached the end. */
export async function load(job: string): Promise<string> {
  const row = await db()
    .selectFrom("job_cursors")
    .select("position")
    .where("job", "=", job)
    .executeTakeFirst();
  return row?.position ?? "";
}

/** Stores where the next run of a job continues: after `position`, or at the beginning if it is an empty string. */
export async function store(job: string, position: string, now: Date = Clock.now()): Promise<void> {
  if (position === "") return void (await db().deleteFrom("job_cursors").where("job", "=", job).execute());
  await db()
    .insertInto("job_cursors")
    .values({ job, position, updated_at: now })
    .onConflict((conflict) => conflict.column("job").doUpdateSet({ position, updated_at: now }))
    .execute();
}

/** Returns a function that tells whether a part of the time that `remainingMs` returns now is left to use. */
export function withinShare(share: number, remainingMs: () => number): () => boolean {
  const stopAt = remainingMs() * (1 - share);
  return () => remainingMs() >= stopAt;
}
