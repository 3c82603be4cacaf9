import * as z from "zod/mini";
import { log } from "../platform/log/log.ts";
import { type DeliverOptions, deliver } from "./deliver.ts";
import { semaphore } from "./semaphore.ts";

/** Maximum number of concurrent attempts at one endpoint in one process. */
export const perEndpoint = 10;

/** A delivery that waits longer than this for its endpoint is left to the sweep, which runs every minute. */
const maxWaitMs = 1000;

const WakeUp = z.object({ deliveryId: z.string(), endpointId: z.string() });

const endpoints = semaphore(perEndpoint, maxWaitMs);

/** A message as the queue delivers it. */
export type ReceivedMessage = { messageId: string; body: string };

/**
 * Attempts every delivery that these messages name, concurrently but with a limit per endpoint, so that a slow endpoint
 * does not delay the others. Returns the ids of the messages that failed with an error of this system; a failing endpoint is
 * not a failed message.
 */
export async function consume(
  messages: readonly ReceivedMessage[],
  options: DeliverOptions = {},
): Promise<string[]> {
  const failed: string[] = [];
  await Promise.all(
    messages.map(async ({ messageId, body }) => {
      try {
        const { deliveryId, endpointId } = WakeUp.parse(JSON.parse(body));
        const release = await endpoints.acquire(endpointId);
        if (!release) return;
        await deliver(deliveryId, options).finally(release);
      } catch (error) {
        log.error("delivery not attempted", { messageId, error: error as Error });
        failed.push(messageId);
      }
    }),
  );
  return failed;
}
