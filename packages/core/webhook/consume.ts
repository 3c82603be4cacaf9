import * as z from "zod/mini";
import { log } from "../platform/log/log.ts";
import { deliver, type Seams } from "./deliver.ts";
import { slots } from "./semaphore.ts";

/** So many attempts at one endpoint at once, in one process. */
export const perEndpoint = 10;

/** Whoever waits longer for an endpoint leaves its delivery to the sweep, which comes every minute. */
const patienceMs = 1000;

const WakeUp = z.object({ deliveryId: z.string(), endpointId: z.string() });

const atWork = slots(perEndpoint, patienceMs);

export type Message = { messageId: string; body: string };

/**
 * Attempt each delivery that these messages name, all at once but so many per endpoint, so that a slow receiver holds up
 * nobody else's. Answers the messages that failed on our side; what a receiver does is no failure of a message.
 */
export async function consume(messages: readonly Message[], seams: Seams = {}): Promise<string[]> {
  const failed: string[] = [];
  await Promise.all(
    messages.map(async ({ messageId, body }) => {
      try {
        const { deliveryId, endpointId } = WakeUp.parse(JSON.parse(body));
        const leave = await atWork.take(endpointId);
        if (!leave) return;
        await deliver(deliveryId, seams).finally(leave);
      } catch (error) {
        log.error("delivery not attempted", { messageId, error: error as Error });
        failed.push(messageId);
      }
    }),
  );
  return failed;
}
