import * as Config from "../config/config.ts";
import type { QueueMessage, SendMessages } from "./message.ts";

/** Longest delay that SQS supports. */
export const maxDelaySeconds = 900;

let current: SendMessages | undefined;

/** Makes `send` the queue of the process. Pass undefined to return to the queue configured in the environment. */
export function connect(send: SendMessages | undefined): void {
  current = send;
}

/**
 * Sends messages to the queue's consumer. Messages are only hints: one may be lost or delivered twice, and the database is
 * the source of truth. Throws `upstream` `queue_unavailable` when they cannot be sent.
 */
export async function send(messages: readonly QueueMessage[]): Promise<void> {
  if (messages.length === 0) return;
  // Imported lazily, so that functions that rarely send do not load the signer at start.
  current ??= (await import("./sqs.ts")).sqs(Config.queue());
  await current(messages);
}
