import { sql } from "kysely";
import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { Id, newId } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { invalid } from "../../base/invalid.ts";
import { Name } from "../../base/text.ts";
import { scopes } from "../../base/token-scope.ts";
import * as Event from "../../event/event.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import {
  type Membership,
  membershipRowIn,
  membershipRowQuery,
  type WorkspaceRef,
} from "../../workspace/authorization.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";

/** Prefix that distinguishes API tokens from JWTs and helps secret scanners to find leaked ones. */
export const prefix = "svc_pat_";

export const maxDays = 365;
export const defaultDays = 90;
export const maxTokens = 50;

/** Shortest time in minutes between two updates of a token's last use. */
const touchMinutes = 5;

const Scopes = z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length));

export const Create = z.object({
  name: Name,
  scopes: Scopes,
  workspaceId: Id,
  /** Defaults to 90 days from now; at most 365 days from now. */
  expiresAt: z.optional(z.iso.datetime({ offset: true })),
});
export type Create = z.infer<typeof Create>;

export const View = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  workspaceId: Id,
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: z.nullable(Instant),
});
export type View = z.infer<typeof View>;

/** A new API token. Only this response contains its secret. */
export const Created = z.extend(View, { token: z.string() });
export type Created = z.infer<typeof Created>;

/** Lists the caller's API tokens, newest first. Only their hashes are stored, so the tokens themselves are not included. */
export async function list(actor: Actor): Promise<View[]> {
  const rows = await db()
    .selectFrom("api_tokens")
    .selectAll()
    .where("user_id", "=", actor.userId)
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scopes: row.scopes as View["scopes"],
    workspaceId: row.workspace_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

/**
 * Creates an API token for the caller's workspace and notifies the caller by email. It never grants more than the caller's own
 * role there. Throws `invalid` `expiry_out_of_range` unless the expiry is in the future and within a year, and `conflict`
 * `too_many_tokens`.
 */
export async function create(
  actor: Actor,
  { workspaceId }: Pick<Membership, "workspaceId">,
  input: Create,
  now: Date = Clock.now(),
): Promise<Created> {
  const { name } = input;
  const expiresAt = expiryOf(input, now);
  const granted = scopes.filter((scope) => input.scopes.includes(scope));
  const token = prefix + newSecret();
  const id = newId("pat", now);
  await transaction(async (tx) => {
    await Session.requireOpen(tx, actor, now);
    await requireCapacity(tx, actor.userId);
    await tx
      .insertInto("api_tokens")
      .values({
        id,
        token_hash: hashSecret(token),
        user_id: actor.userId,
        workspace_id: workspaceId,
        name,
        scopes: JSON.stringify(granted),
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    const target = { type: "token", id, name } as const;
    const changes = Event.changes({}, { name, scopes: granted, expiresAt: expiresAt.toISOString() });
    await Event.record(tx, actor, { action: "user.token_created", target, workspaceId, changes }, now);
  });
  await Notice.send(actor, createdNotice(name, granted, expiresAt), now);
  return {
    id,
    name,
    scopes: granted,
    workspaceId,
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: null,
    token,
  };
}

function createdNotice(name: string, granted: readonly string[], expiresAt: Date): Notice.Notice {
  return {
    subject: "An API token was created",
    text: `The API token “${name}” was created for your account. It allows ${granted.join(", ")} access until ${expiresAt.toISOString().slice(0, 10)}.`,
  };
}

function expiryOf({ expiresAt: given }: Create, now: Date): Date {
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const expiresAt = given ? new Date(given) : inDays(defaultDays);
  if (expiresAt <= now || expiresAt > inDays(maxDays))
    throw invalid(
      { pointer: "/expiresAt" },
      "expiry_out_of_range",
      `Expiry must be in the future and within ${maxDays} days.`,
    );
  return expiresAt;
}

async function requireCapacity(tx: Tx, userId: string): Promise<void> {
  const { count } = await tx
    .selectFrom("api_tokens")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxTokens)
    throw new Fault(
      "conflict",
      "too_many_tokens",
      `You already have ${maxTokens} API tokens, which is the maximum. Delete one that you no longer use.`,
    );
}

/** Deletes one of the caller's API tokens. Throws `missing` `token_not_found`. */
export async function remove(actor: Actor, tokenId: string, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    const removed = await tx
      .deleteFrom("api_tokens")
      .where("id", "=", tokenId)
      .where("user_id", "=", actor.userId)
      .returning(["name", "workspace_id"])
      .executeTakeFirst();
    if (!removed) throw new Fault("missing", "token_not_found", "API token not found.");
    await recordDeleted(tx, actor, { id: tokenId, ...removed }, now);
  });
}

/** Deletes the user's valid API tokens, inside the caller's transaction. Returns their names, oldest first. */
export async function revokeAll(
  tx: Tx,
  by: RequestOrigin & { userId: string },
  now: Date,
): Promise<string[]> {
  const revoked = await tx
    .deleteFrom("api_tokens")
    .where("user_id", "=", by.userId)
    .where("expires_at", ">", now)
    .returning(["id", "name", "workspace_id"])
    .execute();
  for (const token of revoked) await recordDeleted(tx, by, token, now);
  return revoked.sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ name }) => name);
}

async function recordDeleted(
  tx: Tx,
  by: Event.EventActor,
  { id, name, workspace_id: workspaceId }: { id: string; name: string; workspace_id: string },
  now: Date,
): Promise<void> {
  const target = { type: "token", id, name } as const;
  await Event.record(tx, by, { action: "user.token_deleted", target, workspaceId }, now);
}

/** Authenticates a caller by API token. Throws `unauthenticated` `token_invalid` or `token_expired`. */
export async function authenticate(token: string, origin: RequestOrigin, now?: Date): Promise<Actor> {
  return (await authenticateIn(undefined, token, origin, now)).actor;
}

/** Like `authenticate`, and reads the caller's membership in the same statement. The membership is not authorized yet. */
export async function authenticateIn(
  workspaceRef: WorkspaceRef | undefined,
  token: string,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<Session.Caller> {
  const found = db().selectFrom("api_tokens").where("token_hash", "=", hashSecret(token));
  const query = found.select([
    "id",
    "name",
    "user_id",
    "workspace_id",
    "scopes",
    "expires_at",
    "last_used_at",
  ]);
  const [user, workspace] = [found.select("user_id").$asScalar(), found.select("workspace_id").$asScalar()];
  const row = workspaceRef
    ? await query
        .leftJoin(membershipRowQuery(workspaceRef, user, workspace).as("membership"), (join) => join.onTrue())
        .selectAll("membership")
        .executeTakeFirst()
    : await query.executeTakeFirst();
  if (!row) throw new Fault("unauthenticated", "token_invalid", "API token is invalid.");
  const grant = { workspaceId: row.workspace_id, scopes: row.scopes };
  const actor = { ...origin, userId: row.user_id, sessionId: row.id, grant };
  if (row.expires_at <= now) {
    const target = { type: "token", id: row.id, name: row.name } as const;
    const details = { reason: "token_expired" };
    const failure = { action: "user.token_refused", target, details, workspaceId: row.workspace_id } as const;
    await Event.recordFailure(actor, failure, now);
    throw new Fault("unauthenticated", "token_expired", "API token has expired. Create a new one.");
  }
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) >= touchMinutes * 60_000)
    await touch(row.id, origin, now);
  return { actor, membershipRow: membershipRowIn(row) };
}

/** Deletes API tokens 30 days after they expire. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - 30 * 86_400_000);
  return deleteInBatches("api_tokens", ["id"], sql`expires_at < ${before}`);
}

/** Updates the token's last use. Concurrent calls write it once. Failures are logged and do not fail the call. */
async function touch(id: string, { requestId }: RequestOrigin, now: Date): Promise<void> {
  try {
    await transaction((tx) =>
      tx
        .updateTable("api_tokens")
        .set({ last_used_at: now })
        .where("id", "=", id)
        .where((eb) =>
          eb.or([
            eb("last_used_at", "is", null),
            eb("last_used_at", "<=", new Date(now.getTime() - touchMinutes * 60_000)),
          ]),
        )
        .execute(),
    );
  } catch (error) {
    log.warn("API token use not updated", { requestId, error: error as Error });
  }
}
