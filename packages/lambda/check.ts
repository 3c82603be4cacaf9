import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installSharp } from "@svc/bundle/sharp";
import { close, connect, postgres } from "@svc/core/platform/db/engine";
import { owner } from "@svc/core/testing/people";
import { secretHeader } from "@svc/functions/http/request-origin";
import { type JobName, jobs } from "@svc/functions/jobs";
import { type RouteKey, requiresSignIn, routes } from "@svc/functions/routes";
import { conforms } from "@svc/functions/testing/conforms";
import { event, form, type RequestOptions } from "@svc/functions/testing/request";
import sharp from "sharp";
import { evaluate, root } from "../../stacks/check/evaluate.ts";
import type { Evaluated } from "../../stacks/check/recorded.ts";
import { component, deployed, type Deployed as Line, variables } from "../../stacks/check/resources.ts";
import { emptyInit, failuresAfterCrash, undetectedFaults } from "./faulty-bundles.ts";
import { type Instance, start } from "./instance.ts";
import { secrets, settings, startLocalServices } from "./local-services.ts";
import { type Checked, report, write } from "./report.ts";
import type { Outcome } from "./runtime-api.ts";
import { triggers } from "./triggers.ts";
import { zippedBytes } from "./zip.ts";

/** The result of a function before it is checked. */
const unchecked: Omit<Checked, "key"> = {
  bundle: "",
  needs: [],
  sharp: false,
  bytes: 0,
  zipBytes: 0,
  initMs: [],
  answers: [],
};

/**
 * `npm run check:lambda`: boots every function of the evaluated stack with AWS's runtime client, from the bundle that would be
 * deployed and with only the environment that its stack defines, and invokes it as AWS would. With `--write` the table is
 * written to packages/bench/RESULTS.md.
 */
const work = await mkdtemp(join(tmpdir(), "svc-lambda-"));
const services = await startLocalServices(work);
try {
  const production = await evaluate("production", { ...settings, ...secrets });
  const staging = await evaluate("staging", {
    ...settings,
    ...secrets,
    SST_SECRET_SmtpUrl: services.smtpUrl,
    SVC_DATABASE: "url",
    SST_SECRET_DatabaseUrl: services.databaseUrl,
  });
  await services.openBucket(staging);
  const emptyMs: number[] = [];
  const checked = await checkAll(production, staging, emptyMs);
  const text = report(checked, emptyMs);
  console.log(text);
  if (process.argv.includes("--write")) await write(text);
  const failed = checked.filter(({ problem }) => problem);
  for (const { key, problem } of failed) console.error(`${key}: ${problem}`);
  const unexpected = [...(await undetectedFaults(work)), ...(await failuresAfterCrash(work))];
  for (const sentence of unexpected) console.error(sentence);
  process.exitCode = failed.length + unexpected.length === 0 ? 0 : 1;
} finally {
  await services.close();
  await rm(work, { recursive: true, force: true });
}
process.exit();

async function checkAll(production: Evaluated, staging: Evaluated, emptyMs: number[]): Promise<Checked[]> {
  const lines = deployed(staging);
  const inProduction = new Map(deployed(production).map((one) => [one.key, one]));
  const checked: Checked[] = [];
  // The migrator runs first, as in a deployment.
  for (const one of lines.toSorted((a, b) => Number(b.line.admin ?? false) - Number(a.line.admin ?? false))) {
    checked.push(await check(one, staging, inProduction.get(one.key), production));
    emptyMs.push(await emptyInit(work));
  }
  const order = [...Object.keys(routes), ...Object.keys(jobs)];
  const missing = order.filter((key) => !checked.some((one) => one.key === key));
  for (const key of missing)
    checked.push({ ...unchecked, key, problem: "The stack has no function for this line." });
  return checked.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
}

async function check(
  one: Line,
  staging: Evaluated,
  inProduction: Line | undefined,
  production: Evaluated,
): Promise<Checked> {
  const { needs, sharp = false } = one.line;
  const found: Checked = { ...unchecked, key: one.key, needs, sharp, initMs: [], answers: [] };
  try {
    found.bundle = staging.bundles[component(one.fn)] ?? "";
    found.bytes = (await stat(join(root, found.bundle, "index.mjs"))).size;
    found.zipBytes = await zippedBytes(join(root, found.bundle));
    const dir = await isolate(found.bundle, sharp);
    // The first boot uses production's settings. Aurora DSQL is not reachable here, so the function only has to start and to
    // reject a caller without a session.
    if (!inProduction) throw new Error("The production stack has no function for this line.");
    await using first = await boot(inProduction, variables(inProduction.fn), dir);
    found.initMs.push(first.initMs);
    if (production.bundles[component(inProduction.fn)] !== found.bundle)
      throw new Error("The stages have different bundles for this line.");
    // The second boot uses the settings of a stage on PostgreSQL, so that the function can handle requests.
    await using second = await boot(one, services.environment(variables(one.fn)), dir);
    found.initMs.push(second.initMs);
    if (one.key in routes) await callRoute(one.key as RouteKey, first, second, found);
    else await callJob(one.key as JobName, one, staging, second, found);
  } catch (error) {
    found.problem = (error as Error).message;
  }
  return found;
}

/** Copies a bundle out of the repository, so that it cannot use its node_modules, and installs sharp for this machine. */
async function isolate(bundle: string, withSharp: boolean): Promise<string> {
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

/** Calls a route without a session, which must be rejected, and as an owner, which must return a documented status below 500. */
async function callRoute(key: RouteKey, first: Instance, second: Instance, found: Checked): Promise<void> {
  const line: { handler: string; sharp?: true } = routes[key];
  const needsToken = requiresSignIn(routes[key].caller);
  const call = async (instance: Instance, ask: RequestOptions) => {
    const headers = { [secretHeader]: secrets.SST_SECRET_OriginSecret };
    const status = checkResponse(key, await instance.invoke(await event(key, { ...ask, headers })), instance);
    found.answers.push(String(status));
    return status;
  };
  const path = Object.fromEntries([...key.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "unknown"]));
  const anonymous = await call(needsToken ? first : second, { body: {}, path });
  if ((anonymous === 401) !== needsToken)
    throw new Error(`A caller without a session gets status ${anonymous}.`);
  if (!needsToken) return;
  const { token, teamId } = await createOwner();
  const ownPath = Object.fromEntries(Object.keys(path).map((name) => [name, teamId]));
  const body = line.sharp ? { form: form(await photo()) } : /^(GET|DELETE) /.test(key) ? {} : { body: {} };
  const status = await call(second, { token, path: ownPath, ...body });
  if (status === 401) throw new Error("The owner gets status 401.");
}

/** Returns the status of a response. Throws if it does not conform to the OpenAPI document or is a server error. */
function checkResponse(key: RouteKey, outcome: Outcome, instance: Instance): number {
  if ("failure" in outcome) throw new Error(`${describeFailure(outcome)}\n${instance.log().slice(-2000)}`);
  const { statusCode, headers, body } = outcome.result as {
    statusCode: number;
    headers: Record<string, string>;
    body?: string;
  };
  const type = headers["content-type"];
  const isJson = /^application\/(?:\w+\+)?json\b/.test(type ?? "");
  conforms(key, statusCode, headers, body && isJson ? JSON.parse(body) : body || undefined);
  if (statusCode >= 500) throw new Error(`The status is ${statusCode}.\n${instance.log().slice(-2000)}`);
  return statusCode;
}

async function callJob(
  name: JobName,
  { fn }: Line,
  staging: Evaluated,
  instance: Instance,
  found: Checked,
): Promise<void> {
  for (const { kind, event, problemWith } of triggers(staging, name, fn)) {
    const outcome = await instance.invoke(event);
    if ("result" in outcome) {
      const problem = problemWith(outcome.result);
      if (problem) throw new Error(`${kind}: ${problem}`);
      found.answers.push(kind);
    } else if (kind === "operator" && !outcome.failure.errorType.startsWith("Runtime.")) {
      // Operators invoke this job with input that the stack does not contain, so rejecting {} is correct.
      found.answers.push(`${kind}: rejects {}`);
    } else throw new Error(`${kind}: ${describeFailure(outcome)}\n${instance.log().slice(-2000)}`);
  }
}

function describeFailure({ failure }: { failure: { errorType: string; errorMessage: string } }): string {
  return `${failure.errorType}: ${failure.errorMessage}`;
}

/** Creates the owner of a workspace for one call, because some calls end the session or delete the team. */
async function createOwner() {
  process.env.TOKEN_KEYS = secrets.SST_SECRET_TokenKeys;
  connect(postgres(services.databaseUrl, 1));
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
