import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { log } from "@svc/core/platform/log/log";
import { realTimer, type Timer } from "./timer.ts";

/** What SQS allows. */
const limits = { delaySeconds: 900, visibilitySeconds: 43_200, bodyBytes: 1024 * 1024, batch: 10 };

export type Message = { messageId: string; body: string; sentAt: Date; receiveCount: number };

export type Received = Message & {
  /** Good for this receipt: once the message was received again, it changes nothing. */
  receiptHandle: string;
};

/** Messages that can be received now, that somebody has received and not yet removed, and that wait for their delay. */
export type Depth = { visible: number; inFlight: number; delayed: number };

export type Queue = {
  name: string;
  /** Answers the message's id. */
  send(body: string, options?: { delaySeconds?: number }): string;
  /** Up to ten messages, each hidden from others from now on for the visibility time-out. */
  receive(max?: number): Received[];
  remove(receiptHandle: string): void;
  /** Hide a received message for this long from now; 0 shows it at once. */
  changeVisibility(receiptHandle: string, seconds: number): void;
  depth(): Depth;
  /** When the next message can be received; undefined when there is none. */
  nextAt(): Date | undefined;
  /** Calls this whenever a message is sent. Answers how to stop it. */
  onSend(listener: () => void): () => void;
};

export type Options = {
  name: string;
  visibilitySeconds: number;
  /** A message that was received this often and is still there goes to the other queue instead of out once more. */
  redrive?: { maxReceives: number; to: Queue };
  now?: () => Date;
};

/** The event that Lambda makes of a batch; only what a consumer may build on. */
export type BatchEvent = {
  Records: {
    messageId: string;
    receiptHandle: string;
    body: string;
    attributes: { ApproximateReceiveCount: string; SentTimestamp: string };
    eventSource: "aws:sqs";
    eventSourceARN: string;
  }[];
};

export type Consumer = (event: BatchEvent) => Promise<unknown>;

type Kept = Message & { visibleAt: Date; receiptHandle: string | undefined };

/** A queue in the memory of this process that behaves as SQS does. Nothing in it outlives the process. */
export function queue({ name, visibilitySeconds, redrive, now = Clock.now }: Options): Queue {
  const kept = new Map<string, Kept>();
  const listeners = new Set<() => void>();
  const held = (receiptHandle: string) =>
    [...kept.values()].find((message) => message.receiptHandle === receiptHandle);

  return {
    name,
    send(body, { delaySeconds = 0 } = {}) {
      within(delaySeconds, limits.delaySeconds, "delaySeconds");
      if (Buffer.byteLength(body) > limits.bodyBytes) throw new RangeError("A message holds at most 1 MiB.");
      const messageId = randomUUID();
      const visibleAt = later(now(), delaySeconds);
      kept.set(messageId, {
        messageId,
        body,
        sentAt: now(),
        receiveCount: 0,
        visibleAt,
        receiptHandle: undefined,
      });
      for (const listener of listeners) listener();
      return messageId;
    },
    receive(max = limits.batch) {
      const at = now();
      const received: Received[] = [];
      for (const message of kept.values()) {
        if (received.length === Math.min(max, limits.batch)) break;
        if (message.visibleAt > at) continue;
        if (redrive && message.receiveCount >= redrive.maxReceives) {
          kept.delete(message.messageId);
          redrive.to.send(message.body);
          continue;
        }
        message.receiveCount += 1;
        message.receiptHandle = randomUUID();
        message.visibleAt = later(at, visibilitySeconds);
        const { visibleAt: _, ...shown } = message;
        received.push({ ...shown, receiptHandle: message.receiptHandle });
      }
      return received;
    },
    remove(receiptHandle) {
      const message = held(receiptHandle);
      if (message) kept.delete(message.messageId);
    },
    changeVisibility(receiptHandle, seconds) {
      within(seconds, limits.visibilitySeconds, "seconds");
      const message = held(receiptHandle);
      if (message) message.visibleAt = later(now(), seconds);
    },
    depth() {
      const at = now();
      const hidden = [...kept.values()].filter(({ visibleAt }) => visibleAt > at);
      const delayed = hidden.filter(({ receiveCount }) => receiveCount === 0).length;
      return { visible: kept.size - hidden.length, inFlight: hidden.length - delayed, delayed };
    },
    nextAt() {
      const times = [...kept.values()].map(({ visibleAt }) => visibleAt.getTime());
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },
    onSend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Hand what arrives to a consumer, batch by batch and up to `concurrency` batches at once, as Lambda's event source mapping
 * does: what it does not name in `batchItemFailures` is removed, what it names, or everything when it throws, comes again
 * after the visibility time-out. `wake` looks at the clock anew and resolves when nothing more can be received.
 */
export function consume(
  source: Queue,
  consumer: Consumer,
  {
    batchSize = limits.batch,
    concurrency = 1,
    timer = realTimer,
    now = Clock.now,
  }: { batchSize?: number; concurrency?: number; timer?: Timer; now?: () => Date } = {},
): { wake(): Promise<void>; close(): Promise<void> } {
  let cancel = () => {};
  let closed = false;
  const atWork = new Set<Promise<void>>();

  async function drain(): Promise<void> {
    // In a turn of its own, so that several messages sent together travel together.
    await Promise.resolve();
    for (;;) {
      const batch = closed ? [] : source.receive(batchSize);
      if (batch.length === 0) return;
      // There may be more, and this batch may take its time.
      another();
      const failed = await failures(source.name, consumer, batch);
      for (const { messageId, receiptHandle } of batch)
        if (!failed.has(messageId)) source.remove(receiptHandle);
    }
  }

  function another(): void {
    if (closed || atWork.size >= concurrency) return;
    const work = drain().finally(() => {
      atWork.delete(work);
      cancel();
      const next = source.nextAt();
      if (next && !closed) cancel = timer(next.getTime() - now().getTime(), another);
    });
    atWork.add(work);
  }

  async function idle(): Promise<void> {
    while (atWork.size > 0) await Promise.all(atWork);
  }

  const unsubscribe = source.onSend(another);
  another();
  return {
    wake() {
      cancel();
      another();
      return idle();
    },
    async close() {
      closed = true;
      unsubscribe();
      cancel();
      await idle();
    },
  };
}

async function failures(
  name: string,
  consumer: Consumer,
  batch: readonly Received[],
): Promise<ReadonlySet<string>> {
  const all = new Set(batch.map(({ messageId }) => messageId));
  try {
    const result = await consumer(batchEvent(name, batch));
    const named = (result as { batchItemFailures?: { itemIdentifier?: unknown }[] | null } | undefined)
      ?.batchItemFailures;
    const failed = new Set((named ?? []).map(({ itemIdentifier }) => String(itemIdentifier)));
    // Lambda takes an identifier that it did not hand out for the failure of the whole batch.
    return [...failed].every((id) => all.has(id)) ? failed : all;
  } catch (error) {
    log.error("consumer failed", { queue: name, error: error as Error });
    return all;
  }
}

function batchEvent(name: string, batch: readonly Received[]): BatchEvent {
  return {
    Records: batch.map(({ messageId, receiptHandle, body, receiveCount, sentAt }) => ({
      messageId,
      receiptHandle,
      body,
      attributes: {
        ApproximateReceiveCount: String(receiveCount),
        SentTimestamp: String(sentAt.getTime()),
      },
      eventSource: "aws:sqs",
      eventSourceARN: `arn:aws:sqs:local:000000000000:${name}`,
    })),
  };
}

function within(value: number, max: number, name: string): void {
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name} must be a whole number from 0 to ${max}.`);
}

function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
