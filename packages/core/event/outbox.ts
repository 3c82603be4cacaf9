import { newId } from "../base/id.ts";
import type { Tx } from "../platform/db/engine.ts";
import { afterCommit } from "../platform/db/transaction.ts";
import * as Queue from "../platform/queue/queue.ts";
import { apiVersion, type WebhookEventType } from "./catalog.ts";

/** Something that happened, for those outside who asked to hear of it. */
export type Message = {
  /** The event's id, which is the `webhook-id` of every attempt at every endpoint. */
  id: string;
  type: WebhookEventType;
  at: Date;
  workspaceId: string;
  data: Record<string, unknown>;
  test?: true;
};

/** What a message of the queue says: this delivery may be due. */
export type WakeUp = { deliveryId: string; endpointId: string };

/** A delivery for each endpoint of an ENTERPRISE workspace that wants to hear of this, in the transaction of the event. */
export async function fanOut(tx: Tx, message: Message): Promise<void> {
  const endpoints = await tx
    .selectFrom("webhook_endpoints")
    .innerJoin("workspaces", "workspaces.id", "webhook_endpoints.workspace_id")
    .select(["webhook_endpoints.id", "webhook_endpoints.events"])
    .where("workspaces.id", "=", message.workspaceId)
    .where("workspaces.plan", "=", "ENTERPRISE")
    .where("webhook_endpoints.enabled", "=", true)
    .execute();
  const wanting = endpoints.filter(({ events }) => wants(events, message.type)).map(({ id }) => id);
  await dispatch(tx, wanting, [message], message.at);
}

/** Whether a subscription to these events is one to this type. */
export function wants(events: readonly string[], type: string): boolean {
  return events.includes("*") || events.includes(type);
}

/**
 * Send these messages to each of these endpoints: rows now, and a wake-up when they have committed. What an endpoint has
 * already been sent, or is being sent, is not sent again; what failed for good is. Answers the ids of the deliveries.
 */
export async function dispatch(
  tx: Tx,
  endpointIds: readonly string[],
  messages: readonly Message[],
  now: Date,
): Promise<string[]> {
  const values = endpointIds.flatMap((endpointId) =>
    messages.map((message) => ({
      id: newId("whd", now),
      endpoint_id: endpointId,
      workspace_id: message.workspaceId,
      event_id: message.id,
      type: message.type,
      body: body(message),
      ...unsent(now),
      attempt_count: 0,
      created_at: now,
    })),
  );
  if (values.length === 0) return [];
  const rows = await tx
    .insertInto("webhook_deliveries")
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(["endpoint_id", "event_id"])
        .doUpdateSet(unsent(now))
        .where("webhook_deliveries.status", "=", "failed"),
    )
    .returning(["id", "endpoint_id"])
    .execute();
  wake(
    tx,
    rows.map(({ id, endpoint_id }) => ({ deliveryId: id, endpointId: endpoint_id })),
  );
  return rows.map(({ id }) => id);
}

/** The columns of a delivery that is to be sent from now on, with all its retries before it. */
export function unsent(now: Date) {
  return { status: "pending", failure_count: 0, next_attempt_at: now, completed_at: null };
}

/** Tell the deliverer after the commit, so that it need not be found by the clock. */
export function wake(tx: Tx, wakeUps: readonly WakeUp[], delaySeconds = 0): void {
  if (wakeUps.length === 0 || delaySeconds > Queue.maxDelaySeconds) return;
  afterCommit(tx, () =>
    Queue.send(
      wakeUps.map((wakeUp) => ({ body: JSON.stringify(wakeUp), group: wakeUp.endpointId, delaySeconds })),
    ),
  );
}

/** The body that is signed and sent. */
export function body({ id, type, at, workspaceId, data, test }: Message): string {
  const timestamp = at.toISOString();
  return JSON.stringify({ id, type, timestamp, apiVersion, workspaceId, data, ...(test && { test }) });
}
