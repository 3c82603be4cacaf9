import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import * as Cursor from "../base/cursor.ts";
import { Fault } from "../base/fault.ts";
import { defaultLimit, type FeedMeta, type FeedQuery, idAt, stretch } from "../base/feed.ts";
import { firstId, newId } from "../base/id.ts";
import { catalog, type WebhookEventType, webhookEventTypes } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import { dispatch, type Message, unsent, wake, wants } from "../event/outbox.ts";
import { db, type Reader, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import type { Membership } from "../workspace/authorization.ts";
import * as Endpoint from "./endpoint.ts";

/** How long the log of a delivery is kept after it was made. */
export const keptDays = 90;

export const Status = z.enum(["pending", "delivered", "failed"]);

export const View = z.object({
  id: z.string(),
  eventId: z.string(),
  type: z.enum(webhookEventTypes),
  status: Status,
  attemptCount: z.int(),
  nextAttemptAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  completedAt: z.nullable(z.iso.datetime()),
});
export type View = z.infer<typeof View>;

/** One try. `error` says why it is no success; without an answer the response is null. */
export const Attempt = z.object({
  number: z.int(),
  at: z.iso.datetime(),
  durationMs: z.nullable(z.int()),
  responseStatus: z.nullable(z.int()),
  responseHeaders: z.nullable(z.record(z.string(), z.string())),
  responseBody: z.nullable(z.string()),
  error: z.nullable(z.string()),
  requestHeaders: z.record(z.string(), z.string()),
});
export type Attempt = z.infer<typeof Attempt>;

/** With what was sent and what came of it. */
export const WithAttempts = z.extend(View, {
  requestBody: z.string(),
  attempts: z.array(Attempt),
});
export type WithAttempts = z.infer<typeof WithAttempts>;

export const Test = z.object({ event: z.optional(z.enum(webhookEventTypes)) });
export type Test = z.infer<typeof Test>;

export const Recover = z.object({ since: z.iso.datetime({ offset: true }) });
export type Recover = z.infer<typeof Recover>;

/** The deliveries of an endpoint, newest first. Throws 404 `webhook_not_found`. */
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
  if (cursor !== undefined) select = select.where("id", "<", idAt(cursor));
  const { rows, meta } = stretch(await select.execute(), limit, ({ id }) => Cursor.encode([id]));
  return { data: rows.map(view), meta };
}

/** One delivery with its attempts. Throws 404 `webhook_not_found` and `delivery_not_found`. */
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
      requestHeaders: attempt.request_headers,
    })),
  };
}

/**
 * Send a made-up event to this endpoint alone, marked `"test":true`, whether or not it subscribes to its type. Throws 404
 * `webhook_not_found` and 409 `webhook_disabled`.
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
    const type = event ?? webhookEventTypes.find((known) => wants(events, known)) ?? webhookEventTypes[0];
    const message: Message = {
      id: newId("evt", now),
      type,
      at: now,
      workspaceId: membership.workspaceId,
      data: { ...catalog[type].example },
      test: true,
    };
    const [deliveryId = ""] = await dispatch(tx, [endpointId], [message], now);
    await record(tx, actor, membership, "webhook.test_sent", { id: endpointId, url }, now);
    return deliveryId;
  });
  return view(await fromId(db(), endpointId, id));
}

/**
 * Send a delivery again, whatever became of it, with all its retries; one that is still on its way is attempted now. Throws
 * 404 `webhook_not_found`, `delivery_not_found` and 409 `webhook_disabled`.
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
    await tx.updateTable("webhook_deliveries").set(unsent(now)).where("id", "=", id).execute();
    wake(tx, [{ deliveryId: id, endpointId }]);
    await record(tx, actor, membership, "webhook.delivery_retried", { id: endpointId, url }, now);
  });
  return view(await fromId(db(), endpointId, id));
}

/** Events of one transaction of a recovery: a transaction of DSQL writes about 3,000 rows. */
const recoverBatch = 500;

/**
 * Send this endpoint every event since then that it subscribes to and that never reached it: what failed, and what happened
 * while it was disabled or not yet there. Answers how many deliveries are on their way. Throws 404 `webhook_not_found` and
 * 409 `webhook_disabled`.
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
    await record(tx, actor, membership, "webhook.recovered", { id: endpointId, url }, now, changes);
  });
  for (;;) {
    const batch = await transaction(async (tx) => {
      const { events } = await Endpoint.enabledFromId(tx, membership, endpointId);
      const rows = await tx
        .selectFrom("events")
        .select(["id", "action", "at", "data"])
        .where("workspace_id", "=", membership.workspaceId)
        .where("id", ">", after)
        .where("id", "<", firstId("evt", new Date(now.getTime() + 1)))
        .where(
          "action",
          "in",
          webhookEventTypes.filter((type) => wants(events, type)),
        )
        .orderBy("id")
        .limit(recoverBatch)
        .execute();
      const messages = rows.flatMap(({ id, action, at, data }): Message[] =>
        data ? [{ id, type: action as WebhookEventType, at, workspaceId: membership.workspaceId, data }] : [],
      );
      const sent = await dispatch(tx, [endpointId], messages, now);
      return { sent: sent.length, last: rows.at(-1)?.id, whole: rows.length < recoverBatch };
    });
    recovered += batch.sent;
    if (batch.whole || batch.last === undefined) return { recovered };
    after = batch.last;
  }
}

/** Rows removed by one statement: a transaction of DSQL writes about 3,000. */
const purgeBatch = 500;

/** Forget the log of deliveries that are older than 90 days. Answers how many went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = firstId("whd", new Date(now.getTime() - keptDays * 86_400_000));
  for (let gone = 0; ; ) {
    const purged = await transaction(async (tx) => {
      const old = await tx
        .selectFrom("webhook_deliveries")
        .select("id")
        .where("id", "<", before)
        .orderBy("id")
        .limit(purgeBatch)
        .execute();
      const ids = old.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await tx.deleteFrom("webhook_attempts").where("delivery_id", "in", ids).execute();
      await tx.deleteFrom("webhook_deliveries").where("id", "in", ids).execute();
      return ids.length;
    });
    gone += purged;
    if (purged < purgeBatch) return gone;
  }
}

async function fromId(reader: Reader, endpointId: string, id: string) {
  const row = await reader
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("id", "=", id)
    .where("endpoint_id", "=", endpointId)
    .executeTakeFirst();
  if (!row) throw new Fault("missing", "delivery_not_found", "There is no such delivery of this webhook.");
  return row;
}

type Row = Awaited<ReturnType<typeof fromId>>;

function view(row: Row): View {
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type as WebhookEventType,
    status: row.status as View["status"],
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}

async function record(
  tx: Tx,
  actor: Actor,
  { workspaceId }: Membership,
  action: Event.Action,
  { id, url }: { id: string; url: string },
  now: Date,
  changes: Record<string, { before: unknown; after: unknown }> = {},
): Promise<void> {
  const target = { type: "webhook", id, name: url } as const;
  await Event.record(tx, actor, { action, target, workspaceId, changes }, now);
}
