import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Deployed, start } from "./instance.ts";

const fn: Deployed = {
  name: "faulty",
  arn: "arn:aws:lambda:eu-central-1:111111111111:function:faulty",
  handler: "index.handler",
  memoryMb: 512,
  timeoutSeconds: 5,
  environment: {},
};

/** Faulty bundles that must not pass, with the expected errors. */
const faults: Record<string, { source: string; error: RegExp }> = {
  "an import of a missing package": {
    source: 'import "sharp"; export const handler = async () => ({});',
    error: /Cannot find package 'sharp'/,
  },
  "a variable that the stack does not define": {
    source:
      'if (!process.env.APP_URL) throw new Error("APP_URL must be set."); export const handler = () => {};',
    error: /APP_URL must be set/,
  },
  "a handler with a wrong name": {
    source: "export const main = async () => ({});",
    error: /HandlerNotFound/,
  },
  "a handler with a callback, which the Node 24 runtime does not support": {
    source: "export const handler = (event, context, callback) => callback(null, {});",
    error: /callback/i,
  },
  "a process that exits": { source: "process.exit(3);", error: /The process exited \(3\)/ },
  "a handler that throws": {
    source: 'export const handler = async () => { throw new TypeError("no good"); };',
    error: /^TypeError: no good$/,
  },
};

/** Boots the faulty bundles and returns a sentence for each whose fault was not detected. */
export async function undetectedFaults(work: string): Promise<string[]> {
  const found: string[] = [];
  for (const [at, [what, { source, error }]] of Object.entries(faults).entries()) {
    const dir = join(work, `fault-${at}`);
    await mkdir(dir);
    await writeFile(join(dir, "index.mjs"), source);
    const outcome = await outcomeOf(dir, {});
    if (!error.test(outcome)) found.push(`Not detected: ${what}. The outcome was: ${outcome}`);
  }
  return found;
}

/**
 * Checks that an error that nothing catches ends one instance only: the call fails, and the next one, for which AWS starts
 * another instance, succeeds. Returns a sentence for each violation.
 */
export async function failuresAfterCrash(work: string): Promise<string[]> {
  const dir = join(work, "crash");
  await mkdir(dir);
  await writeFile(
    join(dir, "index.mjs"),
    `import { EventEmitter } from "node:events";
    const crash = () => process.nextTick(() => new EventEmitter().emit("error", new Error("no listener")));
    export const handler = async ({ fail }) => (fail ? new Promise(crash) : "works");`,
  );
  const crashed = await outcomeOf(dir, { fail: true });
  const next = await outcomeOf(dir, {});
  return [
    ...(/no listener/.test(crashed)
      ? []
      : [`A call with an uncaught error did not fail with it: ${crashed}`]),
    ...(next === '"works"' ? [] : [`The call after an uncaught error failed: ${next}`]),
  ];
}

/** Returns the init duration of an empty function in milliseconds. */
export async function emptyInit(work: string): Promise<number> {
  const dir = join(work, "empty");
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "index.mjs"), "export const handler = async () => ({});");
  const instance = await start(fn, dir);
  await instance.stop();
  return instance.initMs;
}

/** Calls a function in a new instance. Returns its result as JSON, or the error. */
async function outcomeOf(dir: string, event: unknown): Promise<string> {
  try {
    const instance = await start(fn, dir);
    try {
      const outcome = await instance.invoke(event);
      if ("failure" in outcome) return `${outcome.failure.errorType}: ${outcome.failure.errorMessage}`;
      return JSON.stringify(outcome.result) ?? "";
    } finally {
      await instance.stop();
    }
  } catch (error) {
    return (error as Error).message;
  }
}
