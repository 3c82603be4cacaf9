import * as Clock from "../base/clock.ts";
import { newId } from "../base/id.ts";
import { apiVersion } from "../event/catalog.ts";
import { wake } from "../event/outbox.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Call from "./call.ts";
import * as Endpoint from "./endpoint.ts";
import * as Headers from "./headers.ts";
import * as Schedule from "./schedule.ts";
import { signature } from "./sign.ts";

/**
 * How long an attempt belongs to whoever began it. Longer than a call and its two transactions can take, so that only a
 * process that died loses one.
 */
export const leaseSeconds = 60;

/** What stands in the log for an attempt until its result is known, and for ever when nobody lived to tell. */
export const unfinished = "No result: the attempt is under way, or was interrupted.";

/** An attempt that is written down and not yet made. */
export type Prepared = {
  deliveryId: string;
  number: number;
  failures: number;
  endpoint: { id: string; workspaceId: string; url: string };
  request: Call.Request;
};

/** What a delivery meets on its way; tests bring their own. */
export type Seams = { network?: Call.Network; random?: () => number };

/**
 * Make one attempt at a delivery, if it is due and nobody else has it: prepare, call, then succeed or fail, each a step
 * after which the process may die. Answers whether there was anything to do.
 */
export async function deliver(deliveryId: string, { network, random }: Seams = {}): Promise<boolean> {
  const prepared = await prepare(deliveryId);
  if (!prepared) return false;
  const outcome = await Call.call(prepared.request, network);
  if (outcome.error === null) await succeed(prepared, outcome);
  else await fail(prepared, outcome, random);
  return true;
}

/**
 * Claim a delivery that is due, write the attempt into the log, and sign it. Undefined when it is not due, or belongs to
 * somebody else; a delivery whose endpoint is gone, disabled, or no longer paid for has failed.
 */
export async function prepare(deliveryId: string, now: Date = Clock.now()): Promise<Prepared | undefined> {
  return transaction(async (tx) => {
    const delivery = await tx
      .selectFrom("webhook_deliveries")
      .leftJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
      .leftJoin("workspaces", "workspaces.id", "webhook_deliveries.workspace_id")
      .select([
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
    if (!delivery) return undefined;
    const { endpoint_id: id, workspace_id: workspaceId, url, secret, headers } = delivery;
    const claim = tx
      .updateTable("webhook_deliveries")
      .where("id", "=", deliveryId)
      .where("attempt_count", "=", delivery.attempt_count);
    if (
      url === null ||
      secret === null ||
      headers === null ||
      !delivery.enabled ||
      delivery.plan !== "ENTERPRISE"
    ) {
      await claim.set({ status: "failed", next_attempt_at: null, completed_at: now }).execute();
      return undefined;
    }
    const number = delivery.attempt_count + 1;
    const next_attempt_at = new Date(now.getTime() + leaseSeconds * 1000);
    await claim.set({ attempt_count: number, next_attempt_at }).execute();
    const own = Endpoint.headersOf({ id, headers });
    const secrets = Endpoint.secrets({ ...delivery, id, secret }, now);
    const signed = signedHeaders(delivery.event_id, delivery.body, secrets, now);
    await tx
      .insertInto("webhook_attempts")
      .values({
        delivery_id: deliveryId,
        number,
        at: now,
        error: unfinished,
        request_headers: JSON.stringify({
          ...Headers.shown(lowerCase(own)),
          ...signed,
          "webhook-signature": signed["webhook-signature"].replace(/v1,\S+/g, `v1,${Headers.masked}`),
        }),
      })
      .execute();
    return {
      deliveryId,
      number,
      failures: delivery.failure_count,
      endpoint: { id, workspaceId, url },
      // Ours last: nobody's own header stands in for one of them.
      request: { url, headers: { ...lowerCase(own), ...signed }, body: delivery.body },
    };
  });
}

/** The receiver has it. Also when another attempt began meanwhile: what arrived has arrived. */
export async function succeed(
  { deliveryId, number, endpoint }: Prepared,
  outcome: Call.Outcome,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    await tx
      .updateTable("webhook_attempts")
      .set(logged(outcome))
      .where("delivery_id", "=", deliveryId)
      .where("number", "=", number)
      .execute();
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
 * The receiver has not taken it: on to the next attempt, or the delivery has failed for good. 410 disables the endpoint, and
 * so does the twentieth delivery in a row that failed.
 */
export async function fail(
  { deliveryId, number, failures, endpoint }: Prepared,
  outcome: Call.Outcome,
  random?: () => number,
  now: Date = Clock.now(),
): Promise<void> {
  const gone = outcome.status === 410;
  const delay = gone ? undefined : Schedule.delaySeconds(failures + 1, outcome.retryAfterSeconds, random);
  await transaction(async (tx) => {
    await tx
      .updateTable("webhook_attempts")
      .set(logged(outcome))
      .where("delivery_id", "=", deliveryId)
      .where("number", "=", number)
      .execute();
    const judged = await tx
      .updateTable("webhook_deliveries")
      .set({
        failure_count: failures + 1,
        ...(delay === undefined
          ? { status: "failed", next_attempt_at: null, completed_at: now }
          : { next_attempt_at: new Date(now.getTime() + delay * 1000) }),
      })
      .where("id", "=", deliveryId)
      .where("status", "=", "pending")
      // Whoever took it up after us has the last word.
      .where("attempt_count", "=", number)
      .returning("id")
      .executeTakeFirst();
    if (!judged) return;
    if (delay !== undefined) return wake(tx, [{ deliveryId, endpointId: endpoint.id }], Math.ceil(delay));
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
  });
}

/** Standard Webhooks. The timestamp is that of this attempt, the id that of the event. */
function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date) {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    "content-type": "application/json",
    "user-agent": `svc-webhooks/${apiVersion}`,
    "accept-encoding": "identity",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature(secrets, { id, timestamp, body }),
  };
}

/** So that a name stands in the request once, however it was written. */
function lowerCase(headers: Headers.Headers): Headers.Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function logged({ durationMs, status, headers, body, error }: Call.Outcome) {
  return {
    duration_ms: durationMs,
    response_status: status,
    response_headers: headers && JSON.stringify(headers),
    response_body: body,
    error,
  };
}
