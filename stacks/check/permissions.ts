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
/** The journeys that call functions in this process. The others start servers and kill them. */
const journeys = [
  everyFunction,
  ...["pictures", "webauthn", "webhooks"].map((name) => `packages/local/journeys/${name}.test.ts`),
];

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
  const suite = await run(permits, journeys);
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
  console.log(`Revoking ${revocations} random permissions (SEED=${seed}).`);
  let undetected = 0;
  for (const batch of batches(permits, sample(rights, revocations, seed)))
    for (const { right, detected } of await revoke(permits, batch)) {
      if (!detected) undetected++;
      console.log(`${detected ? "detected" : "NOT DETECTED"}: ${right.holder}, ${right.what}`);
    }
  return unused.length === 0 && undetected === 0;
}

/** Splits rights into batches that one run can revoke: each function has its own test, but every test needs the users. */
function batches({ functions }: Permits, rights: readonly Right[]): Right[][] {
  const list: Right[][] = [];
  for (const right of rights) {
    const fits = (batch: Right[]) =>
      batch.every(({ holder }) => holder in functions && holder !== right.holder);
    const batch = right.holder in functions ? list.find(fits) : undefined;
    if (batch) batch.push(right);
    else list.push([right]);
  }
  return list;
}

/** Tells for each right whether its holder's test fails without it, because the permission is denied. */
async function revoke(permits: Permits, rights: readonly Right[]) {
  const names = rights
    .filter(({ holder }) => holder in permits.functions)
    .map(({ holder }) => holder.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const { failed, uses } = await run(
    rights.reduce((left, right) => right.without(left), structuredClone(permits)),
    [everyFunction, ...(names.length > 0 ? ["-t", `^(job )?(${names.join("|")})( .*)?$`] : [])],
  );
  return rights.map((right) => {
    const action = right.what.split(" on ")[0] ?? "";
    const isFunction = right.holder in permits.functions;
    const noticed = failed.some(
      (name) => !isFunction || name.replace(/^job /, "").startsWith(`${right.holder} `),
    );
    const denied = uses.some(
      ({ outcome, holder, what }) =>
        outcome === "refused" && holder === right.holder && what.startsWith(action),
    );
    return { right, detected: noticed && denied };
  });
}

/** Runs test files with these permits, and returns the recorded uses and the names of the failed tests. */
async function run(permits: Permits, args: readonly string[]) {
  const file = join(work, `permits-${++runs}.json`);
  writeFileSync(file, JSON.stringify(permits));
  const report = join(work, `report-${runs}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const child = spawn("vitest", ["run", "--project", "database", ...reporters, ...args], {
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
  const results: { testResults: { assertionResults: { status: string; fullName: string }[] }[] } = existsSync(
    report,
  )
    ? JSON.parse(readFileSync(report, "utf8"))
    : { testResults: [] };
  const failed = results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName }) => fullName);
  return { passed: code === 0, output: out + err, uses, failed };
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
