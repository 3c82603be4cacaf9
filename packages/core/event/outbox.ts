import { newId } from "../base/id.ts";
import type { Tx } from "../platform/db/engine.ts";
import { afterCommit } from "../platform/db/transaction.ts";
import * as Trace from "../platform/log/trace.ts";
import type { QueueMessage } from "../platform/queue/message.ts";
import * as Queue from "../platform/queue/queue.ts";
import { apiVersion, type WebhookEventType } from "./catalog.ts";

/** An event that webhooks deliver to subscribed endpoints. */
export type WebhookEvent = {
  /** The event's id, sent as `webhook-id` with every attempt at every endpoint. */
  id: string;
  type: WebhookEventType;
  at: Date;
  workspaceId: string;
  data: Record<string, unknown>;
  test?: true;
};

/** Queue message that deliveries of an endpoint may be due. `tries` counts how often the endpoint had no free place. */
export type WakeUp = { endpointId: string; tries: number };

/** Creates a delivery for every subscribed endpoint of an ENTERPRISE workspace, in the event's transaction. */
export async function fanOut(tx: Tx, event: WebhookEvent): Promise<void> {
  const endpoints = await tx
    .selectFrom("webhook_endpoints")
    .innerJoin("workspaces", "workspaces.id", "webhook_endpoints.workspace_id")
    .select(["webhook_endpoints.id", "webhook_endpoints.events"])
    .where("workspaces.id", "=", event.workspaceId)
    .where("workspaces.plan", "=", "ENTERPRISE")
    .where("webhook_endpoints.enabled", "=", true)
    .execute();
  const subscribed = endpoints.filter(({ events }) => isSubscribed(events, event.type)).map(({ id }) => id);
  await dispatch(tx, subscribed, [event], event.at);
}

/** Returns whether an endpoint that subscribes to `events` receives events of this type. */
export function isSubscribed(events: readonly string[], type: string): boolean {
  return events.includes("*") || events.includes(type);
}

/**
 * Creates a delivery of every event to every endpoint, and wakes the deliverer after the commit. Skips events that an
 * endpoint has received or whose delivery is pending. Restarts failed deliveries. Returns the ids of the deliveries.
 */
export async function dispatch(
  tx: Tx,
  endpointIds: readonly string[],
  events: readonly WebhookEvent[],
  now: Date,
): Promise<string[]> {
  const values = endpointIds.flatMap((endpointId) =>
    events.map((event) => ({
      id: newId("whd", now),
      endpoint_id: endpointId,
      workspace_id: event.workspaceId,
      event_id: event.id,
      type: event.type,
      body: requestBody(event),
      traceparent: Trace.current() ?? null,
      ...pendingColumns(now),
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
        .doUpdateSet(pendingColumns(now))
        .where("webhook_deliveries.status", "=", "failed"),
    )
    .returning(["id", "endpoint_id"])
    .execute();
  wake(tx, [...new Set(rows.map(({ endpoint_id }) => endpoint_id))]);
  return rows.map(({ id }) => id);
}

/** Returns the columns of a delivery that is due now and has all its retries left. */
export function pendingColumns(now: Date) {
  return { status: "pending", failure_count: 0, next_attempt_at: now, planned_at: null, completed_at: null };
}

/**
 * Wakes the deliverer of these endpoints after the commit, so that deliveries need not wait for the next sweep. Longer delays
 * than the queue supports are left to the sweep.
 */
export function wake(tx: Tx, endpointIds: readonly string[], delaySeconds = 0): void {
  if (endpointIds.length === 0 || delaySeconds > Queue.maxDelaySeconds) return;
  afterCommit(tx, () =>
    Queue.send(endpointIds.map((endpointId) => wakeUp({ endpointId, tries: 0 }, delaySeconds))),
  );
}

/** Returns the queue message of a wake-up. The queue groups messages by endpoint. */
export function wakeUp(content: WakeUp, delaySeconds: number): QueueMessage {
  return { body: JSON.stringify(content), group: content.endpointId, delaySeconds };
}

/** Serializes an event to the request body, which is signed and sent as it is. */
export function requestBody({ id, type, at, workspaceId, data, test }: WebhookEvent): string {
  const timestamp = at.toISOString();
  return JSON.stringify({ id, type, timestamp, apiVersion, workspaceId, data, ...(test && { test }) });
}
