/** A message for the queue, before it is sent. */
export type QueueMessage = {
  body: string;
  /** SQS fair queues: a backlog in one group does not delay the messages of other groups. */
  group: string;
  /** 0 to 900. */
  delaySeconds?: number;
};

/** Sends messages. Throws `upstream` `queue_unavailable` when the queue does not accept all of them. */
export type SendMessages = (messages: readonly QueueMessage[]) => Promise<void>;
