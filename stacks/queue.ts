import { type Job, jobs } from "../functions/jobs.ts";

/** The jobs that consume the queue. */
const consumers = Object.values<Job>(jobs).filter(({ queue }) => queue !== undefined);

/** A batch that is still at work must not be received again: six times the consumer's time-out, as AWS advises. */
const visibilitySeconds = 6 * Math.max(...consumers.map(({ timeoutSeconds }) => timeoutSeconds));

/** Messages that no consumer could take. Deliveries fail in rows of their own, so whatever lies here is a bug of ours. */
export const deadLetters = new sst.aws.Queue("DeadLetters", {
  visibilityTimeout: "30 seconds",
  transform: {
    queue: (args) => {
      args.messageRetentionSeconds = 14 * 86_400;
    },
  },
});

/** What wakes the deliverer of webhooks. Nothing is lost with it: the rows are the truth, and a schedule finds them. */
export const work = new sst.aws.Queue("Work", {
  visibilityTimeout: `${visibilitySeconds} seconds`,
  dlq: { queue: deadLetters.arn, retry: 5 },
});

/** What a consumer's role may do besides its line's needs. */
export const receive = {
  actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
  resources: [work.arn],
};

/** Hand the queue's messages to this function, which says of each whether it was done. */
export function consume(name: string, fn: sst.aws.Function, queue: NonNullable<Job["queue"]>): void {
  new aws.lambda.EventSourceMapping(name, {
    eventSourceArn: work.arn,
    functionName: fn.name,
    batchSize: queue.batchSize,
    functionResponseTypes: ["ReportBatchItemFailures"],
    scalingConfig: { maximumConcurrency: queue.concurrency },
  });
}
