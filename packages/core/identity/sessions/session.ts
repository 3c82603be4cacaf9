import { sql } from "kysely";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import {
  membershipRowIn,
  membershipRowQuery,
  type WorkspaceRef,
  type WorkspaceRow,
} from "../../workspace/authorization.ts";
import * as Token from "./token.ts";

/** Longest lifetime of a session in days, regardless of activity. */
export const maxDays = 90;

/** Shortest time in seconds between two updates of a session's last activity. */
export const touchSeconds = 30;

export type Session = { id: string; userId: string; createdAt: Date; expiresAt: Date };

/** Creates a session, inside the transaction that signs the user in. */
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

/** Signs the access token of a session. */
export function token(session: Session): Promise<string> {
  return Token.sign({ userId: session.userId, sessionId: session.id }, session.createdAt, session.expiresAt);
}

/** A caller, and their membership in the workspace of the request if it names one and they have one there. */
export type Caller = { actor: Actor; membershipRow?: WorkspaceRow | undefined };

/**
 * Authenticates a caller by access token. Checks the session row on every call, so that a session stops working as soon as it
 * is ended, expired, or idle for longer than the user's idle timeout. Throws `unauthenticated` `token_invalid`,
 * `token_expired` or `session_ended`.
 */
export async function authenticate(jwt: string, origin: RequestOrigin, now?: Date): Promise<Actor> {
  return (await authenticateIn(undefined, jwt, origin, now)).actor;
}

/** Like `authenticate`, and reads the caller's membership in the same statement. The membership is not authorized yet. */
export async function authenticateIn(
  workspaceRef: WorkspaceRef | undefined,
  jwt: string,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<Caller> {
  const { userId, sessionId } = await Token.verify(jwt, now);
  const session = db()
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
    .where("sessions.user_id", "=", userId);
  const row = workspaceRef
    ? await session
        .leftJoin(membershipRowQuery(workspaceRef, userId).as("membership"), (join) => join.onTrue())
        .selectAll("membership")
        .executeTakeFirst()
    : await session.executeTakeFirst();
  const idleMs = row ? now.getTime() - row.last_seen_at.getTime() : 0;
  if (!row || row.ended_at || row.expires_at <= now || idleMs > row.idle_timeout_minutes * 60_000)
    throw ended();
  if (idleMs >= touchSeconds * 1000) await touch(sessionId, userId, origin, now);
  const actor = { ...origin, userId, sessionId, ...(row.bypass_until && { bypassUntil: row.bypass_until }) };
  return { actor, membershipRow: membershipRowIn(row) };
}

function ended(): Fault {
  return new Fault("unauthenticated", "session_ended", "This session has ended. Sign in again.");
}

/**
 * Updates the session's last activity. When several calls run at once, one of them writes. The others get a write conflict,
 * retry and find it up to date. Failures are logged and do not fail the call.
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
    log.warn("session activity not updated", { requestId, error: error as Error });
  }
}

/**
 * Requires that the actor's session is still open when `tx` commits, by writing its row. Without it, the changes of this request
 * could outlive a new password that is set at the same time and ends the session. Throws `unauthenticated` `session_ended`.
 */
export async function requireOpen(tx: Tx, actor: Actor, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("sessions")
    .set({ last_seen_at: now })
    .where("id", "=", actor.sessionId)
    .where("user_id", "=", actor.userId)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw ended();
}

/** Ends one of the user's sessions, from the next request on. Returns whether there was an open session to end. */
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

/** Ends all of the user's sessions except one. */
export async function endOthers(tx: Tx, userId: string, exceptId: string, now: Date): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("user_id", "=", userId)
    .where("id", "<>", exceptId)
    .where("ended_at", "is", null)
    .execute();
}

/** Ends all of the user's sessions. */
export async function endAll(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
}

/** Deletes sessions 30 days after their end. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - 30 * 86_400_000);
  // Two conditions, because each has its own index.
  const expired = await deleteInBatches("sessions", ["id"], sql`expires_at < ${before}`);
  return expired + (await deleteInBatches("sessions", ["id"], sql`ended_at < ${before}`));
}
