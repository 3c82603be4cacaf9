import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { Instant } from "../../base/instant.ts";
import { hasScope } from "../../base/token-scope.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Passkey from "../factors/passkey.ts";
import { recordFailure, verifyCurrent } from "../password/current.ts";
import { maxLength } from "../password/password-policy.ts";

/** How long a session counts as reauthenticated after the user entered the password or used a passkey. */
export const minutes = 10;

export const Reauthenticate = z.discriminatedUnion("method", [
  z.object({
    method: z.optional(z.literal("password")),
    password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  }),
  z.extend(Passkey.Proof, { method: z.literal("passkey") }),
]);
export type Reauthenticate = z.infer<typeof Reauthenticate>;

export const Reauthenticated = z.object({ expiresAt: Instant });
export type Reauthenticated = z.infer<typeof Reauthenticated>;

/**
 * Verifies the caller's password or passkey and marks their session as reauthenticated for ten minutes. Throws `forbidden`
 * `invalid_credentials`, and `busy` `account_temporarily_locked` for passwords.
 */
export async function reauthenticate(
  actor: Actor,
  input: Reauthenticate,
  now: Date = Clock.now(),
): Promise<Reauthenticated> {
  if (input.method === "passkey") await verifyPasskey(actor, input, now);
  else await verifyCurrent(actor, input.password, now);
  await transaction((tx) =>
    tx
      .updateTable("sessions")
      .set({ reauthenticated_at: now })
      .where("id", "=", actor.sessionId)
      .where("user_id", "=", actor.userId)
      .execute(),
  );
  return { expiresAt: new Date(now.getTime() + minutes * 60_000).toISOString() };
}

/** Throws `forbidden` `invalid_credentials` unless the proof is by one of the caller's passkeys. */
async function verifyPasskey(actor: Actor, proof: Passkey.Proof, now: Date): Promise<void> {
  const { valid, userId } = await Passkey.authenticate(proof, now);
  if (valid && userId === actor.userId) return;
  await recordFailure(actor, "passkey", "invalid_credentials", now);
  throw new Fault("forbidden", "invalid_credentials", Passkey.rejected);
}

/**
 * Throws `forbidden` `reauthentication_required` unless this session was reauthenticated within the last ten minutes. API
 * tokens with the scope `admin` pass, because creating them needed it.
 */
export async function requireRecent(actor: Actor, now: Date = Clock.now()): Promise<void> {
  if (actor.grant && hasScope(actor.grant, "admin")) return;
  const recent = await db()
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", actor.sessionId)
    .where("user_id", "=", actor.userId)
    .where("reauthenticated_at", ">", new Date(now.getTime() - minutes * 60_000))
    .executeTakeFirst();
  if (recent) return;
  throw new Fault(
    "forbidden",
    "reauthentication_required",
    `Confirm your identity with your password or a passkey. The confirmation is valid for ${minutes} minutes.`,
  );
}
