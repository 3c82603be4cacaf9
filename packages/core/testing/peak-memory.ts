import { existsSync, readFileSync } from "node:fs";

const status = "/proc/self/status";

/**
 * Returns the largest resident memory of this process so far, in MiB. On Linux it reads VmHWM, because the maxRSS of a child
 * process also counts what its parent held before the fork.
 */
export function peakMemoryMiB(): number {
  const kiB = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8"))?.[1] : undefined;
  return (kiB === undefined ? process.resourceUsage().maxRSS : Number(kiB)) / 1024;
}
