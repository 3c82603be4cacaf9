import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import * as Token from "./token.ts";

/** No session lives longer, however busy it is. */
export const maxDays = 90;

/** Activity is written down at most this often. */
export const touchSeconds = 30;

export type Session = { id: string; userId: string; createdAt: Date; expiresAt: Date };

/** A new session, as a row: part of the transaction that lets its owner in. */
export async function open(
  tx: Tx,
  userId: string,
  deviceId: string,
  origin: RequestOrigin,
  now: Date,
  { country = "", bypassUntil }: { country?: string; bypassUntil?: Date | undefined } = {},
): Promise<Session> {
  const session = {
    id: newId("ses", now),
    userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + maxDays * 86_400_000),
  };
  await tx
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: userId,
      device_id: deviceId,
      ip: origin.ip,
      user_agent: origin.userAgent,
      created_at: now,
      last_seen_at: now,
      expires_at: session.expiresAt,
      country,
      bypass_until: bypassUntil ?? null,
    })
    .execute();
  await tx.updateTable("users").set({ last_active_at: now }).where("id", "=", userId).execute();
  return session;
}

/** The token that proves this session. */
export function token(session: Session): Promise<string> {
  return Token.sign({ userId: session.userId, sessionId: session.id }, session.createdAt, session.expiresAt);
}

/**
 * Who calls with this token. The row decides, not the token: a session that was ended, idle for longer than its owner
 * allows, or is past its end is over at once. Throws 401 `token_invalid`, `token_expired` or `session_ended`.
 */
export async function authenticate(
  jwt: string,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<Actor> {
  const { userId, sessionId } = await Token.verify(jwt, now);
  const row = await db()
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "sessions.last_seen_at",
      "sessions.expires_at",
      "sessions.ended_at",
      "sessions.bypass_until",
      "users.idle_timeout_minutes",
    ])
    .where("sessions.id", "=", sessionId)
    .where("sessions.user_id", "=", userId)
    .executeTakeFirst();
  const idleMs = row ? now.getTime() - row.last_seen_at.getTime() : 0;
  if (!row || row.ended_at || row.expires_at <= now || idleMs > row.idle_timeout_minutes * 60_000)
    throw new Fault("unauthenticated", "session_ended", "This session is over. Log in again.");
  if (idleMs >= touchSeconds * 1000) await touch(sessionId, userId, origin, now);
  return { ...origin, userId, sessionId, ...(row.bypass_until && { bypassUntil: row.bypass_until }) };
}

/**
 * A call must not fail because its activity could not be written down. Of several at once the first writes; the others,
 * which lose the race, find it written when they look again.
 */
async function touch(
  sessionId: string,
  userId: string,
  { requestId }: RequestOrigin,
  now: Date,
): Promise<void> {
  try {
    await transaction(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable("sessions")
        .set({ last_seen_at: now })
        .where("id", "=", sessionId)
        .where("last_seen_at", "<=", new Date(now.getTime() - touchSeconds * 1000))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return;
      await tx.updateTable("users").set({ last_active_at: now }).where("id", "=", userId).execute();
    });
  } catch (error) {
    log.warn("activity not written", { requestId, error: error as Error });
  }
}

/**
 * End one session of this person: it is over at the next request, whatever its token says. Answers whether there was one
 * to end.
 */
export async function end(tx: Tx, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const ended = await tx
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("id", "=", sessionId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return ended !== undefined;
}

/** End all sessions of this person but one. */
export async function endOthers(tx: Tx, userId: string, keptId: string, now: Date): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("user_id", "=", userId)
    .where("id", "<>", keptId)
    .where("ended_at", "is", null)
    .execute();
}

/** End all sessions of this person. */
export async function endAll(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
}

/** Forget sessions a month after their end. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - 30 * 86_400_000);
  const gone = await db()
    .deleteFrom("sessions")
    .where((or) => or.or([or("expires_at", "<", before), or("ended_at", "<", before)]))
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
