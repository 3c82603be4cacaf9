import * as z from "zod/mini";
import { wakeUp } from "../event/outbox.ts";
import { log } from "../platform/log/log.ts";
import * as Queue from "../platform/queue/queue.ts";
import { type DrainOptions, drain } from "./drain.ts";

const WakeUp = z.object({ endpointId: z.string(), tries: z._default(z.int(), 0) });

/** Longest delay until an endpoint is tried again that had no free place, in seconds. */
export const maxDelaySeconds = 64;

/** A message as the queue delivers it. */
export type ReceivedMessage = { messageId: string; body: string };

/**
 * Attempts the due deliveries of every endpoint that these messages name, concurrently, so that a slow endpoint does not
 * delay the others. An endpoint without a free place is tried again after a delay that doubles each time. Returns the ids of
 * the messages that failed with an error of this system; a failing endpoint is not a failed message.
 */
export async function consume(
  messages: readonly ReceivedMessage[],
  options: DrainOptions = {},
): Promise<string[]> {
  const failed: string[] = [];
  await Promise.all(
    messages.map(async ({ messageId, body }) => {
      try {
        if (!(await deliver(WakeUp.parse(JSON.parse(body)), options))) failed.push(messageId);
      } catch (error) {
        log.error("delivery not attempted", { messageId, error: error as Error });
        failed.push(messageId);
      }
    }),
  );
  return failed;
}

/** Returns false after an error of this system. */
async function deliver(
  { endpointId, tries }: z.infer<typeof WakeUp>,
  options: DrainOptions,
): Promise<boolean> {
  const { left, finished } = await drain(endpointId, options);
  // Sent before the last attempts end, because another process can use the places that are free.
  const [{ failedHere }] = await Promise.all([
    finished,
    left === "crowded" &&
      Queue.send([wakeUp({ endpointId, tries: tries + 1 }, Math.min(2 ** tries, maxDelaySeconds))]),
    left === "time" && Queue.send([wakeUp({ endpointId, tries: 0 }, 0)]),
  ]);
  return failedHere === 0;
}
