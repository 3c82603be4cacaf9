import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import * as Event from "../../event/event.ts";
import { hashSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import * as Workspace from "../../workspace/workspace.ts";
import { type LoggedIn, startSession } from "../sign-in/login.ts";

export const Verify = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });
export type Verify = z.infer<typeof Verify>;

/**
 * Creates the account that a verification link was sent for, with a FREE workspace and its first team, and signs the user
 * in. Throws `expired` `link_expired` for an unknown or used link, or one older than a day.
 */
export async function verify(
  { token }: Verify,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const user = await transaction((tx) => createAccount(tx, token, origin, now)).catch((error: unknown) => {
    throw violates(error, "users_email_key") ? linkExpired() : error;
  });
  // No new-device email: the user has just opened the verification email on this device.
  return startSession(user, { name: undefined }, origin, now, { method: "email_link" });
}

async function createAccount(
  tx: Tx,
  token: string,
  origin: RequestOrigin,
  now: Date,
): Promise<{ id: string; name: string }> {
  const registration = await tx
    .deleteFrom("registrations")
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (!registration) throw linkExpired();
  const { email, name, password_hash, workspace_name } = registration;
  const id = newId("usr", now);
  await tx
    .insertInto("users")
    .values({
      id,
      email,
      email_key: EmailAddress.key(email),
      password_hash,
      name,
      email_verified_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const by = { ...origin, userId: id };
  const target = { type: "user", id, name } as const;
  await Event.record(tx, by, { action: "user.registered", target }, now);
  await Workspace.createInTransaction(tx, by, id, workspace_name, now);
  return { id, name };
}

/** Deletes expired registrations. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const deleted = await db().deleteFrom("registrations").where("expires_at", "<", now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

function linkExpired(): Fault {
  return new Fault(
    "expired",
    "link_expired",
    "This link has expired or was already used. Register again, or sign in if you have an account.",
  );
}
