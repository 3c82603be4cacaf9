import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Permits, Use } from "../../packages/local/grants.ts";
import { evaluate, root } from "./evaluate.ts";
import { permitsOf, type Right, rightsOf } from "./permits.ts";
import { secrets, settings } from "./settings.ts";

/**
 * `npm run check:permissions` runs the journeys with every function limited to the permissions that the evaluated stacks
 * give it. Fails when a function lacks a permission, when no journey uses a permission, and when no test fails after one of
 * ten random permissions is revoked. `SEED=…` picks the same ten again.
 */
const revocations = 10;
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
    console.log(
      refusals(suite.uses).join("\n") || "No permission was denied: a journey fails for another reason.",
    );
    return false;
  }
  const unused = rights.filter((right) => !suite.uses.some((use) => is(use, right, "used")));
  for (const { holder, what } of unused) console.log(`${holder}: no journey uses ${what}`);
  console.log(`The journeys use ${rights.length - unused.length} of ${rights.length} permissions.`);

  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`Revoking ${revocations} random permissions, one at a time (SEED=${seed}).`);
  let undetected = 0;
  const queue = sample(rights, revocations, seed);
  const worker = async () => {
    for (let right = queue.pop(); right; right = queue.pop()) {
      const detected = await isDetected(permits, right);
      if (!detected) undetected++;
      console.log(`${detected ? "detected" : "NOT DETECTED"}: ${right.holder}, ${right.what}`);
    }
  };
  await Promise.all([worker(), worker()]);
  return unused.length === 0 && undetected === 0;
}

/** Whether a journey fails without this permission, because the permission is denied. */
async function isDetected(permits: Permits, right: Right): Promise<boolean> {
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

/** Runs test files with these permits, and returns the recorded uses. */
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
    .map(({ holder, what }) => `${holder} is denied ${what}`);
}

/** Picks `count` random items. The same seed picks the same items (mulberry32, then a Fisher–Yates shuffle). */
function sample<T>(list: readonly T[], count: number, seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const rest = [...list];
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [one] = rest.splice(Math.floor(random() * rest.length), 1);
    return one as T;
  });
}
