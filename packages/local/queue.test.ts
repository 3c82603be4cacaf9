import { log } from "@svc/core/platform/log/log";
import { beforeEach, expect, test, vi } from "vitest";
import { type BatchEvent, type Consumer, consume, type Queue, queue } from "./queue.ts";
import { manualTimer } from "./testing/manual-timer.ts";

let now: Date;
let deadLetters: Queue;
let work: Queue;

beforeEach(() => {
  now = new Date("2026-11-21T10:00:00Z");
  const clock = { now: () => now };
  deadLetters = queue({ name: "dead", visibilitySeconds: 30, ...clock });
  work = queue({
    name: "work",
    visibilitySeconds: 30,
    redrive: { maxReceives: 2, to: deadLetters },
    ...clock,
  });
});

function pass(seconds: number) {
  now = new Date(now.getTime() + seconds * 1000);
}

const bodies = (from: Queue) => from.receive().map(({ body }) => body);

test("receive hides a message until its visibility timeout, then returns it again", () => {
  work.send("a");
  const [first] = work.receive();
  expect(first).toMatchObject({ body: "a", receiveCount: 1 });
  expect(work.depth()).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
  pass(29);
  expect(bodies(work)).toEqual([]);
  pass(1);
  const [again] = work.receive();
  expect(again).toMatchObject({ body: "a", receiveCount: 2, messageId: first?.messageId });
  expect(again?.receiptHandle).not.toBe(first?.receiptHandle);
});

test("remove deletes a message, and ignores an outdated receipt", () => {
  work.send("a");
  const [first] = work.receive();
  pass(30);
  const [second] = work.receive();
  work.remove(first?.receiptHandle ?? "");
  expect(work.depth().inFlight).toBe(1);
  work.remove(second?.receiptHandle ?? "");
  work.remove(second?.receiptHandle ?? "");
  expect(work.depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});

test("receive returns a delayed message only after its delay", () => {
  work.send("later", { delaySeconds: 60 });
  expect(work.depth()).toEqual({ visible: 0, inFlight: 0, delayed: 1 });
  expect(work.nextAt()).toEqual(new Date("2026-11-21T10:01:00Z"));
  pass(59);
  expect(bodies(work)).toEqual([]);
  pass(1);
  expect(bodies(work)).toEqual(["later"]);
});

test("changeVisibility shortens and extends the visibility timeout", () => {
  work.send("a");
  const [first] = work.receive();
  work.changeVisibility(first?.receiptHandle ?? "", 0);
  const [second] = work.receive();
  expect(second?.receiveCount).toBe(2);
  work.changeVisibility(second?.receiptHandle ?? "", 100);
  pass(99);
  expect(work.depth().inFlight).toBe(1);
  pass(1);
  expect(work.depth().visible).toBe(1);
});

test("receive moves a message to the dead-letter queue after the maximum number of receipts", () => {
  work.send("poison");
  for (let receipt = 1; receipt <= 2; receipt++) {
    expect(bodies(work)).toEqual(["poison"]);
    pass(30);
  }
  expect(bodies(work)).toEqual([]);
  expect(work.depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  expect(bodies(deadLetters)).toEqual(["poison"]);
});

test("receive returns at most ten messages, oldest first", () => {
  for (let at = 0; at < 12; at++) work.send(String(at));
  expect(bodies(work)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  expect(work.receive(1)).toHaveLength(1);
});

test("receive prefers groups with fewer messages in flight, as SQS fair queues do", () => {
  for (let at = 0; at < 12; at++) work.send(`noisy ${at}`, { group: "noisy" });
  work.send("quiet 0", { group: "quiet" });
  expect(bodies(work).slice(0, 3)).toEqual(["noisy 0", "quiet 0", "noisy 1"]);
  work.send("quiet 1", { group: "quiet" });
  work.send("other", { group: "other" });
  expect(bodies(work)).toEqual(["other", "quiet 1", "noisy 9", "noisy 10", "noisy 11"]);
});

test("the queue rejects what SQS rejects", () => {
  expect(() => work.send("a", { delaySeconds: 901 })).toThrow(RangeError);
  expect(() => work.send("a", { delaySeconds: -1 })).toThrow(RangeError);
  expect(() => work.send("é".repeat(524_289))).toThrow(RangeError);
  expect(() => work.changeVisibility("none", 43_201)).toThrow(RangeError);
  expect(work.depth().visible).toBe(0);
});

/** A consumer that records its batches and returns the result that the test sets. */
function consumer(answer: (event: BatchEvent) => unknown = () => undefined) {
  const batches: string[][] = [];
  const handle: Consumer = async (event) => {
    batches.push(event.Records.map(({ body }) => body));
    return answer(event);
  };
  const clock = manualTimer();
  const consuming = consume(work, handle, { batchSize: 2, timer: clock.timer, now: () => now });
  return { batches, clock, ...consuming };
}

test("consume passes stored and new messages to the consumer in batches and removes them", async () => {
  work.send("before");
  const { batches, wake, close } = consumer();
  await wake();
  for (const body of ["a", "b", "c"]) work.send(body);
  await wake();
  expect(batches).toEqual([["before"], ["a", "b"], ["c"]]);
  expect(work.depth()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  await close();
});

test("consume builds records as Lambda does", async () => {
  const seen: unknown[] = [];
  const { wake, close } = consumer((event) => void seen.push(...event.Records));
  const messageId = work.send("a");
  await wake();
  expect(seen).toEqual([
    {
      messageId,
      receiptHandle: expect.any(String),
      body: "a",
      attributes: { ApproximateReceiveCount: "1", SentTimestamp: String(now.getTime()) },
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:local:000000000000:work",
    },
  ]);
  await close();
});

test("consume retries only the failed messages of a batch", async () => {
  const { batches, clock, wake, close } = consumer(({ Records }) => ({
    batchItemFailures: Records.filter(({ body }) => body === "bad").map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  }));
  work.send("good");
  work.send("bad");
  await wake();
  expect(work.depth().inFlight).toBe(1);
  expect(clock.waits()).toEqual([30_000]);
  pass(30);
  clock.ring();
  await wake();
  expect(batches).toEqual([["good", "bad"], ["bad"]]);
  await close();
});

test("consume retries the whole batch when the consumer throws or returns an unknown id", async () => {
  const logged = vi.spyOn(log, "error").mockReturnValue();
  let calls = 0;
  const { batches, wake, close } = consumer(() => {
    calls += 1;
    if (calls === 1) throw new Error("broken");
    return { batchItemFailures: [{ itemIdentifier: "unknown" }] };
  });
  work.send("a");
  work.send("b");
  await wake();
  pass(30);
  await wake();
  expect(batches).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
  pass(30);
  await wake();
  expect(deadLetters.depth().visible).toBe(2);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
  await close();
});

test("close waits for the running batch and starts no other", async () => {
  const begun = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const { batches, clock, close } = consumer(() => {
    begun.resolve();
    return slow.promise;
  });
  for (const body of ["a", "b", "c"]) work.send(body);
  await begun.promise;
  const closing = close();
  slow.resolve();
  await closing;
  work.send("d");
  expect(batches).toEqual([["a", "b"]]);
  expect(work.depth()).toEqual({ visible: 2, inFlight: 0, delayed: 0 });
  expect(clock.waits()).toEqual([]);
});

test("consume runs batches concurrently up to the limit, so that a slow batch does not delay others", async () => {
  const slow = Promise.withResolvers<void>();
  const batches: string[][] = [];
  let [atOnce, most] = [0, 0];
  const handle: Consumer = async ({ Records }) => {
    batches.push(Records.map(({ body }) => body));
    most = Math.max(most, ++atOnce);
    if (Records.some(({ body }) => body === "slow")) await slow.promise;
    else await Promise.resolve();
    atOnce--;
  };
  const { timer } = manualTimer();
  const { wake, close } = consume(work, handle, { batchSize: 1, concurrency: 2, timer, now: () => now });
  for (const body of ["slow", "a", "b", "c"]) work.send(body);
  await vi.waitFor(() => expect(work.depth()).toEqual({ visible: 0, inFlight: 1, delayed: 0 }));
  work.send("d");
  await vi.waitFor(() => expect(batches.flat()).toEqual(["slow", "a", "b", "c", "d"]));
  slow.resolve();
  await wake();
  expect([most, work.depth().inFlight]).toEqual([2, 0]);
  await close();
});
