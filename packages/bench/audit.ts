import { event, request } from "../../functions/testing/request.ts";
import { handler as createEntry } from "../../functions/v1/time-entries/create.ts";
import { chainAll } from "../core/audit/proof/chain.ts";
import { settledMinutes } from "../core/event/columns.ts";
import * as Config from "../core/platform/config/config.ts";
import { close, connect, postgres } from "../core/platform/db/engine.ts";
import { owner } from "../core/testing/people.ts";
import { connections } from "../local/server.ts";
import { cpuBetween, cpuTimes } from "./cpu.ts";
import { withDatabase } from "./database.ts";
import { median } from "./interleaved.ts";

/** Blocks of each variant, which take about half a second each. */
const blocks = 40;

/** Time entries of a block. */
const writes = 300;

/** Entries of a workspace between two runs of the job: those of a team in a quarter of an hour, by the habits of the bill. */
const entriesPerRun = 3;

/** Entries that are written at the same time: one after the other, and as many as the local server has connections. */
const concurrencies = [1, connections];

/** The job chains the entries of the previous block. */
const variants = [
  { name: "without the job", isChaining: false },
  { name: "with the job", isChaining: true },
];

/** Milliseconds for each time entry. `cpuMs` is processor time of this process and the database. */
type Spent = { wallMs: number; cpuMs: number };

type Writer = { token: string; projectId: string };

/**
 * Measures what the chains of audit logs add to writing time entries through their handler, on PostgreSQL. As in production, a
 * run of the job chains what was written since the previous run: here, the entries of the previous block, while as many new
 * ones are written by the same process.
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
  });
  return result ?? "audit: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- audit)\n";
}

async function writer(): Promise<Writer> {
  const { token } = await owner("Ada", "ENTERPRISE");
  const body = { name: "Loom", hourlyRate: "80" };
  const { id: projectId } = (await request("POST /api/v1/projects", { token, body })).body;
  return { token, projectId };
}

async function compare(writers: readonly Writer[], concurrency: number): Promise<string> {
  const spent = variants.map((): Spent[] => []);
  for (let block = 0; block <= blocks; block++)
    for (const at of inTurn(block)) {
      const { isChaining = false } = variants[at] ?? {};
      const started = new Date();
      const each = await measure(writers, concurrency, () => isChaining && chainBefore(started));
      if (block > 0) spent[at]?.push(each);
      // Leaves the entries of this block to the next one, whatever the variant.
      await chainBefore(started);
    }
  return [
    `### ${writes} time entries, ${concurrency} at a time, while the job chains as many (${blocks} blocks each)`,
    "",
    "| variant | median ms per entry | ratio | ms of processor per entry | ratio |",
    "|---|---|---|---|---|",
    ...variants.map(({ name }, at) => {
      const [wall, wallRatio] = summary(spent, at, "wallMs");
      const [cpu, cpuRatio] = summary(spent, at, "cpuMs");
      return `| ${name} | ${wall} | ${wallRatio} | ${cpu} | ${cpuRatio} |`;
    }),
    "",
  ].join("\n");
}

/** Returns the order of the variants in a block: each comes first and last equally often. */
function inTurn(block: number): number[] {
  return variants.map((_, at) => (at + block) % variants.length);
}

/** Returns the median of a variant, and of its ratios to the first variant's blocks, with their quartiles. */
function summary(spent: readonly Spent[][], at: number, figure: keyof Spent): [string, string] {
  const of = (index: number) => spent[index]?.map((each) => each[figure]) ?? [];
  const first = of(0);
  const ratios = of(at).map((ms, block) => ms / (first[block] ?? Number.NaN));
  const [low, middle, high] = [1, 2, 3].map((quarter) => quantile(ratios, quarter / 4).toFixed(3));
  return [median(of(at)).toFixed(2), at === 0 ? "1.000" : `${middle} (${low} to ${high})`];
}

function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? Number.NaN;
}

/** Writes a block of time entries while `beside` runs. */
async function measure(
  writers: readonly Writer[],
  concurrency: number,
  beside: () => unknown,
): Promise<Spent> {
  const before = await cpuTimes();
  const started = performance.now();
  const running = Promise.resolve(beside());
  let next = 0;
  const write = async () => {
    while (next < writes) await track(writers[next++ % writers.length] as Writer);
  };
  await Promise.all(Array.from({ length: concurrency }, write));
  const wallMs = performance.now() - started;
  await running;
  return { wallMs: wallMs / writes, cpuMs: cpuBetween(before, await cpuTimes()) / writes };
}

async function track({ token, projectId }: Writer): Promise<void> {
  const endedAt = new Date();
  const startedAt = new Date(endedAt.getTime() - 3_600_000);
  const call = await event("POST /api/v1/time-entries", { token, body: { projectId, startedAt, endedAt } });
  const { statusCode } = await createEntry(call, { getRemainingTimeInMillis: () => 30_000 } as never);
  if (statusCode !== 201) throw new Error(`POST /api/v1/time-entries returned ${statusCode}.`);
}

/** Runs the job for the entries that were written before `at`, as if they had settled. */
async function chainBefore(at: Date): Promise<void> {
  const { failed } = await chainAll(
    Config.auditKeys(),
    () => true,
    new Date(at.getTime() + settledMinutes * 60_000),
  );
  if (failed > 0) throw new Error(`${failed} audit logs were not chained.`);
}
