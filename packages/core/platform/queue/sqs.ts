import { AwsClient } from "aws4fetch";
import { Fault } from "../../base/fault.ts";
import * as Config from "../config/config.ts";
import type { SendMessages } from "./message.ts";

const batchSize = 10;
const maxAttempts = 2;
const timeoutMs = 3000;

/**
 * Returns a sender for an SQS queue that uses the credentials of the function's role. It sends 10 messages per call, with at
 * most two attempts of 3 seconds each. Requests are signed with aws4fetch, because every function that writes can send,
 * and the SDK's client would be larger than the rest of such a function.
 */
export function sqs(
  { url }: Config.Queue,
  env: Config.Env = Config.environment(),
  fetchRequest = fetch,
): SendMessages {
  const { origin, hostname } = new URL(url);
  const client = new AwsClient({
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
    ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    service: "sqs",
    region: /^sqs\.([\w-]+)\./.exec(hostname)?.[1] ?? env.AWS_REGION ?? "",
  });

  async function post(body: string): Promise<Response> {
    const headers = {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "AmazonSQS.SendMessageBatch",
    };
    for (let attempt = 1; ; attempt++)
      try {
        const request = await client.sign(`${origin}/`, { method: "POST", headers, body });
        const response = await fetchRequest(request, { signal: AbortSignal.timeout(timeoutMs) });
        if (response.status < 500 || attempt === maxAttempts) return response;
      } catch (cause) {
        if (attempt === maxAttempts) unavailable(cause);
      }
  }

  return async (messages) => {
    for (let at = 0; at < messages.length; at += batchSize) {
      const entries = messages.slice(at, at + batchSize).map(({ body, group, delaySeconds = 0 }, index) => ({
        Id: String(index),
        MessageBody: body,
        MessageGroupId: group,
        DelaySeconds: delaySeconds,
      }));
      const response = await post(JSON.stringify({ QueueUrl: url, Entries: entries }));
      const text = await response.text();
      if (!response.ok) unavailable(new Error(`${response.status} ${text.slice(0, 500)}`));
      const { Failed = [] } = JSON.parse(text) as { Failed?: { Code: string }[] };
      if (Failed.length > 0)
        unavailable(new Error(`SQS rejected messages: ${Failed.map(({ Code }) => Code)}`));
    }
  };
}

function unavailable(cause: unknown): never {
  throw new Fault("upstream", "queue_unavailable", "The queue is not available. Try again in a moment.", {
    cause,
  });
}
