import { AwsClient } from "aws4fetch";
import { Fault } from "../../base/fault.ts";
import type * as Config from "../config/config.ts";
import type { Sender } from "./queue.ts";

const batchSize = 10;
const maxAttempts = 2;
const timeoutMs = 3000;

/**
 * Sends to a queue of SQS with the rights of the function's own role, ten messages a call; a call takes at most two attempts
 * of 3 seconds. Signed by aws4fetch, since every function that writes could have to send and the SDK's client would weigh
 * more than all the rest of it.
 */
export function sqs({ url }: Config.Queue, env: Config.Env = process.env, fetchIt = fetch): Sender {
  const { origin, hostname } = new URL(url);
  const client = new AwsClient({
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
    ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    service: "sqs",
    region: /^sqs\.([\w-]+)\./.exec(hostname)?.[1] ?? env.AWS_REGION ?? "",
  });

  async function ask(body: string): Promise<Response> {
    const headers = {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "AmazonSQS.SendMessageBatch",
    };
    for (let attempt = 1; ; attempt++)
      try {
        const request = await client.sign(`${origin}/`, { method: "POST", headers, body });
        const response = await fetchIt(request, { signal: AbortSignal.timeout(timeoutMs) });
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
      const response = await ask(JSON.stringify({ QueueUrl: url, Entries: entries }));
      const text = await response.text();
      if (!response.ok) unavailable(new Error(`${response.status} ${text.slice(0, 500)}`));
      const { Failed = [] } = JSON.parse(text) as { Failed?: { Code: string }[] };
      if (Failed.length > 0) unavailable(new Error(`not taken: ${Failed.map(({ Code }) => Code)}`));
    }
  };
}

function unavailable(cause: unknown): never {
  throw new Fault("upstream", "queue_unavailable", "The queue does not answer as it should.", { cause });
}
