import { existsSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { db } from "../core/platform/db/engine.ts";

/** Linux counts the processor time of processes in ticks of this length. */
const ticksPerSecond = 100;

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

function timeOf(pid: number): number {
  const stat = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  const [, utime = 0, stime = 0] = /\) \S(?: \S+){10} (\d+) (\d+)/.exec(stat) ?? [];
  return ((Number(utime) + Number(stime)) / ticksPerSecond) * 1000;
}
