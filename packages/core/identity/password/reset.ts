import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import { hashSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { changed } from "../../platform/db/version.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";
import * as ApiToken from "../tokens/api-token.ts";
import { changedNotice } from "./change.ts";
import * as Password from "./hash.ts";
import { NewPassword, requireStrong } from "./new-password.ts";

export const Reset = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: NewPassword,
});
export type Reset = z.infer<typeof Reset>;

/**
 * Sets a new password with the token of a reset link, ends all of the user's sessions, revokes their API tokens and voids their
 * other links. Does not sign in, so that a second factor is still required. Throws `expired` `link_expired`, and `invalid`
 * `password_too_weak`, which does not consume the link.
 */
export async function reset(
  { token, password }: Reset,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<void> {
  await requireStrong(password, await ownerOf(token, now), "/password");
  const passwordHash = await Password.hash(password);
  const { userId, revoked } = await transaction(async (tx) => {
    const user = await consumeLink(tx, token, passwordHash, now);
    await tx.deleteFrom("password_resets").where("user_id", "=", user.id).execute();
    await Session.endAll(tx, user.id, now);
    const by = { ...origin, userId: user.id };
    const target = { type: "user", ...user } as const;
    await Event.record(tx, by, { action: "user.password_reset", target }, now);
    return { userId: user.id, revoked: await ApiToken.revokeAll(tx, by, now) };
  });
  await Notice.send({ ...origin, userId }, changedNotice(revoked), now);
}

/** Returns the user of a valid link. */
async function ownerOf(token: string, now: Date): Promise<{ name: string; email: string }> {
  const user = await db()
    .selectFrom("password_resets")
    .innerJoin("users", "users.id", "password_resets.user_id")
    .select(["users.name", "users.email"])
    .where("password_resets.token_hash", "=", hashSecret(token))
    .where("password_resets.expires_at", ">", now)
    .executeTakeFirst();
  if (!user) throw linkExpired();
  return user;
}

/** Deletes a valid link, stores the new password of its user and returns the user. */
async function consumeLink(
  tx: Tx,
  token: string,
  passwordHash: string,
  now: Date,
): Promise<{ id: string; name: string }> {
  const link = await tx
    .deleteFrom("password_resets")
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  if (!link) throw linkExpired();
  const user = await tx
    .updateTable("users")
    .set({ password_hash: passwordHash, ...changed(now) })
    .where("id", "=", link.user_id)
    .returning(["id", "name"])
    .executeTakeFirst();
  if (!user) throw linkExpired();
  return user;
}

function linkExpired(): Fault {
  return new Fault(
    "expired",
    "link_expired",
    "This link has expired or was already used. Request a new one.",
  );
}
