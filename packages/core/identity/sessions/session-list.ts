import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { IpAddress } from "../../base/ip-address.ts";
import * as Event from "../../event/event.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as UserAgent from "../devices/user-agent.ts";
import * as Session from "./session.ts";

export const View = z.object({
  id: Id,
  deviceId: Id,
  device: z.string(),
  browser: z.string(),
  system: z.string(),
  ip: IpAddress,
  country: z.nullable(z.string()),
  createdAt: Instant,
  lastSeenAt: Instant,
  expiresAt: Instant,
  current: z.boolean(),
});
export type View = z.infer<typeof View>;

/** Lists the caller's active sessions, most recently used first. */
export async function list(actor: Actor, now: Date = Clock.now()): Promise<View[]> {
  const rows = await db()
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoin("devices", "devices.id", "sessions.device_id")
    .selectAll("sessions")
    .select(["users.idle_timeout_minutes", "devices.name as device"])
    .where("sessions.user_id", "=", actor.userId)
    .where("sessions.ended_at", "is", null)
    .where("sessions.expires_at", ">", now)
    .orderBy("sessions.last_seen_at", "desc")
    .orderBy("sessions.id")
    .execute();
  return rows
    .filter((row) => now.getTime() - row.last_seen_at.getTime() <= row.idle_timeout_minutes * 60_000)
    .map((row) => {
      const client = UserAgent.client(row.user_agent);
      return {
        id: row.id,
        deviceId: row.device_id,
        device: row.device ?? UserAgent.label(client),
        ...client,
        ip: row.ip,
        country: row.country || null,
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.last_seen_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
        current: row.id === actor.sessionId,
      };
    });
}

/** Ends one of the caller's sessions, which may be the current one. Throws `missing` `session_not_found`. */
export async function end(actor: Actor, sessionId: string, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    if (!(await Session.end(tx, actor.userId, sessionId, now)))
      throw new Fault("missing", "session_not_found", "Session not found, or already ended.");
    const target = { type: "session", id: sessionId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.session_ended", target }, now);
  });
}

/** Ends all of the caller's sessions except the current one. */
export async function endOthers(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    await Session.endOthers(tx, actor.userId, actor.sessionId, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.sessions_ended", target }, now);
  });
}
