import { sql } from "kysely";
import * as Clock from "../base/clock.ts";
import { newId } from "../base/id.ts";
import { apiVersion } from "../event/catalog.ts";
import { wake } from "../event/outbox.ts";
import type { Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import * as Trace from "../platform/log/trace.ts";
import * as Call from "./call.ts";
import * as Endpoint from "./endpoint.ts";
import * as Headers from "./headers.ts";
import * as Schedule from "./schedule.ts";
import { signature } from "./sign.ts";

/** Number of attempts that may be in progress at one endpoint at once, over all processes. */
export const perEndpoint = 10;

/**
 * How long a process holds the lease on an attempt. A call and its two transactions take less time, so only a crashed process
 * loses its lease.
 */
export const leaseSeconds = 60;

/**
 * How long an attempt without a result counts as in progress: longer than a call and its transactions take, so that only the
 * places of a crashed process are given to others before there is a result.
 */
export const placeSeconds = Call.totalSeconds + 5;

/** The logged error of an attempt until its result is known. It stays if the process dies. */
export const unfinished = "No result: the attempt is in progress or was interrupted.";

/** An attempt that is in the log but not yet made. */
export type PreparedAttempt = {
  deliveryId: string;
  number: number;
  failures: number;
  endpoint: { id: string; workspaceId: string; url: string };
  /** The span of this attempt, in the trace of the request that caused the delivery. */
  traceparent: Trace.Traceparent;
  request: Call.Request;
};

/** Replaceable parts of a delivery, for tests. `random` varies the retry delay. */
export type AttemptOptions = { network?: Call.Network; random?: () => number };

export type Claim = {
  attempts: PreparedAttempt[];
  /** Whether deliveries of the endpoint are due that this claim has left. */
  more: boolean;
  /** Whether all places of the endpoint are taken. */
  full: boolean;
};

/**
 * Claims the oldest due deliveries of an endpoint, as many as it has free places: takes the leases, signs the requests and logs
 * the attempts. Two workers that claim at the same time select the same oldest delivery, so the second one meets a write
 * conflict and counts again. Deliveries whose endpoint is deleted, disabled or no longer covered by the plan fail.
 */
export async function claim(endpointId: string, now: Date = Clock.now()): Promise<Claim> {
  return transaction(async (tx) => {
    const due = await loadDue(tx, endpointId, now);
    const [first] = due;
    if (!first) return { attempts: [], more: false, full: false };
    const free = Math.max(0, perEndpoint - Number(first.taken));
    if (!isDeliverable(first)) {
      await abandon(tx, due, now);
      return { attempts: [], more: due.length > free, full: false };
    }
    if (free === 0) return { attempts: [], more: true, full: true };
    const claimed = due.slice(0, free) as Deliverable[];
    const opened = open(first, now);
    const attempts = claimed.map((delivery) => prepare(delivery, opened, now));
    await lease(tx, claimed, now);
    await logAttempts(tx, attempts, now);
    return { attempts, more: due.length > free, full: claimed.length === free };
  });
}

/** Makes an attempt, then records its result. A crash in between is recovered when the lease ends. */
export function attempt(prepared: PreparedAttempt, { network, random }: AttemptOptions = {}): Promise<void> {
  return Trace.run(prepared.traceparent, async () => {
    const outcome = await Call.call(prepared.request, network);
    const { deliveryId, number } = prepared;
    const { status, durationMs } = outcome;
    log.info("webhook attempted", { deliveryId, number, status, durationMs });
    if (outcome.error === null) await recordSuccess(prepared, outcome);
    else await recordFailure(prepared, outcome, random);
  });
}

type DueDelivery = Awaited<ReturnType<typeof loadDue>>[number];

type Deliverable = DueDelivery & { url: string; secret: string; headers: string };

/**
 * Loads the oldest due deliveries of an endpoint: one more than it has free places, to see whether any would be left. `taken`
 * is the number of places that are not free.
 */
function loadDue(tx: Tx, endpointId: string, now: Date) {
  const placeTakenAfter = new Date(now.getTime() + (leaseSeconds - placeSeconds) * 1000);
  return tx
    .with("places", (cte) =>
      cte
        .selectFrom("webhook_deliveries")
        .select(({ fn }) => fn.countAll<bigint>().as("taken"))
        .where("endpoint_id", "=", endpointId)
        .where("planned_at", "is not", null)
        .where("next_attempt_at", ">", placeTakenAfter),
    )
    .selectFrom("webhook_deliveries")
    .leftJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
    .leftJoin("workspaces", "workspaces.id", "webhook_deliveries.workspace_id")
    .select([
      "webhook_deliveries.id",
      "webhook_deliveries.endpoint_id",
      "webhook_deliveries.workspace_id",
      "webhook_deliveries.event_id",
      "webhook_deliveries.body",
      "webhook_deliveries.traceparent",
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
    .select((eb) => eb.selectFrom("places").select("taken").as("taken"))
    .where("webhook_deliveries.endpoint_id", "=", endpointId)
    .where("webhook_deliveries.status", "=", "pending")
    .where("webhook_deliveries.next_attempt_at", "<=", now)
    .orderBy("webhook_deliveries.next_attempt_at")
    .orderBy("webhook_deliveries.id")
    .limit(sql<number>`(SELECT greatest(1, ${perEndpoint + 1} - taken) FROM places)`)
    .execute();
}

function isDeliverable(delivery: DueDelivery): delivery is Deliverable {
  const { url, secret, headers, enabled, plan } = delivery;
  return url !== null && secret !== null && headers !== null && enabled === true && plan === "ENTERPRISE";
}

async function abandon(tx: Tx, deliveries: readonly DueDelivery[], now: Date): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ status: "failed", ...noNextAttempt, completed_at: now })
    .where("id", "in", ids(deliveries))
    .execute();
}

/** Columns of a delivery that is not attempted again. */
const noNextAttempt = { next_attempt_at: null, planned_at: null };

/** Takes the leases. A crash leaves `planned_at`, so that the delivery keeps the time for which it was planned. */
async function lease(tx: Tx, deliveries: readonly Deliverable[], now: Date): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set((eb) => ({
      attempt_count: eb("attempt_count", "+", 1),
      planned_at: eb.fn.coalesce("planned_at", "next_attempt_at"),
      next_attempt_at: new Date(now.getTime() + leaseSeconds * 1000),
    }))
    .where("id", "in", ids(deliveries))
    .execute();
}

function ids(deliveries: readonly DueDelivery[]): string[] {
  return deliveries.map(({ id }) => id);
}

/** The decrypted columns of an endpoint that its requests need. */
type Opened = { secrets: string[]; customHeaders: Headers.Headers };

function open(delivery: Deliverable, now: Date): Opened {
  const row = { ...delivery, id: delivery.endpoint_id };
  return { secrets: Endpoint.signingSecrets(row, now), customHeaders: Endpoint.customHeaders(row) };
}

function prepare(delivery: Deliverable, opened: Opened, now: Date): PreparedAttempt {
  const { endpoint_id: id, workspace_id: workspaceId, url, body } = delivery;
  const traceparent = Trace.next(delivery.traceparent);
  return {
    deliveryId: delivery.id,
    number: delivery.attempt_count + 1,
    failures: delivery.failure_count,
    endpoint: { id, workspaceId, url },
    traceparent,
    request: { url, headers: { ...signedHeaders(delivery, opened, now), traceparent }, body },
  };
}

/**
 * Builds the headers of a request as Standard Webhooks defines them: `webhook-id` is the event's id, `webhook-timestamp` the
 * time of this attempt. Custom headers cannot override the system's.
 */
function signedHeaders(
  { event_id: eventId, body }: Deliverable,
  { secrets, customHeaders }: Opened,
  now: Date,
): Headers.Headers {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    ...lowerCase(customHeaders),
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

/** Logs attempts before they are made, without the values of custom headers. */
async function logAttempts(tx: Tx, attempts: readonly PreparedAttempt[], now: Date): Promise<void> {
  await tx
    .insertInto("webhook_attempts")
    .values(
      attempts.map(({ deliveryId, number, request }) => ({
        delivery_id: deliveryId,
        number,
        at: now,
        error: unfinished,
        request_headers: JSON.stringify(Headers.maskedForLog(request.headers)),
      })),
    )
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
      .set({ status: "delivered", ...noNextAttempt, completed_at: now })
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
          ? { status: "failed", ...noNextAttempt, completed_at: now }
          : { next_attempt_at: new Date(now.getTime() + delay * 1000), planned_at: null }),
      })
      .where("id", "=", deliveryId)
      .where("status", "=", "pending")
      // If a later attempt has begun, its result counts instead.
      .where("attempt_count", "=", number)
      .returning("id")
      .executeTakeFirst();
    if (!updated) return;
    if (delay !== undefined) return wake(tx, [endpoint.id], Math.ceil(delay));
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
