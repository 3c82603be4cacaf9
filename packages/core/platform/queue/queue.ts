import * as Config from "../config/config.ts";

/** What SQS allows. */
export const maxDelaySeconds = 900;

export type Message = {
  body: string;
  /** Whose message it is: a queue with much work of one group serves the others first (SQS fair queues). */
  group: string;
  /** 0 to 900. */
  delaySeconds?: number;
};

export type Sender = (messages: readonly Message[]) => Promise<void>;

let current: Sender | undefined;

/** Make this the queue of the process; undefined goes back to the one that the environment names. */
export function connect(sender: Sender | undefined): void {
  current = sender;
}

/**
 * Wake whoever consumes the queue. A message is a hint and may be lost or come twice: the truth is in the database. Throws
 * a Fault `queue_unavailable` when it cannot be sent.
 */
export async function send(messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  // Imported here, so that a function that only may have to send does not start with the SDK.
  current ??= (await import("./sqs.ts")).sqs(Config.queue());
  await current(messages);
}
