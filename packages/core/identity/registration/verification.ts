import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import * as Event from "../../event/event.ts";
import { hashSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import * as Workspace from "../../workspace/workspace.ts";
import { enter, type LoggedIn } from "../sign-in/login.ts";

export const Verify = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });
export type Verify = z.infer<typeof Verify>;

/**
 * Open the account that a mailed link was for, with a FREE workspace and its first team, and let its owner in. Throws 410
 * `link_expired` for a link that was used, is older than a day, or never was.
 */
export async function verify(
  { token }: Verify,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const expired = new Fault(
    "expired",
    "link_expired",
    "This link was used before or is too old. Register again, or log in.",
  );
  const user = await transaction(async (tx) => {
    const asked = await tx
      .deleteFrom("registrations")
      .where("token_hash", "=", hashSecret(token))
      .where("expires_at", ">", now)
      .returningAll()
      .executeTakeFirst();
    if (!asked) throw expired;
    const id = newId("usr", now);
    await tx
      .insertInto("users")
      .values({
        id,
        email: asked.email,
        email_key: EmailAddress.key(asked.email),
        password_hash: asked.password_hash,
        name: asked.name,
        email_verified_at: now,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const by = { ...origin, userId: id };
    await Event.record(
      tx,
      by,
      { action: "user.registered", target: { type: "user", id, name: asked.name } },
      now,
    );
    await Workspace.found(tx, by, id, asked.workspace_name, now);
    return { id, name: asked.name };
  }).catch((error: unknown) => {
    throw violates(error, "users_email_key") ? expired : error;
  });
  // Nobody is told of it: a mail was what brought them here.
  return enter(user, { name: undefined }, origin, now, { method: "email_link" });
}

/** Forget requests for accounts that nobody opened. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const gone = await db().deleteFrom("registrations").where("expires_at", "<", now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
