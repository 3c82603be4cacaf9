import { consume } from "@svc/core/webhook/consume";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";

/** Attempt the deliveries that a batch of messages names. Only messages that failed on our side come again. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const failed = await consume(Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
