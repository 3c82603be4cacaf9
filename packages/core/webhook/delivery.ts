import { sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import * as Cursor from "../base/cursor.ts";
import { dayIn } from "../base/day.ts";
import { Fault } from "../base/fault.ts";
import { defaultLimit, type FeedMeta, type FeedQuery, feedPage, idFromCursor } from "../base/feed.ts";
import { firstId, Id, newId } from "../base/id.ts";
import { Instant } from "../base/instant.ts";
import { catalog, type WebhookEventType, webhookEventTypes } from "../event/catalog.ts";
import { dispatch, isSubscribed, pendingColumns, type WebhookEvent, wake } from "../event/outbox.ts";
import { deleteInBatches } from "../platform/db/delete-in-batches.ts";
import { db, type Reader, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import type { Membership } from "../workspace/authorization.ts";
import * as Endpoint from "./endpoint.ts";
import * as Headers from "./headers.ts";

/** Days after its creation for which a delivery and its attempts are retained. */
export const retentionDays = 90;

export const Status = z.enum(["pending", "delivered", "failed"]);

export const View = z.object({
  id: Id,
  eventId: Id,
  type: z.enum(webhookEventTypes),
  status: Status,
  attemptCount: z.int(),
  nextAttemptAt: z.nullable(Instant),
  createdAt: Instant,
  completedAt: z.nullable(Instant),
});
export type View = z.infer<typeof View>;

/** One attempt at a delivery. `error` is null for a success; the response fields are null if there was no response. */
export const Attempt = z.object({
  number: z.int(),
  at: Instant,
  durationMs: z.nullable(z.int()),
  responseStatus: z.nullable(z.int()),
  responseHeaders: z.nullable(z.record(z.string(), z.string())),
  responseBody: z.nullable(z.string()),
  error: z.nullable(z.string()),
  requestHeaders: z.record(z.string(), z.string()),
});
export type Attempt = z.infer<typeof Attempt>;

/** A delivery with its request body and its attempts. */
export const WithAttempts = z.extend(View, {
  requestBody: z.string(),
  attempts: z.array(Attempt),
});
export type WithAttempts = z.infer<typeof WithAttempts>;

export const Test = z.object({ event: z.optional(z.enum(webhookEventTypes)) });
export type Test = z.infer<typeof Test>;

export const Recover = z.object({ since: z.iso.datetime({ offset: true }) });
export type Recover = z.infer<typeof Recover>;

/** Lists the deliveries of an endpoint, newest first. Throws `missing` `webhook_not_found`. */
export async function list(
  membership: Membership,
  endpointId: string,
  { cursor, limit = defaultLimit }: FeedQuery,
): Promise<{ data: View[]; meta: FeedMeta }> {
  await Endpoint.fromId(db(), membership, endpointId);
  let select = db()
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("endpoint_id", "=", endpointId)
    .orderBy("id", "desc")
    .limit(limit + 1);
  if (cursor !== undefined) select = select.where("id", "<", idFromCursor(cursor));
  const { rows, meta } = feedPage(await select.execute(), limit, ({ id }) => Cursor.encode([id]));
  return { data: rows.map(view), meta };
}

/** Returns one delivery with its attempts. Throws `missing` `webhook_not_found` and `delivery_not_found`. */
export async function get(membership: Membership, endpointId: string, id: string): Promise<WithAttempts> {
  await Endpoint.fromId(db(), membership, endpointId);
  const row = await fromId(db(), endpointId, id);
  const attempts = await db()
    .selectFrom("webhook_attempts")
    .selectAll()
    .where("delivery_id", "=", id)
    .orderBy("number")
    .execute();
  return {
    ...view(row),
    requestBody: row.body,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      durationMs: attempt.duration_ms,
      responseStatus: attempt.response_status,
      responseHeaders: attempt.response_headers,
      responseBody: attempt.response_body,
      error: attempt.error,
      // Attempts logged by older versions contain values of custom headers.
      requestHeaders: Headers.maskedForLog(attempt.request_headers),
    })),
  };
}

/**
 * Sends an example event, marked `"test":true`, to this endpoint only. By default its type is the first that the endpoint
 * subscribes to. Throws `missing` `webhook_not_found` and `conflict` `webhook_disabled`.
 */
export async function sendTest(
  actor: Actor,
  membership: Membership,
  endpointId: string,
  { event }: Test,
  now: Date = Clock.now(),
): Promise<View> {
  const id = await transaction(async (tx) => {
    const { url, events } = await Endpoint.enabledFromId(tx, membership, endpointId);
    const type =
      event ?? webhookEventTypes.find((known) => isSubscribed(events, known)) ?? webhookEventTypes[0];
    const example: WebhookEvent = {
      id: newId("evt", now),
      type,
      at: now,
      workspaceId: membership.workspaceId,
      data: { ...catalog[type].example },
      test: true,
    };
    const [deliveryId = ""] = await dispatch(tx, [endpointId], [example], now);
    await Endpoint.record(tx, actor, membership, "webhook.test_sent", { id: endpointId, url }, now);
    return deliveryId;
  });
  return view(await fromId(db(), endpointId, id));
}

/**
 * Sends a delivery again in any status, with all its retries. A pending delivery is attempted now. Throws `missing`
 * `webhook_not_found`, `missing` `delivery_not_found` and `conflict` `webhook_disabled`.
 */
export async function retry(
  actor: Actor,
  membership: Membership,
  endpointId: string,
  id: string,
  now: Date = Clock.now(),
): Promise<View> {
  await transaction(async (tx) => {
    const { url } = await Endpoint.fromId(tx, membership, endpointId);
    await fromId(tx, endpointId, id);
    await Endpoint.enabledFromId(tx, membership, endpointId);
    await tx.updateTable("webhook_deliveries").set(pendingColumns(now)).where("id", "=", id).execute();
    wake(tx, [endpointId]);
    await Endpoint.record(tx, actor, membership, "webhook.delivery_retried", { id: endpointId, url }, now);
  });
  return view(await fromId(db(), endpointId, id));
}

/** Number of events per transaction of a recovery. A transaction in Aurora DSQL can write about 3,000 rows. */
const recoverBatchSize = 500;

/**
 * Sends this endpoint every event since `since` that it subscribes to and has not received: failed deliveries, and events from
 * before it was created or while it was disabled. Returns the number of deliveries. Throws `missing` `webhook_not_found` and
 * `conflict` `webhook_disabled`.
 */
export async function recover(
  actor: Actor,
  membership: Membership,
  endpointId: string,
  { since }: Recover,
  now: Date = Clock.now(),
): Promise<{ recovered: number }> {
  const from = new Date(since);
  let after = firstId("evt", new Date(Math.max(from.getTime(), 0)));
  let recovered = 0;
  await transaction(async (tx) => {
    const { url } = await Endpoint.enabledFromId(tx, membership, endpointId);
    const changes = { since: { before: null, after: from.toISOString() } };
    await Endpoint.record(tx, actor, membership, "webhook.recovered", { id: endpointId, url }, now, changes);
  });
  for (;;) {
    const batch = await transaction((tx) => recoverBatch(tx, membership, endpointId, after, now));
    recovered += batch.sent;
    if (batch.lastId === undefined) return { recovered };
    after = batch.lastId;
  }
}

/** Dispatches the events after the id `after`. `lastId` is undefined for the last batch. */
async function recoverBatch(
  tx: Tx,
  membership: Membership,
  endpointId: string,
  after: string,
  now: Date,
): Promise<{ sent: number; lastId: string | undefined }> {
  const { workspaceId, timezone } = membership;
  const { events } = await Endpoint.enabledFromId(tx, membership, endpointId);
  const types = webhookEventTypes.filter((type) => isSubscribed(events, type));
  const rows = await tx
    .selectFrom("events")
    .select(["id", "action", "at", "data"])
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", after)
    .where("id", "<", firstId("evt", new Date(now.getTime() + 1)))
    .where("action", "in", types)
    .orderBy("id")
    .limit(recoverBatchSize)
    .execute();
  const missed = rows.flatMap(({ id, action, at, data }): WebhookEvent[] =>
    data ? [{ id, type: action as WebhookEventType, at, workspaceId, data: completed(data, timezone) }] : [],
  );
  const sent = await dispatch(tx, [endpointId], missed, now);
  return { sent: sent.length, lastId: rows.length < recoverBatchSize ? undefined : rows.at(-1)?.id };
}

/** Adds `forecastDate` to the data of a budget warning that was recorded before it existed. */
function completed(data: Record<string, unknown>, timezone: string): Record<string, unknown> {
  const { forecastAt, forecastDate } = data;
  if (forecastAt === undefined || forecastDate !== undefined) return data;
  return {
    ...data,
    forecastDate: forecastAt === null ? null : dayIn(timezone, new Date(String(forecastAt))),
  };
}

/** Deletes deliveries older than `retentionDays` with their attempts. Returns the number of deleted deliveries. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = firstId("whd", new Date(now.getTime() - retentionDays * 86_400_000));
  await deleteInBatches("webhook_attempts", ["delivery_id", "number"], sql`delivery_id < ${before}`);
  return deleteInBatches("webhook_deliveries", ["id"], sql`id < ${before}`);
}

async function fromId(reader: Reader, endpointId: string, id: string) {
  const row = await reader
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("id", "=", id)
    .where("endpoint_id", "=", endpointId)
    .executeTakeFirst();
  if (!row) throw new Fault("missing", "delivery_not_found", "This webhook has no delivery with this id.");
  return row;
}

type DeliveryRow = Awaited<ReturnType<typeof fromId>>;

function view(row: DeliveryRow): View {
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type as WebhookEventType,
    status: row.status as View["status"],
    attemptCount: row.attempt_count,
    // During an attempt, next_attempt_at is the end of its lease.
    nextAttemptAt: (row.planned_at ?? row.next_attempt_at)?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}
