import { type Job, jobs } from "../functions/jobs.ts";

/** The jobs that consume the queue. */
const consumers = Object.values<Job>(jobs).filter(({ queue }) => queue !== undefined);

/** Six times the consumer's timeout, as AWS recommends, so that a batch is not received again while it is processed. */
const visibilitySeconds = 6 * Math.max(...consumers.map(({ timeoutSeconds }) => timeoutSeconds));

/** Messages that consumers failed on. Failed deliveries are rows in the database, so a message here indicates a bug. */
export const deadLetters = new sst.aws.Queue("DeadLetters", {
  visibilityTimeout: "30 seconds",
  transform: {
    queue: (args) => {
      args.messageRetentionSeconds = 14 * 86_400;
    },
  },
});

/** Wakes the webhook deliverer. Losing a message loses no delivery, because a scheduled job finds the rows. */
export const work = new sst.aws.Queue("Work", {
  visibilityTimeout: `${visibilitySeconds} seconds`,
  dlq: { queue: deadLetters.arn, retry: 5 },
});

/** Permissions of a consumer's role, in addition to those of its needs. */
export const receive = {
  actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
  resources: [work.arn],
};

/** Sends the queue's messages to a function, which reports each message's result. */
export function consume(name: string, fn: sst.aws.Function, queue: NonNullable<Job["queue"]>): void {
  new aws.lambda.EventSourceMapping(name, {
    eventSourceArn: work.arn,
    functionName: fn.name,
    batchSize: queue.batchSize,
    functionResponseTypes: ["ReportBatchItemFailures"],
    scalingConfig: { maximumConcurrency: queue.concurrency },
  });
}
