import * as Clock from "../base/clock.ts";
import { newId } from "../base/id.ts";
import { apiVersion } from "../event/catalog.ts";
import { wake } from "../event/outbox.ts";
import type { Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Call from "./call.ts";
import * as Endpoint from "./endpoint.ts";
import * as Headers from "./headers.ts";
import * as Schedule from "./schedule.ts";
import { signature } from "./sign.ts";

/**
 * How long a process holds the lease on an attempt. A call and its two transactions take less time, so only a crashed process
 * loses its lease.
 */
export const leaseSeconds = 60;

/** The logged error of an attempt until its result is known. It stays if the process dies. */
export const unfinished = "No result: the attempt is in progress or was interrupted.";

/** An attempt that is in the log but not yet made. */
export type PreparedAttempt = {
  deliveryId: string;
  number: number;
  failures: number;
  endpoint: { id: string; workspaceId: string; url: string };
  request: Call.Request;
};

/** Replaceable parts of a delivery, for tests. `random` varies the retry delay. */
export type DeliverOptions = { network?: Call.Network; random?: () => number };

/**
 * Makes one attempt at a delivery if it is due and no other process holds its lease. Each step (prepare, call, record the
 * result) commits separately, so that a crash between two steps can be recovered. Returns whether an attempt was made.
 */
export async function deliver(
  deliveryId: string,
  { network, random }: DeliverOptions = {},
): Promise<boolean> {
  const attempt = await prepare(deliveryId);
  if (!attempt) return false;
  const outcome = await Call.call(attempt.request, network);
  if (outcome.error === null) await recordSuccess(attempt, outcome);
  else await recordFailure(attempt, outcome, random);
  return true;
}

/**
 * Claims a due delivery, signs its request and logs the attempt. Returns undefined if the delivery is not due or another
 * process holds its lease. A delivery whose endpoint is deleted, disabled or no longer covered by the plan fails.
 */
export async function prepare(
  deliveryId: string,
  now: Date = Clock.now(),
): Promise<PreparedAttempt | undefined> {
  return transaction(async (tx) => {
    const delivery = await loadDue(tx, deliveryId, now);
    if (!delivery) return undefined;
    if (!isDeliverable(delivery)) {
      await abandon(tx, delivery, now);
      return undefined;
    }
    const number = await claim(tx, delivery, now);
    const headers = signedHeaders(delivery, now);
    await logAttempt(tx, delivery, number, headers, now);
    const { endpoint_id: id, workspace_id: workspaceId, url, body } = delivery;
    return {
      deliveryId,
      number,
      failures: delivery.failure_count,
      endpoint: { id, workspaceId, url },
      request: { url, headers, body },
    };
  });
}

type DueDelivery = NonNullable<Awaited<ReturnType<typeof loadDue>>>;

type Deliverable = DueDelivery & { url: string; secret: string; headers: string };

function loadDue(tx: Tx, deliveryId: string, now: Date) {
  return tx
    .selectFrom("webhook_deliveries")
    .leftJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
    .leftJoin("workspaces", "workspaces.id", "webhook_deliveries.workspace_id")
    .select([
      "webhook_deliveries.id",
      "webhook_deliveries.endpoint_id",
      "webhook_deliveries.workspace_id",
      "webhook_deliveries.event_id",
      "webhook_deliveries.body",
      "webhook_deliveries.attempt_count",
      "webhook_deliveries.failure_count",
      "webhook_endpoints.url",
      "webhook_endpoints.headers",
      "webhook_endpoints.secret",
      "webhook_endpoints.previous_secret",
      "webhook_endpoints.previous_secret_until",
      "webhook_endpoints.enabled",
      "workspaces.plan",
    ])
    .where("webhook_deliveries.id", "=", deliveryId)
    .where("webhook_deliveries.status", "=", "pending")
    .where("webhook_deliveries.next_attempt_at", "<=", now)
    .executeTakeFirst();
}

function isDeliverable(delivery: DueDelivery): delivery is Deliverable {
  const { url, secret, headers, enabled, plan } = delivery;
  return url !== null && secret !== null && headers !== null && enabled === true && plan === "ENTERPRISE";
}

async function abandon(tx: Tx, { id, attempt_count }: DueDelivery, now: Date): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ status: "failed", next_attempt_at: null, completed_at: now })
    .where("id", "=", id)
    .where("attempt_count", "=", attempt_count)
    .execute();
}

/** Takes the lease on a delivery and returns the number of the new attempt, counted from 1. */
async function claim(tx: Tx, { id, attempt_count }: DueDelivery, now: Date): Promise<number> {
  const number = attempt_count + 1;
  const next_attempt_at = new Date(now.getTime() + leaseSeconds * 1000);
  await tx
    .updateTable("webhook_deliveries")
    .set({ attempt_count: number, next_attempt_at })
    .where("id", "=", id)
    .where("attempt_count", "=", attempt_count)
    .execute();
  return number;
}

type SignedHeaders = Headers.Headers & { "webhook-signature": string };

/**
 * Builds the headers of a request as Standard Webhooks defines them: `webhook-id` is the event's id, `webhook-timestamp` the
 * time of this attempt. Custom headers cannot override the system's.
 */
function signedHeaders(delivery: Deliverable, now: Date): SignedHeaders {
  const { endpoint_id: id, event_id: eventId, headers, body } = delivery;
  const timestamp = Math.floor(now.getTime() / 1000);
  const secrets = Endpoint.signingSecrets({ ...delivery, id }, now);
  return {
    ...lowerCase(Endpoint.customHeaders({ id, headers })),
    "content-type": "application/json",
    "user-agent": `svc-webhooks/${apiVersion}`,
    "accept-encoding": "identity",
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature(secrets, { id: eventId, timestamp, body }),
  };
}

/** Normalizes header names, so that each name occurs once however it was written. */
function lowerCase(headers: Headers.Headers): Headers.Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Logs an attempt before it is made, with secret headers masked. */
async function logAttempt(
  tx: Tx,
  { id }: Deliverable,
  number: number,
  headers: SignedHeaders,
  now: Date,
): Promise<void> {
  const maskedSignature = headers["webhook-signature"].replace(/v1,\S+/g, `v1,${Headers.mask}`);
  await tx
    .insertInto("webhook_attempts")
    .values({
      delivery_id: id,
      number,
      at: now,
      error: unfinished,
      request_headers: JSON.stringify({
        ...Headers.maskSecrets(headers),
        "webhook-signature": maskedSignature,
      }),
    })
    .execute();
}

/** Marks a delivery as delivered, even if another attempt has begun since: the endpoint has received the event. */
export async function recordSuccess(
  { deliveryId, number, endpoint }: PreparedAttempt,
  outcome: Call.Outcome,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    await logOutcome(tx, deliveryId, number, outcome);
    await tx
      .updateTable("webhook_deliveries")
      .set({ status: "delivered", next_attempt_at: null, completed_at: now })
      .where("id", "=", deliveryId)
      .where("status", "<>", "delivered")
      .execute();
    await tx
      .updateTable("webhook_endpoints")
      .set({ failing_in_row: 0 })
      .where("id", "=", endpoint.id)
      .where("failing_in_row", ">", 0)
      .execute();
  });
}

/**
 * Schedules the next attempt, or fails the delivery when no retries are left. Disables the endpoint after a 410, and after
 * `failuresUntilDisabled` failed deliveries in a row.
 */
export async function recordFailure(
  { deliveryId, number, failures, endpoint }: PreparedAttempt,
  outcome: Call.Outcome,
  random?: () => number,
  now: Date = Clock.now(),
): Promise<void> {
  const gone = outcome.status === 410;
  const delay = gone ? undefined : Schedule.delaySeconds(failures + 1, outcome.retryAfterSeconds, random);
  await transaction(async (tx) => {
    await logOutcome(tx, deliveryId, number, outcome);
    const updated = await tx
      .updateTable("webhook_deliveries")
      .set({
        failure_count: failures + 1,
        ...(delay === undefined
          ? { status: "failed", next_attempt_at: null, completed_at: now }
          : { next_attempt_at: new Date(now.getTime() + delay * 1000) }),
      })
      .where("id", "=", deliveryId)
      .where("status", "=", "pending")
      // If a later attempt has begun, its result counts instead.
      .where("attempt_count", "=", number)
      .returning("id")
      .executeTakeFirst();
    if (!updated) return;
    if (delay !== undefined) return wake(tx, [{ deliveryId, endpointId: endpoint.id }], Math.ceil(delay));
    await disableIfFailing(tx, endpoint, gone, now);
  });
}

async function disableIfFailing(
  tx: Tx,
  endpoint: PreparedAttempt["endpoint"],
  gone: boolean,
  now: Date,
): Promise<void> {
  const requestId = newId("req", now);
  if (gone) return Endpoint.disable(tx, endpoint, "gone", requestId, now);
  const row = await tx
    .updateTable("webhook_endpoints")
    .set((eb) => ({ failing_in_row: eb("failing_in_row", "+", 1) }))
    .where("id", "=", endpoint.id)
    .returning("failing_in_row")
    .executeTakeFirst();
  if (row && row.failing_in_row >= Endpoint.failuresUntilDisabled)
    await Endpoint.disable(tx, endpoint, "failing", requestId, now);
}

async function logOutcome(
  tx: Tx,
  deliveryId: string,
  number: number,
  { durationMs, status, headers, body, error }: Call.Outcome,
): Promise<void> {
  await tx
    .updateTable("webhook_attempts")
    .set({
      duration_ms: durationMs,
      response_status: status,
      response_headers: headers && JSON.stringify(headers),
      response_body: body,
      error,
    })
    .where("delivery_id", "=", deliveryId)
    .where("number", "=", number)
    .execute();
}
