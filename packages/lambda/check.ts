import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installSharp } from "@svc/bundle/sharp";
import { close, connect, postgres } from "@svc/core/platform/db/engine";
import { owner } from "@svc/core/testing/people";
import { type JobName, jobs } from "@svc/functions/jobs";
import { type RouteKey, requiresSignIn, routes } from "@svc/functions/routes";
import { conforms } from "@svc/functions/testing/conforms";
import { type Ask, event, form } from "@svc/functions/testing/request";
import sharp from "sharp";
import { evaluate, root } from "../../stacks/check/evaluate.ts";
import type { Evaluated } from "../../stacks/check/recorded.ts";
import { component, deployed, type Deployed as Line, variables } from "../../stacks/check/rules.ts";
import { type Instance, start } from "./instance.ts";
import { emptyInit, unnoticed } from "./made-up.ts";
import { neighbours, secrets, settings } from "./neighbours.ts";
import { type Checked, report, write } from "./report.ts";
import type { Outcome } from "./runtime-api.ts";
import { triggers } from "./triggers.ts";
import { zippedBytes } from "./zip.ts";

/** What is known of a function before anything is. */
const nothing: Omit<Checked, "key"> = {
  bundle: "",
  needs: [],
  sharp: false,
  bytes: 0,
  zipBytes: 0,
  initMs: [],
  answers: [],
};

/**
 * `npm run check:lambda`: every function of the evaluated stack, in the bundle that the deploy would send, booted by AWS's
 * own runtime client with only the environment that its stack gives it, and called as AWS would call it. With `--write`
 * the table goes into packages/bench/RESULTS.md.
 */
const work = await mkdtemp(join(tmpdir(), "svc-lambda-"));
const around = await neighbours(work);
try {
  const production = await evaluate("production", { ...settings, ...secrets });
  const staging = await evaluate("staging", {
    ...settings,
    ...secrets,
    SST_SECRET_SmtpUrl: around.smtpUrl,
    SVC_DATABASE: "url",
    SST_SECRET_DatabaseUrl: around.databaseUrl,
  });
  await around.openBucket(staging);
  const emptyMs: number[] = [];
  const checked = await checkAll(production, staging, emptyMs);
  const text = report(checked, emptyMs);
  console.log(text);
  if (process.argv.includes("--write")) await write(text);
  const failed = checked.filter(({ problem }) => problem);
  for (const { key, problem } of failed) console.error(`${key}: ${problem}`);
  const passed = await unnoticed(work);
  for (const sentence of passed) console.error(sentence);
  process.exitCode = failed.length + passed.length === 0 ? 0 : 1;
} finally {
  await around.close();
  await rm(work, { recursive: true, force: true });
}
process.exit();

async function checkAll(production: Evaluated, staging: Evaluated, emptyMs: number[]): Promise<Checked[]> {
  const lines = deployed(staging);
  const inProduction = new Map(deployed(production).map((one) => [one.key, one]));
  const checked: Checked[] = [];
  // The migrator first, as in a deploy.
  for (const one of lines.toSorted((a, b) => Number(b.line.admin ?? false) - Number(a.line.admin ?? false))) {
    checked.push(await check(one, staging, inProduction.get(one.key), production));
    emptyMs.push(await emptyInit(work));
  }
  const order = [...Object.keys(routes), ...Object.keys(jobs)];
  const missing = order.filter((key) => !checked.some((one) => one.key === key));
  for (const key of missing) checked.push({ ...nothing, key, problem: "the stack has no function for it" });
  return checked.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
}

async function check(
  one: Line,
  staging: Evaluated,
  inProduction: Line | undefined,
  production: Evaluated,
): Promise<Checked> {
  const { needs, sharp = false } = one.line;
  const found: Checked = { ...nothing, key: one.key, needs, sharp, initMs: [], answers: [] };
  try {
    found.bundle = staging.bundles[component(one.fn)] ?? "";
    found.bytes = (await stat(join(root, found.bundle, "index.mjs"))).size;
    found.zipBytes = await zippedBytes(join(root, found.bundle));
    const dir = await alone(found.bundle, sharp);
    // As it is in production, on Aurora DSQL, which nobody here can reach: it starts, and refuses a stranger.
    if (!inProduction) throw new Error("production has no function for it");
    await using first = await boot(inProduction, variables(inProduction.fn), dir);
    found.initMs.push(first.initMs);
    if (production.bundles[component(inProduction.fn)] !== found.bundle)
      throw new Error("the two stages have different bundles for it");
    // As it is in a stage with a PostgreSQL: it answers.
    await using second = await boot(one, around.environment(variables(one.fn)), dir);
    found.initMs.push(second.initMs);
    if (one.key in routes) await callRoute(one.key as RouteKey, first, second, found);
    else await callJob(one.key as JobName, one, staging, second, found);
  } catch (error) {
    found.problem = (error as Error).message;
  }
  return found;
}

/** A copy of the bundle far from the repository, so that it finds nothing but what lies beside it. sharp is this machine's. */
async function alone(bundle: string, withSharp: boolean): Promise<string> {
  const dir = join(work, bundle);
  await rm(dir, { recursive: true, force: true });
  await cp(join(root, bundle), dir, { recursive: true });
  if (withSharp) {
    await rm(join(dir, "node_modules"), { recursive: true });
    await cp(await installSharp(root), join(dir, "node_modules"), { recursive: true });
  }
  return dir;
}

async function boot({ fn }: Line, environment: Record<string, string>, dir: string) {
  const { name, handler, memorySize, timeout } = fn.inputs;
  const instance = await start(
    { name, arn: fn.outputs.arn, handler, memoryMb: memorySize, timeoutSeconds: timeout, environment },
    dir,
  );
  return { ...instance, [Symbol.asyncDispose]: instance.stop };
}

/** A stranger is refused with the documented answer, and an owner gets a documented one that is no failure of ours. */
async function callRoute(key: RouteKey, first: Instance, second: Instance, found: Checked): Promise<void> {
  const line: { handler: string; sharp?: true } = routes[key];
  const needsToken = requiresSignIn(routes[key].caller);
  const call = async (instance: Instance, ask: Ask) => {
    const status = answered(key, await instance.invoke(await event(key, ask)), instance);
    found.answers.push(String(status));
    return status;
  };
  const path = Object.fromEntries([...key.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "nobodys"]));
  const stranger = await call(needsToken ? first : second, { body: {}, path });
  if ((stranger === 401) !== needsToken) throw new Error(`a stranger is answered ${stranger}`);
  if (!needsToken) return;
  const { token, teamId } = await somebody();
  const own = Object.fromEntries(Object.keys(path).map((name) => [name, teamId]));
  const body = line.sharp ? { form: form(await photo()) } : /^(GET|DELETE) /.test(key) ? {} : { body: {} };
  const status = await call(second, { token, path: own, ...body });
  if (status === 401) throw new Error("its owner is refused");
}

/** The status, of an answer that the OpenAPI document knows and that is no failure of ours. */
function answered(key: RouteKey, outcome: Outcome, instance: Instance): number {
  if ("failure" in outcome) throw new Error(`${said(outcome)}\n${instance.log().slice(-2000)}`);
  const { statusCode, headers, body } = outcome.result as {
    statusCode: number;
    headers: Record<string, string>;
    body?: string;
  };
  const type = headers["content-type"];
  const isJson = /^application\/(?:\w+\+)?json\b/.test(type ?? "");
  conforms(key, statusCode, type, body && isJson ? JSON.parse(body) : body || undefined);
  if (statusCode >= 500) throw new Error(`it answers ${statusCode}\n${instance.log().slice(-2000)}`);
  return statusCode;
}

async function callJob(
  name: JobName,
  { fn }: Line,
  staging: Evaluated,
  instance: Instance,
  found: Checked,
): Promise<void> {
  for (const { kind, event, complaint } of triggers(staging, name, fn)) {
    const outcome = await instance.invoke(event);
    if ("result" in outcome) {
      const problem = complaint(outcome.result);
      if (problem) throw new Error(`${kind}: ${problem}`);
      found.answers.push(kind);
    } else if (kind === "hand" && !outcome.failure.errorType.startsWith("Runtime.")) {
      // What an operator has to say is not in the stack: that it refuses to do nothing in particular is an answer.
      found.answers.push(`${kind}: refuses {}`);
    } else throw new Error(`${kind}: ${said(outcome)}\n${instance.log().slice(-2000)}`);
  }
}

function said({ failure }: { failure: { errorType: string; errorMessage: string } }): string {
  return `${failure.errorType}: ${failure.errorMessage}`;
}

/** The owner of a workspace of their own, for one call: some calls end the session, or the team. */
async function somebody() {
  process.env.TOKEN_KEYS = secrets.SST_SECRET_TokenKeys;
  connect(postgres(around.databaseUrl, 1));
  try {
    return await owner("Ada", "ENTERPRISE");
  } finally {
    await close();
  }
}

async function photo(): Promise<Buffer> {
  return sharp({ create: { width: 500, height: 300, channels: 3, background: "#c33" } })
    .jpeg()
    .toBuffer();
}
