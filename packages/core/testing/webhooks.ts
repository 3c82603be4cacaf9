import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { catalog, type WebhookEventType } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Delivery from "../webhook/delivery.ts";
import * as Endpoint from "../webhook/endpoint.ts";
import { authorize, type Membership } from "../workspace/authorization.ts";
import { owner } from "./people.ts";

export type Subscriber = { actor: Actor; membership: Membership; token: string; email: string; name: string };

/** Creates the owner of a workspace, by default with the plan that includes webhooks. */
export async function subscriber(plan: Membership["plan"] = "ENTERPRISE"): Promise<Subscriber> {
  const { id, sessionId, workspaceId, token, email, name } = await owner("Ada", plan);
  const actor = { userId: id, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  return { actor, membership: await authorize(actor, workspaceId), token, email, name };
}

/** Registers an endpoint that subscribes to all events by default. */
export function endpoint(
  { actor, membership }: Subscriber,
  url: string,
  events: Endpoint.Create["events"] = ["*"],
  headers: Record<string, string> = {},
): Promise<Endpoint.WithSecret> {
  return Endpoint.create(actor, membership, { url, events, description: "", headers });
}

/** Records an event in a transaction, as the operation that emits it does. */
export async function emit(
  { actor, membership }: Subscriber,
  action: WebhookEventType = "project.archived",
): Promise<void> {
  const target = { type: "workspace", id: membership.workspaceId, name: "Home" } as const;
  const data = catalog[action].example;
  const event = { action, target, workspaceId: membership.workspaceId, data } as Event.Published;
  await transaction((tx) => Event.publish(tx, actor, event, Clock.now()));
}

/** Returns all deliveries to an endpoint with their attempts, oldest first. */
export async function deliveries(
  { membership }: Subscriber,
  endpointId: string,
): Promise<Delivery.WithAttempts[]> {
  const rows = await db()
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("endpoint_id", "=", endpointId)
    .orderBy("id")
    .execute();
  return Promise.all(rows.map(({ id }) => Delivery.get(membership, endpointId, id)));
}
