import { setImmediate as tick } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Call } from "../../functions/http/api.ts";
import { imageUpload } from "../../functions/http/image-upload.ts";
import { type MultipartCase, multipartCases } from "../../functions/testing/multipart-bodies.ts";
import { median } from "./interleaved.ts";

const rounds = 7;
const badBodies = 600;

/** The largest processor time of a body, in milliseconds. */
const maxMs = 50;

type Event = { headers: Record<string, string>; body: string; isBase64Encoded: true };

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Measures the processor time that reading each multipart body of the tests takes, and the memory that is left after many bad
 * ones. Each body is read like an upload, from the base64 of its event to the bytes of the picture. Throws for a wrong result
 * or a body that exceeds the limit.
 */
export async function multipart(): Promise<string> {
  const cases = multipartCases(Buffer.alloc(100_000, 1));
  const measured: { name: string; size: number; ms: number }[] = [];
  for (const one of cases) {
    const event = eventOf(one);
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const before = process.cpuUsage();
      await read(event, one);
      const { user, system } = process.cpuUsage(before);
      if (round > 0) times.push((user + system) / 1000);
    }
    measured.push({ name: one.name, size: event.body.length * 0.75, ms: median(times) });
  }
  const slow = measured.filter(({ ms }) => ms > maxMs);
  if (slow.length > 0)
    throw new Error(`Over ${maxMs} ms of processor: ${slow.map(({ name }) => name).join(", ")}`);
  const expensive = measured.toSorted((a, b) => b.ms - a.ms).slice(0, 6);
  const rows = [
    ...expensive,
    { name: "all others, median", size: Number.NaN, ms: median(measured.map(({ ms }) => ms)) },
  ];
  return [
    `### Reading a multipart body (${cases.length} bodies; at most ${maxMs} ms of processor each)`,
    "",
    "| body | MB | median ms of processor |",
    "|---|---|---|",
    ...rows.map(
      ({ name, size, ms }) =>
        `| ${name} | ${Number.isNaN(size) ? "" : (size / 1e6).toFixed(1)} | ${ms.toFixed(2)} |`,
    ),
    "",
    await memory(cases.filter(({ expected }) => expected === "multipart_malformed")),
    "",
  ].join("\n");
}

/** Returns a sentence about the memory after three runs of bad bodies. The first run is a warm-up. */
async function memory(bad: readonly MultipartCase[]): Promise<string> {
  const heapAfter: number[] = [];
  const residentAfter: number[] = [];
  for (let run = 0; run < 3; run++) {
    for (let at = 0; at < badBodies; at++) {
      const one = bad[at % bad.length];
      if (one) await read(eventOf(one), one);
    }
    // Buffers are freed after the collection that finds them.
    for (let pass = 0; pass < 3; pass++) {
      await tick();
      collectGarbage();
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    heapAfter.push((heapUsed + external) / 2 ** 20);
    residentAfter.push(rss / 2 ** 20);
  }
  const list = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(", ");
  return `Memory after each of three runs of ${badBodies} bad bodies: ${list(heapAfter)} MiB on the heap and in buffers, ${list(residentAfter)} MiB resident.`;
}

function eventOf({ contentType, body }: MultipartCase): Event {
  return {
    headers: { "content-type": contentType },
    body: body().toString("base64"),
    isBase64Encoded: true,
  };
}

async function read(event: Event, { name, expected }: MultipartCase): Promise<void> {
  const outcome = await Promise.resolve(imageUpload().before({ event } as unknown as Call)).then(
    () => "accepted",
    ({ code }: { code?: string }) => code,
  );
  if (outcome !== expected) throw new Error(`${name}: ${outcome} instead of ${expected}`);
}
