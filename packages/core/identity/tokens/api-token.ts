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
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";

/** By this a token is told from a JWT, and found in a log or a repository by those who look for leaked ones. */
export const prefix = "svc_pat_";

export const maxDays = 365;
export const defaultDays = 90;
export const maxTokens = 50;

/** Use is written down at most this often. */
const touchMinutes = 5;

const Scopes = z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length));

export const Create = z.object({
  name: Name,
  scopes: Scopes,
  workspaceId: z.string().check(z.regex(idPattern)),
  /** In 90 days unless said otherwise, in a year at the latest. */
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

/** The one time that the token itself is shown. */
export const Created = z.extend(View, { token: z.string() });
export type Created = z.infer<typeof Created>;

/** The caller's tokens, newest first. What they are is not kept, only its hash. */
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
 * A token for a program of the caller's, good in one workspace of theirs and never for more than they may do there. Throws
 * 422 for an end in the past or more than a year away, 404 `workspace_not_found`, and 409 `too_many_tokens`.
 */
export async function create(actor: Actor, input: Create, now: Date = Clock.now()): Promise<Created> {
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const expiresAt = input.expiresAt ? new Date(input.expiresAt) : inDays(defaultDays);
  if (expiresAt <= now || expiresAt > inDays(maxDays))
    throw invalid(
      { pointer: "/expiresAt" },
      "expiry_out_of_range",
      `Must be in the future, and within ${maxDays} days.`,
    );
  const token = prefix + newSecret();
  const id = newId("pat", now);
  const granted = scopes.filter((scope) => input.scopes.includes(scope));
  await transaction(async (tx) => {
    const membership = await tx
      .selectFrom("memberships")
      .select("role")
      .where("workspace_id", "=", input.workspaceId)
      .where("user_id", "=", actor.userId)
      .where("status", "=", "active")
      .executeTakeFirst();
    if (!membership)
      throw new Fault(
        "missing",
        "workspace_not_found",
        "There is no such workspace, or you are not a member of it.",
      );
    const { count } = await tx
      .selectFrom("api_tokens")
      .select(({ fn }) => fn.countAll<bigint>().as("count"))
      .where("user_id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxTokens)
      throw new Fault(
        "conflict",
        "too_many_tokens",
        `A person may have ${maxTokens} tokens. Delete one that is not used.`,
      );
    await tx
      .insertInto("api_tokens")
      .values({
        id,
        token_hash: hashSecret(token),
        user_id: actor.userId,
        workspace_id: input.workspaceId,
        name: input.name,
        scopes: JSON.stringify(granted),
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    const target = { type: "token", id, name: input.name } as const;
    const { workspaceId } = input;
    await Event.record(tx, actor, { action: "user.token_created", target, workspaceId }, now);
  });
  return {
    id,
    name: input.name,
    scopes: granted,
    workspaceId: input.workspaceId,
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: null,
    token,
  };
}

/** The token stops at the next request. Throws 404 `token_not_found`. */
export async function remove(actor: Actor, tokenId: string, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    const gone = await tx
      .deleteFrom("api_tokens")
      .where("id", "=", tokenId)
      .where("user_id", "=", actor.userId)
      .returning(["name", "workspace_id"])
      .executeTakeFirst();
    if (!gone) throw new Fault("missing", "token_not_found", "You have no such token.");
    const target = { type: "token", id: tokenId, name: gone.name } as const;
    const workspaceId = gone.workspace_id;
    await Event.record(tx, actor, { action: "user.token_deleted", target, workspaceId }, now);
  });
}

/** Whose program calls with this token. Throws 401 `token_invalid` or `token_expired`. */
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
  if (!row) throw new Fault("unauthenticated", "token_invalid", "This token is not valid.");
  if (row.expires_at <= now)
    throw new Fault("unauthenticated", "token_expired", "This token has expired. Make a new one.");
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) >= touchMinutes * 60_000)
    await touch(row.id, origin, now);
  const grant = { workspaceId: row.workspace_id, scopes: row.scopes };
  return { ...origin, userId: row.user_id, sessionId: row.id, grant };
}

/** Forget tokens a month after their end. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - 30 * 86_400_000);
  const gone = await db().deleteFrom("api_tokens").where("expires_at", "<", before).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

/** A call must not fail because its use could not be written down. Of several at once the first writes, as for a session. */
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
    log.warn("use not written", { requestId, error: error as Error });
  }
}
