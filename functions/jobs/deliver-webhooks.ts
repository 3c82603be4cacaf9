import { consume } from "@svc/core/webhook/consume";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Attempts the webhook deliveries that a batch of queue messages names. The queue redelivers only messages that failed for
 * a reason on our side.
 */
export const handler = job(async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
  const failed = await consume(Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
});
