import type { Actor } from "../account/actor.ts";
import * as Clock from "../clock/clock.ts";
import { db } from "../db/engine.ts";
import { transaction } from "../db/transaction.ts";
import * as Event from "../event/event.ts";
import { catalog, type Outward } from "../webhook/catalog.ts";
import * as Delivery from "../webhook/delivery.ts";
import * as Endpoint from "../webhook/endpoint.ts";
import { admit, type Seat } from "../workspace/workspace.ts";
import { owner } from "./people.ts";

export type Subscriber = { actor: Actor; seat: Seat; token: string; email: string; name: string };

/** The owner of a workspace of their own, by default one that webhooks are for. */
export async function subscriber(plan: Seat["plan"] = "ENTERPRISE"): Promise<Subscriber> {
  const { id, sessionId, workspaceId, token, email, name } = await owner("Ada", plan);
  const actor = { userId: id, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  return { actor, seat: await admit(actor, workspaceId), token, email, name };
}

/** Register an endpoint there; everything is wanted unless said otherwise. */
export function endpoint(
  { actor, seat }: Subscriber,
  url: string,
  events: Endpoint.Create["events"] = ["*"],
  headers: Record<string, string> = {},
): Promise<Endpoint.WithSecret> {
  return Endpoint.create(actor, seat, { url, events, description: "", headers });
}

/** What an operation does that emits this event: its row, in a transaction. */
export async function emit(
  { actor, seat }: Subscriber,
  action: Outward = "project.archived",
  data: Record<string, unknown> = catalog[action].example,
): Promise<void> {
  const target = { type: "workspace", id: seat.workspaceId, name: "Home" } as const;
  await transaction((tx) =>
    Event.record(tx, actor, { action, target, workspaceId: seat.workspaceId, data }, Clock.now()),
  );
}

/** Every delivery to an endpoint with its attempts, oldest first. */
export async function deliveries({ seat }: Subscriber, endpointId: string): Promise<Delivery.WithAttempts[]> {
  const rows = await db()
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("endpoint_id", "=", endpointId)
    .orderBy("id")
    .execute();
  return Promise.all(rows.map(({ id }) => Delivery.get(seat, endpointId, id)));
}
