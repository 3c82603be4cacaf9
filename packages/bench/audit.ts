import { event, request } from "../../functions/testing/request.ts";
import { handler as createEntry } from "../../functions/v1/time-entries/create.ts";
import { chainAll } from "../core/audit/proof/chain.ts";
import * as Clock from "../core/base/clock.ts";
import * as Config from "../core/platform/config/config.ts";
import { close, connect, postgres } from "../core/platform/db/engine.ts";
import { owner } from "../core/testing/people.ts";
import { connections } from "../local/server.ts";
import { cpuBetween, cpuTimes } from "./cpu.ts";
import { withDatabase } from "./database.ts";
import { median } from "./interleaved.ts";

/** Blocks of each variant, which take about half a second each, and those before, until V8 has compiled everything. */
const blocks = 40;
const warmUpBlocks = 5;

/** Time entries of a block. */
const writes = 300;

/** Minutes between two runs of the job, and entries of a workspace in them: those of a team, by the habits of the bill. */
const minutesPerRun = 30;
const entriesPerRun = 6;

/** Entries that are written at the same time: one after the other, and as many as the local server has connections. */
const concurrencies = [1, connections];

const variants = ["without the job", "with the job", "the job alone"] as const;
type Variant = (typeof variants)[number];

/** Milliseconds for each time entry. `cpuMs` is processor time of this process and the database. */
type Spent = { wallMs: number; cpuMs: number };

type Writer = { token: string; projectId: string };

/**
 * Measures what the chains of audit logs add to writing time entries through their handler, on PostgreSQL. As in production, a
 * run of the job chains what was written since the previous run: here, the entries of the previous block, while as many new
 * ones are written by the same process. Between two blocks, the clock moves by the time between two runs, so that a run reads
 * as many earlier entries again as in production.
 */
export async function audit(): Promise<string> {
  const result = await withDatabase(async (url) => {
    await close();
    connect(postgres(url, connections));
    const writers: Writer[] = [];
    for (let n = 0; n < writes / entriesPerRun; n++) writers.push(await writer());
    const parts: string[] = [];
    for (const concurrency of concurrencies) parts.push(await compare(writers, concurrency));
    return parts.join("\n");
  }).finally(Clock.reset);
  return result ?? "audit: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- audit)\n";
}

async function writer(): Promise<Writer> {
  const { token } = await owner("Ada", "ENTERPRISE");
  const body = { name: "Loom", hourlyRate: "80" };
  const { id: projectId } = (await request("POST /api/v1/projects", { token, body })).body;
  return { token, projectId };
}

async function compare(writers: readonly Writer[], concurrency: number): Promise<string> {
  const spent: Record<Variant, Spent[]> = { "without the job": [], "with the job": [], "the job alone": [] };
  for (let block = -warmUpBlocks; block < blocks; block++) {
    const one = {} as Record<Variant, Spent>;
    for (const isChaining of block % 2 === 0 ? [false, true] : [true, false]) {
      Clock.advance(minutesPerRun * 60);
      // The job chains the entries of the block before, in both variants: those of this block are too new.
      const written = await measure(
        () => write(writers, concurrency),
        () => isChaining && chain(),
      );
      one[isChaining ? "with the job" : "without the job"] = written;
      if (!isChaining) one["the job alone"] = await measure(chain);
    }
    if (block >= 0) for (const variant of variants) spent[variant].push(one[variant]);
  }
  return [
    `### ${writes} time entries, ${concurrency} at a time, while the job chains as many (${blocks} blocks each)`,
    "",
    "| variant | median ms per entry | ratio | ms of processor per entry | ratio |",
    "|---|---|---|---|---|",
    ...variants.map((variant) => {
      const [wall, cpu] = (["wallMs", "cpuMs"] as const).map((figure) => summary(spent, variant, figure));
      return `| ${variant} | ${wall} | ${cpu} |`;
    }),
    "",
  ].join("\n");
}

/** Returns the median of a variant, and of its ratios to the writes without the job in the same blocks, with their quartiles. */
function summary(spent: Record<Variant, Spent[]>, variant: Variant, figure: keyof Spent): string {
  const without = spent["without the job"].map((each) => each[figure]);
  const of = spent[variant].map((each) => each[figure]);
  const ratios = of.map((ms, block) => ms / (without[block] ?? Number.NaN));
  const [low, middle, high] = [1, 2, 3].map((quarter) => quantile(ratios, quarter / 4).toFixed(3));
  const ratio = variant === "without the job" ? "1.000" : `${middle} (${low} to ${high})`;
  return `${median(of).toFixed(2)} | ${ratio}`;
}

function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? Number.NaN;
}

/** Measures `work`, and the processor time of `beside`, which runs at the same time. */
async function measure(work: () => Promise<void>, beside?: () => unknown): Promise<Spent> {
  const before = await cpuTimes();
  const started = performance.now();
  const running = Promise.resolve(beside?.());
  await work();
  const wallMs = performance.now() - started;
  await running;
  return { wallMs: wallMs / writes, cpuMs: cpuBetween(before, await cpuTimes()) / writes };
}

/** Writes a block of time entries. */
async function write(writers: readonly Writer[], concurrency: number): Promise<void> {
  let next = 0;
  const writeSome = async () => {
    while (next < writes) await track(writers[next++ % writers.length] as Writer);
  };
  await Promise.all(Array.from({ length: concurrency }, writeSome));
}

async function track({ token, projectId }: Writer): Promise<void> {
  const endedAt = Clock.now();
  const startedAt = new Date(endedAt.getTime() - 3_600_000);
  const call = await event("POST /api/v1/time-entries", { token, body: { projectId, startedAt, endedAt } });
  const { statusCode } = await createEntry(call, { getRemainingTimeInMillis: () => 30_000 } as never);
  if (statusCode !== 201) throw new Error(`POST /api/v1/time-entries returned ${statusCode}.`);
}

async function chain(): Promise<void> {
  const { failed } = await chainAll(Config.auditKeys());
  if (failed > 0) throw new Error(`${failed} audit logs were not chained.`);
}
