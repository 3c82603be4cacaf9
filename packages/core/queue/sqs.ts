import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type * as Config from "../config/config.ts";
import { Fault } from "../fault.ts";
import type { Sender } from "./queue.ts";

const batchSize = 10;

/** Sends to a queue of SQS, ten messages a call; a call takes at most two attempts of 3 seconds. */
export function sqs(
  { url }: Config.Queue,
  client = new SQSClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
  }),
): Sender {
  return async (messages) => {
    for (let at = 0; at < messages.length; at += batchSize) {
      const entries = messages.slice(at, at + batchSize).map(({ body, group, delaySeconds = 0 }, index) => ({
        Id: String(index),
        MessageBody: body,
        MessageGroupId: group,
        DelaySeconds: delaySeconds,
      }));
      const sent = await client
        .send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }))
        .catch((cause) => unavailable(cause));
      if (sent.Failed?.length) unavailable(new Error(`not taken: ${sent.Failed.map(({ Code }) => Code)}`));
    }
  };
}

function unavailable(cause: unknown): never {
  throw new Fault("upstream", "queue_unavailable", "The queue does not answer as it should.", { cause });
}
