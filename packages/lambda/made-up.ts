import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Deployed, start } from "./instance.ts";

const fn: Deployed = {
  name: "made-up",
  arn: "arn:aws:lambda:eu-central-1:111111111111:function:made-up",
  handler: "index.handler",
  memoryMb: 512,
  timeoutSeconds: 5,
  environment: {},
};

/** Bundles that must not pass, and the words that say why. */
const mistakes: Record<string, { source: string; says: RegExp }> = {
  "a package that nobody put beside it": {
    source: 'import "sharp"; export const handler = async () => ({});',
    says: /Cannot find package 'sharp'/,
  },
  "a configuration that the stack does not give": {
    source:
      'if (!process.env.APP_URL) throw new Error("APP_URL must be set."); export const handler = () => {};',
    says: /APP_URL must be set/,
  },
  "a handler of another name": { source: "export const main = async () => ({});", says: /HandlerNotFound/ },
  "a handler with a callback, which Node 24 does not know any more": {
    source: "export const handler = (event, context, callback) => callback(null, {});",
    says: /callback/i,
  },
  "a process that ends": { source: "process.exit(3);", says: /the process ended \(3\)/ },
  "a handler that throws": {
    source: 'export const handler = async () => { throw new TypeError("no good"); };',
    says: /^TypeError: no good$/,
  },
};

/** Which of the planted mistakes nobody noticed: a sentence each. A check that cannot fail says nothing. */
export async function unnoticed(work: string): Promise<string[]> {
  const found: string[] = [];
  for (const [at, [what, { source, says }]] of Object.entries(mistakes).entries()) {
    const dir = join(work, `mistake-${at}`);
    await mkdir(dir);
    await writeFile(join(dir, "index.mjs"), source);
    const said = await complaint(dir);
    if (!says.test(said)) found.push(`Nobody noticed ${what}: ${said || "it answered"}`);
  }
  return found;
}

/** How long a function takes to init that does nothing at all, in milliseconds. */
export async function emptyInit(work: string): Promise<number> {
  const dir = join(work, "empty");
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "index.mjs"), "export const handler = async () => ({});");
  const instance = await start(fn, dir);
  await instance.stop();
  return instance.initMs;
}

async function complaint(dir: string): Promise<string> {
  try {
    const instance = await start(fn, dir);
    try {
      const outcome = await instance.invoke({});
      return "failure" in outcome ? `${outcome.failure.errorType}: ${outcome.failure.errorMessage}` : "";
    } finally {
      await instance.stop();
    }
  } catch (error) {
    return (error as Error).message;
  }
}
