import { writeSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Context } from "aws-lambda";

/**
 * Runs a bundle in this process: `node invoke.ts <index.mjs>`. Like Lambda's runtime, it loads the bundle and then invokes its
 * handler, with the event from standard input. The result goes to file descriptor 3, because standard output is the log.
 */
const [index = ""] = process.argv.slice(2);
const context = { awsRequestId: "probe", functionName: "probe", getRemainingTimeInMillis: () => 25_000 };

async function outcome(): Promise<object> {
  const loaded = await import(index).catch((error: Error) => ({ startError: error.message }));
  if ("startError" in loaded) return { startError: loaded.startError };
  const event = JSON.parse(await text(process.stdin));
  try {
    return { result: await loaded.handler(event, context as Context) };
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    return { error: { code, message } };
  }
}

writeSync(3, JSON.stringify(await outcome()));
process.exit();
