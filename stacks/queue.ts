import { type Job, jobs } from "../functions/jobs.ts";
import { settings } from "./stage.ts";

/** The jobs that consume the queue. */
const consumers = Object.values<Job>(jobs).filter(({ queue }) => queue !== undefined);

/** Six times the consumer's timeout, as AWS recommends, so that a batch is not received again while it is processed. */
const visibilitySeconds = 6 * Math.max(...consumers.map(({ timeoutSeconds }) => timeoutSeconds));

/** How often a consumer receives a message before it counts as failed. */
const attempts = 5;

/** After this time, a message that is processed at once but always fails has left the queue. */
export const givenUpAfterSeconds = attempts * visibilitySeconds;

/** Messages that consumers failed on. Failed deliveries are rows in the database, so a message here indicates a bug. */
export const deadLetters = deadLetterQueue("DeadLetters");

/** Invocations of scheduled jobs that EventBridge Scheduler could not make. */
export const missedRuns = deadLetterQueue("MissedRuns");

/** Creates a queue that keeps its messages for 14 days, the longest time that SQS allows. */
function deadLetterQueue(name: string): sst.aws.Queue {
  return new sst.aws.Queue(name, {
    visibilityTimeout: "30 seconds",
    transform: {
      queue: (args) => {
        args.messageRetentionSeconds = 14 * 86_400;
      },
    },
  });
}

/** Wakes the webhook deliverer. Losing a message loses no delivery, because a scheduled job finds the rows. */
export const work = new sst.aws.Queue("Work", {
  visibilityTimeout: `${visibilitySeconds} seconds`,
  dlq: { queue: deadLetters.arn, retry: attempts },
});

/** Permissions of a consumer's role, in addition to those of its needs. */
export const receive = {
  actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
  resources: [work.arn],
};

/** Sends the queue's messages to a function, which reports each message's result. A paused stage keeps them in the queue. */
export function consume(name: string, fn: sst.aws.Function, queue: NonNullable<Job["queue"]>): void {
  new aws.lambda.EventSourceMapping(name, {
    eventSourceArn: work.arn,
    functionName: fn.name,
    enabled: !settings($app.stage).paused,
    batchSize: queue.batchSize,
    functionResponseTypes: ["ReportBatchItemFailures"],
    scalingConfig: { maximumConcurrency: queue.concurrency },
  });
}
