import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { log } from "@svc/core/platform/log/log";
import { realTimer, type Timer } from "./timer.ts";

/** The limits of SQS. */
const limits = { delaySeconds: 900, visibilitySeconds: 43_200, bodyBytes: 1024 * 1024, batch: 10 };

export type StoredMessage = {
  messageId: string;
  body: string;
  /** Messages of one group share its turns, so that a backlog in one group does not delay the others (SQS fair queues). */
  group: string;
  sentAt: Date;
  receiveCount: number;
};

export type ReceivedMessage = StoredMessage & {
  /** Identifies this receipt. It is invalid once the message has been received again. */
  receiptHandle: string;
};

/** Number of messages that can be received, that were received but not removed, and that are still delayed. */
export type Depth = { visible: number; inFlight: number; delayed: number };

export type Queue = {
  name: string;
  /** Returns the message's id. */
  send(body: string, options?: { group?: string; delaySeconds?: number }): string;
  /**
   * Receives up to ten messages and hides them for the visibility timeout. Prefers the groups that have the fewest messages in
   * flight, and among those the oldest message.
   */
  receive(max?: number): ReceivedMessage[];
  remove(receiptHandle: string): void;
  /** Hides a received message for `seconds` from now. 0 makes it visible at once. */
  changeVisibility(receiptHandle: string, seconds: number): void;
  depth(): Depth;
  /** Returns when the next message can be received, or undefined if the queue is empty. */
  nextAt(): Date | undefined;
  /** Calls `listener` whenever a message is sent. Returns a function that unsubscribes it. */
  onSend(listener: () => void): () => void;
};

export type Options = {
  name: string;
  visibilitySeconds: number;
  /** Moves a message to another queue instead of delivering it more than `maxReceives` times. */
  redrive?: { maxReceives: number; to: Queue };
  now?: () => Date;
};

/** The event that Lambda creates for a batch, limited to the fields that consumers may rely on. */
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

type QueueEntry = StoredMessage & { visibleAt: Date; receiptHandle: string | undefined };

/** Creates an in-memory queue that behaves like SQS. Its messages are lost when the process ends. */
export function queue({ name, visibilitySeconds, redrive, now = Clock.now }: Options): Queue {
  const entries = new Map<string, QueueEntry>();
  const listeners = new Set<() => void>();
  const findByReceipt = (receiptHandle: string) =>
    [...entries.values()].find((message) => message.receiptHandle === receiptHandle);

  return {
    name,
    send(body, { group = "", delaySeconds = 0 } = {}) {
      assertInRange(delaySeconds, limits.delaySeconds, "delaySeconds");
      if (Buffer.byteLength(body) > limits.bodyBytes)
        throw new RangeError("A message can have at most 1 MiB.");
      const messageId = randomUUID();
      const visibleAt = later(now(), delaySeconds);
      entries.set(messageId, {
        messageId,
        body,
        group,
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
      const received: ReceivedMessage[] = [];
      const next = inFairOrder([...entries.values()], at);
      while (received.length < Math.min(max, limits.batch)) {
        const message = next();
        if (!message) break;
        if (redrive && message.receiveCount >= redrive.maxReceives) {
          entries.delete(message.messageId);
          redrive.to.send(message.body, { group: message.group });
          continue;
        }
        message.receiveCount += 1;
        message.receiptHandle = randomUUID();
        message.visibleAt = later(at, visibilitySeconds);
        const { visibleAt: _, ...rest } = message;
        received.push({ ...rest, receiptHandle: message.receiptHandle });
      }
      return received;
    },
    remove(receiptHandle) {
      const message = findByReceipt(receiptHandle);
      if (message) entries.delete(message.messageId);
    },
    changeVisibility(receiptHandle, seconds) {
      assertInRange(seconds, limits.visibilitySeconds, "seconds");
      const message = findByReceipt(receiptHandle);
      if (message) message.visibleAt = later(now(), seconds);
    },
    depth() {
      const at = now();
      const hidden = [...entries.values()].filter(({ visibleAt }) => visibleAt > at);
      const delayed = hidden.filter(({ receiveCount }) => receiveCount === 0).length;
      return { visible: entries.size - hidden.length, inFlight: hidden.length - delayed, delayed };
    },
    nextAt() {
      const times = [...entries.values()].map(({ visibleAt }) => visibleAt.getTime());
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },
    onSend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns a function that returns the next visible message each time: the oldest of the groups that have the fewest messages
 * in flight, counting those that it has returned.
 */
function inFairOrder(entries: readonly QueueEntry[], at: Date): () => QueueEntry | undefined {
  const waiting = Map.groupBy(
    entries.filter(({ visibleAt }) => visibleAt <= at),
    ({ group }) => group,
  );
  const inFlight = new Map<string, number>();
  for (const { group, visibleAt, receiveCount } of entries)
    if (visibleAt > at && receiveCount > 0) inFlight.set(group, (inFlight.get(group) ?? 0) + 1);
  return () => {
    let chosen: string | undefined;
    for (const group of waiting.keys())
      if (chosen === undefined || (inFlight.get(group) ?? 0) < (inFlight.get(chosen) ?? 0)) chosen = group;
    if (chosen === undefined) return undefined;
    const messages = waiting.get(chosen);
    const message = messages?.shift();
    if (messages?.length === 0) waiting.delete(chosen);
    inFlight.set(chosen, (inFlight.get(chosen) ?? 0) + 1);
    return message;
  };
}

/**
 * Passes messages to a consumer in batches, up to `concurrency` at once, as Lambda's event source mapping does. Removes the
 * messages that succeed. Those in `batchItemFailures`, or all of a batch whose consumer throws, become visible again after the
 * visibility timeout. `wake` checks the clock again and resolves when no message is left to receive.
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
  const running = new Set<Promise<void>>();

  async function drain(): Promise<void> {
    // Waits one microtask, so that messages sent together form one batch.
    await Promise.resolve();
    for (;;) {
      const batch = closed ? [] : source.receive(batchSize);
      if (batch.length === 0) return;
      // More messages may be waiting, and this batch may be slow.
      startAnother();
      const failed = await failedIds(source.name, consumer, batch);
      for (const { messageId, receiptHandle } of batch)
        if (!failed.has(messageId)) source.remove(receiptHandle);
    }
  }

  function startAnother(): void {
    if (closed || running.size >= concurrency) return;
    const work = drain().finally(() => {
      running.delete(work);
      cancel();
      const next = source.nextAt();
      if (next && !closed) cancel = timer(next.getTime() - now().getTime(), startAnother);
    });
    running.add(work);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  const unsubscribe = source.onSend(startAnother);
  startAnother();
  return {
    wake() {
      cancel();
      startAnother();
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

async function failedIds(
  name: string,
  consumer: Consumer,
  batch: readonly ReceivedMessage[],
): Promise<ReadonlySet<string>> {
  const all = new Set(batch.map(({ messageId }) => messageId));
  try {
    const result = await consumer(batchEvent(name, batch));
    const reported = (result as { batchItemFailures?: { itemIdentifier?: unknown }[] | null } | undefined)
      ?.batchItemFailures;
    const failed = new Set((reported ?? []).map(({ itemIdentifier }) => String(itemIdentifier)));
    // Lambda treats an unknown identifier as a failure of the whole batch.
    return [...failed].every((id) => all.has(id)) ? failed : all;
  } catch (error) {
    log.error("consumer failed", { queue: name, error: error as Error });
    return all;
  }
}

function batchEvent(name: string, batch: readonly ReceivedMessage[]): BatchEvent {
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

function assertInRange(value: number, max: number, name: string): void {
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name} must be a whole number from 0 to ${max}.`);
}

function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
