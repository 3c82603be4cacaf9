import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { idPattern, newId } from "../../base/id.ts";
import { invalid } from "../../base/invalid.ts";
import { Name } from "../../base/text.ts";
import { scopes } from "../../base/token-scope.ts";
import * as Event from "../../event/event.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";

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
  workspaceId: z.string().check(z.regex(idPattern)),
  /** Defaults to 90 days from now; at most 365 days from now. */
  expiresAt: z.optional(z.iso.datetime({ offset: true })),
});
export type Create = z.infer<typeof Create>;

export const View = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  workspaceId: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
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
 * Creates an API token for one of the caller's workspaces. It never grants more than the caller's own role there. Throws
 * `invalid` `expiry_out_of_range` unless the expiry is in the future and within a year, `missing` `workspace_not_found`, and
 * `conflict` `too_many_tokens`.
 */
export async function create(actor: Actor, input: Create, now: Date = Clock.now()): Promise<Created> {
  const { name, workspaceId } = input;
  const expiresAt = expiryOf(input, now);
  const granted = scopes.filter((scope) => input.scopes.includes(scope));
  const token = prefix + newSecret();
  const id = newId("pat", now);
  await transaction(async (tx) => {
    await requireMembership(tx, actor.userId, workspaceId);
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
    await Event.record(tx, actor, { action: "user.token_created", target, workspaceId }, now);
  });
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

async function requireMembership(tx: Tx, userId: string, workspaceId: string): Promise<void> {
  const membership = await tx
    .selectFrom("memberships")
    .select("role")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("status", "=", "active")
    .executeTakeFirst();
  if (!membership)
    throw new Fault("missing", "workspace_not_found", "Workspace not found, or you are not a member of it.");
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
    const target = { type: "token", id: tokenId, name: removed.name } as const;
    const workspaceId = removed.workspace_id;
    await Event.record(tx, actor, { action: "user.token_deleted", target, workspaceId }, now);
  });
}

/** Authenticates a caller by API token. Throws `unauthenticated` `token_invalid` or `token_expired`. */
export async function authenticate(
  token: string,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<Actor> {
  const row = await db()
    .selectFrom("api_tokens")
    .select(["id", "user_id", "workspace_id", "scopes", "expires_at", "last_used_at"])
    .where("token_hash", "=", hashSecret(token))
    .executeTakeFirst();
  if (!row) throw new Fault("unauthenticated", "token_invalid", "API token is invalid.");
  if (row.expires_at <= now)
    throw new Fault("unauthenticated", "token_expired", "API token has expired. Create a new one.");
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) >= touchMinutes * 60_000)
    await touch(row.id, origin, now);
  const grant = { workspaceId: row.workspace_id, scopes: row.scopes };
  return { ...origin, userId: row.user_id, sessionId: row.id, grant };
}

/** Deletes API tokens 30 days after they expire. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - 30 * 86_400_000);
  const deleted = await db().deleteFrom("api_tokens").where("expires_at", "<", before).executeTakeFirst();
  return Number(deleted.numDeletedRows);
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
