import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { monthOf } from "../../base/day-bounds.ts";
import { db } from "../../platform/db/engine.ts";
import * as JobCursor from "../../platform/db/job-cursor.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import * as Sums from "../amounts/sums.ts";
import type * as Project from "../projects/project.ts";

const job = "check-sums";

/** `again` starts with the first project even if every project was checked today. */
export const Input = z.object({ again: z.optional(z.boolean()) });
export type Input = z.infer<typeof Input>;

/** Projects that a run reads at once. A run that is killed repeats at most these. */
const pageSize = 200;

/** Sums that one transaction corrects. Aurora DSQL limits a transaction to about 3,000 written rows. */
const correctedAtOnce = 1000;

/**
 * `completed` projects had incomplete sums before the run. `corrected` counts the wrong sums of other projects. `finished` is
 * false if the time ran out; the next run continues after the last project that was checked.
 */
export type Run = {
  projects: number;
  completed: number;
  corrected: number;
  failed: number;
  finished: boolean;
};

/** Before every entry. */
const firstDay = "1970-01-01";

type Checked = Pick<Project.Row, "id" | "sums_complete_at">;

/**
 * Compares the sums of every project with its entries, corrects them, and marks them as complete. A difference in complete
 * sums is logged as an error. A project that fails is logged and does not stop the others. Stops when `hasTime` returns
 * false. A run after the one that finished does nothing until the next day.
 */
export async function checkAll(
  { again = false }: Input,
  hasTime: () => boolean = () => true,
  now: Date = Clock.now(),
): Promise<Run> {
  const run: Run = { projects: 0, completed: 0, corrected: 0, failed: 0, finished: false };
  const today = Sums.dayOf(now);
  let after = await start(today, again);
  run.finished = after === today;
  while (!run.finished && hasTime()) {
    const projects = await projectsAfter(after);
    run.finished = projects.length < pageSize;
    for (const project of projects) {
      if (!hasTime()) {
        run.finished = false;
        break;
      }
      await checkProject(run, project, now);
      after = project.id;
    }
    await JobCursor.store(job, run.finished ? today : after, now);
  }
  return run;
}

/** Returns the project after which the run begins, or today if every project was checked today. */
async function start(today: string, again: boolean): Promise<string> {
  const position = await JobCursor.load(job);
  const finishedOn = /^\d{4}-\d{2}-\d{2}$/.test(position) ? position : undefined;
  if (finishedOn === today && !again) return today;
  return finishedOn ? "" : position;
}

function projectsAfter(id: string): Promise<Checked[]> {
  return db()
    .selectFrom("projects")
    .select(["id", "sums_complete_at"])
    .where("id", ">", id)
    .orderBy("id")
    .limit(pageSize)
    .execute();
}

/** Checks the months of one project, and counts the result in `run`. */
async function checkProject(run: Run, project: Checked, now: Date): Promise<void> {
  run.projects++;
  try {
    let wrong = 0;
    for (let month = await monthFrom(project.id, firstDay); month; ) {
      const { next } = monthOf(month);
      wrong += await checkMonth(project.id, month, next);
      month = await monthFrom(project.id, next);
    }
    if (!project.sums_complete_at) {
      await db()
        .updateTable("projects")
        .set({ sums_complete_at: now })
        .where("id", "=", project.id)
        .execute();
      run.completed++;
    } else if (wrong > 0) {
      log.error("project sums corrected", { projectId: project.id, wrong });
      run.corrected += wrong;
    }
  } catch (error) {
    run.failed++;
    log.error("project sums not checked", { projectId: project.id, error: error as Error });
  }
}

/** Returns the first day of the first month, not before `from`, in which a project has entries or sums. */
async function monthFrom(projectId: string, from: string): Promise<string | undefined> {
  const entry = await db()
    .selectFrom("time_entries")
    .select("started_at")
    .where("project_id", "=", projectId)
    .where("started_at", ">=", new Date(from))
    .orderBy("started_at")
    .limit(1)
    .executeTakeFirst();
  const sum = await db()
    .selectFrom("project_sums")
    .select("starts_on")
    .where("project_id", "=", projectId)
    .where("starts_on", ">=", from)
    .orderBy("starts_on")
    .limit(1)
    .executeTakeFirst();
  const [day] = [...(entry ? [Sums.dayOf(entry.started_at)] : []), ...(sum ? [sum.starts_on] : [])].sort();
  return day && monthOf(day).first;
}

/** Corrects the sums of a project in one month, in several transactions if many are wrong. Returns how many were. */
async function checkMonth(projectId: string, first: string, next: string): Promise<number> {
  for (let total = 0; ; ) {
    const corrected = await transaction(async (tx) => {
      const missing = await Sums.missing(tx, projectId, first, next);
      const batch = missing.slice(0, correctedAtOnce);
      await Sums.add(tx, batch);
      return batch.length;
    });
    total += corrected;
    if (corrected < correctedAtOnce) return total;
  }
}
