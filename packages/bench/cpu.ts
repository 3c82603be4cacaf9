import { globSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { db } from "../core/platform/db/engine.ts";

/** The processor time so far in milliseconds, by process id. */
export type CpuTimes = ReadonlyMap<number, number>;

/** Returns the processor time of this process, of `others`, and of each process of the database. Needs Linux. */
export async function cpuTimes(...others: number[]): Promise<CpuTimes> {
  const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity`.execute(db());
  return new Map([process.pid, ...others, ...rows.map(({ pid }) => pid)].map((pid) => [pid, timeOf(pid)]));
}

/** Returns the milliseconds between two results. A process that is new in the second one, such as a connection, started at zero. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

/** Sums the threads. `/proc/<pid>/stat` has the sum, but rounds it down to 10 ms. */
function timeOf(pid: number): number {
  const threads = globSync(`/proc/${pid}/task/*/schedstat`);
  return threads.reduce((ms, file) => ms + Number.parseInt(readFileSync(file, "utf8"), 10) / 1e6, 0);
}
