import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Permits, Use } from "../../packages/local/granted.ts";
import { evaluate, root } from "./evaluate.ts";
import { permitsOf, type Right, rightsOf } from "./permits.ts";
import { secrets, settings } from "./settings.ts";

/**
 * `npm run check:permissions`: the journeys, with every function held to the rights that the evaluated stacks give it. Fails
 * when one is refused, when a right is used by no journey, and when one of ten rights, drawn by lot, can be taken away
 * without a test that notices. `SEED=…` draws the same ten again.
 */
const removals = 10;
const everyFunction = "packages/local/journeys/every-function.test.ts";

const work = await mkdtemp(join(tmpdir(), "svc-permissions-"));
let runs = 0;
try {
  process.exitCode = (await check()) ? 0 : 1;
} finally {
  await rm(work, { recursive: true, force: true });
}

async function check(): Promise<boolean> {
  const permits = permitsOf(await evaluate("production", { ...settings, ...secrets }));
  const rights = rightsOf(permits);
  const suite = await run(permits, ["packages/local/journeys"]);
  if (!suite.passed) {
    console.log(suite.output);
    console.log(refusals(suite.uses).join("\n") || "No right was refused: a journey fails by itself.");
    return false;
  }
  const unused = rights.filter((right) => !suite.uses.some((use) => is(use, right, "used")));
  for (const { holder, what } of unused) console.log(`${holder}: no journey uses ${what}`);
  console.log(`${rights.length} rights, ${rights.length - unused.length} of them used by the journeys`);

  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${removals} of them taken away, each on its own; drawn with SEED=${seed}`);
  let unnoticed = 0;
  const pot = drawn(rights, removals, seed);
  const hand = async () => {
    for (let right = pot.pop(); right; right = pot.pop()) {
      const noticed = await isMissed(permits, right);
      if (!noticed) unnoticed++;
      console.log(`${noticed ? "missed" : "NOT MISSED"}: ${right.holder}, ${right.what}`);
    }
  };
  await Promise.all([hand(), hand()]);
  return unused.length === 0 && unnoticed === 0;
}

/** Whether a journey fails without this right, and because of it. */
async function isMissed(permits: Permits, right: Right): Promise<boolean> {
  const isFunction = right.holder in permits.functions;
  const name = `^${right.holder.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}( .*)?$`;
  const { passed, uses } = await run(right.without(structuredClone(permits)), [
    everyFunction,
    ...(isFunction ? ["-t", name] : []),
  ]);
  const action = right.what.split(" on ")[0] ?? "";
  return (
    !passed &&
    uses.some(
      ({ outcome, holder, what }) =>
        outcome === "refused" && holder === right.holder && what.startsWith(action),
    )
  );
}

/** Run these journeys with these permits. */
async function run(permits: Permits, args: readonly string[]) {
  const file = join(work, `permits-${++runs}.json`);
  writeFileSync(file, JSON.stringify(permits));
  const child = spawn("vitest", ["run", "--project", "database", ...args], {
    cwd: root,
    env: { ...process.env, SVC_PERMITS: file },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  const record = existsSync(`${file}.record`) ? readFileSync(`${file}.record`, "utf8") : "";
  const uses = record
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Use);
  return { passed: code === 0, output: out + err, uses };
}

function is(use: Use, { holder, what }: Right, outcome: Use["outcome"]): boolean {
  return use.outcome === outcome && use.holder === holder && use.what === what;
}

function refusals(uses: readonly Use[]): string[] {
  return uses
    .filter(({ outcome }) => outcome === "refused")
    .map(({ holder, what }) => `${holder} is refused ${what}`);
}

/** So many of the list, by lot: the same ones for the same seed (mulberry32, then Fisher and Yates). */
function drawn<T>(list: readonly T[], count: number, seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pot = [...list];
  return Array.from({ length: Math.min(count, pot.length) }, () => {
    const [one] = pot.splice(Math.floor(random() * pot.length), 1);
    return one as T;
  });
}
