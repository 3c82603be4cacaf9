import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { encodeQR } from "qr";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { invalidWithCode } from "../../base/invalid.ts";
import * as Event from "../../event/event.ts";
import * as Sealed from "../../platform/crypto/sealed.ts";
import { totpContext } from "../../platform/crypto/sealed-columns.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";
import * as BackupCodes from "./backup-codes.ts";
import * as Totp from "./totp.ts";

/** The issuer that authenticator apps display next to the account. */
const issuer = "svc";

/** Unconfirmed secrets expire after this time. */
export const setUpMinutes = 60;

export const SetUp = z.object({ secret: z.string(), otpauthUri: z.string(), qrSvg: z.string() });
export type SetUp = z.infer<typeof SetUp>;

export const Confirm = z.object({ code: z.string().check(z.minLength(1), z.maxLength(20)) });
export type Confirm = z.infer<typeof Confirm>;

/**
 * Creates a secret for the caller's authenticator app, replacing an unconfirmed one. The app becomes a factor once
 * `confirm` succeeds. Throws `conflict` `totp_already_enabled`.
 */
export async function begin(actor: Actor, now: Date = Clock.now()): Promise<SetUp> {
  const bytes = randomBytes(Totp.secretBytes);
  const secret = Totp.base32(bytes);
  const sealed = Sealed.seal(bytes.toString("base64url"), totpContext(actor.userId));
  const row = { secret_sealed: sealed, last_step: 0, created_at: now };
  const user = await transaction(async (tx) => {
    const written = await tx
      .insertInto("totp_factors")
      .values({ user_id: actor.userId, ...row })
      .onConflict((conflict) =>
        conflict.column("user_id").doUpdateSet(row).where("totp_factors.confirmed_at", "is", null),
      )
      .executeTakeFirst();
    if (written.numInsertedOrUpdatedRows !== 1n) throw alreadyEnabled();
    return tx.selectFrom("users").select("email").where("id", "=", actor.userId).executeTakeFirstOrThrow();
  });
  const otpauthUri = Totp.uri(secret, issuer, user.email);
  return { secret, otpauthUri, qrSvg: encodeQR(otpauthUri, "svg") };
}

/**
 * Enables the authenticator app after verifying a first code, and returns twelve new backup codes. Throws `invalid`
 * `code_invalid`, and `conflict` `totp_not_begun` or `totp_already_enabled`.
 */
export async function confirm(
  actor: Actor,
  { code }: Confirm,
  now: Date = Clock.now(),
): Promise<BackupCodes.Shown> {
  const factor = await unconfirmedFactor(actor.userId, now);
  const step = matchingStep(factor, code, now);
  if (step === undefined)
    throw invalidWithCode(
      { pointer: "/code" },
      "code_invalid",
      "Incorrect code. Enter the code that the app shows now, and check that your device's clock is correct.",
    );
  const backupCodes = await BackupCodes.generate();
  await transaction(async (tx) => {
    await Session.requireOpen(tx, actor, now);
    const { numUpdatedRows } = await tx
      .updateTable("totp_factors")
      .set({ confirmed_at: now, last_step: step })
      .where("user_id", "=", actor.userId)
      .where("secret_sealed", "=", factor.secret_sealed)
      .where("confirmed_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw alreadyEnabled();
    await BackupCodes.replace(tx, actor.userId, backupCodes, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.totp_enabled", target }, now);
  });
  await Notice.send(
    actor,
    {
      subject: "An authenticator app was added",
      text: "An authenticator app was added to your account. Signing in now requires a code from it.",
    },
    now,
  );
  return { backupCodes: backupCodes.codes };
}

/**
 * Removes the authenticator app, and the backup codes if no other factor remains. Throws `missing` `factor_not_found`.
 */
export async function remove(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("totp_factors")
      .where("user_id", "=", actor.userId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst();
    if (numDeletedRows !== 1n)
      throw new Fault("missing", "factor_not_found", "No authenticator app is set up.");
    await BackupCodes.removeIfUnused(tx, actor.userId);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.totp_removed", target }, now);
  });
  await Notice.send(
    actor,
    {
      subject: "An authenticator app was removed",
      text: "The authenticator app was removed from your account. Its codes no longer work.",
    },
    now,
  );
}

/**
 * Consumes a code of the user's app. Returns whether it was valid. A time step is accepted once, and not after a later
 * step was used (RFC 6238, section 5.2).
 */
export async function consume(userId: string, code: string, now: Date): Promise<boolean> {
  const factor = await db()
    .selectFrom("totp_factors")
    .selectAll()
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  const step = factor && matchingStep(factor, code, now);
  if (step === undefined) return false;
  const { numUpdatedRows } = await transaction((tx) =>
    tx
      .updateTable("totp_factors")
      .set({ last_step: step })
      .where("user_id", "=", userId)
      .where("secret_sealed", "=", factor?.secret_sealed ?? "")
      .where("last_step", "<", step)
      .executeTakeFirst(),
  );
  return numUpdatedRows === 1n;
}

/** Deletes expired unconfirmed secrets. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - setUpMinutes * 60_000);
  const expired = sql`confirmed_at IS NULL AND created_at < ${before}`;
  return deleteInBatches("totp_factors", ["user_id"], expired);
}

type TotpFactor = { user_id: string; secret_sealed: string; last_step: number };

/** Loads the caller's unexpired unconfirmed secret. */
async function unconfirmedFactor(userId: string, now: Date): Promise<TotpFactor> {
  const since = new Date(now.getTime() - setUpMinutes * 60_000);
  const factor = await db()
    .selectFrom("totp_factors")
    .selectAll()
    .where("user_id", "=", userId)
    .where((or) => or.or([or("confirmed_at", "is not", null), or("created_at", ">", since)]))
    .executeTakeFirst();
  if (!factor)
    throw new Fault(
      "conflict",
      "totp_not_begun",
      `Set-up has not started or has expired. Request a new secret and confirm it within ${setUpMinutes} minutes.`,
    );
  if (factor.confirmed_at) throw alreadyEnabled();
  return factor;
}

function matchingStep(factor: TotpFactor, code: string, now: Date): number | undefined {
  const secret = Buffer.from(Sealed.open(factor.secret_sealed, totpContext(factor.user_id)), "base64url");
  return Totp.matchingStep(secret, code.replaceAll(/\s/g, ""), factor.last_step, now);
}

function alreadyEnabled(): Fault {
  return new Fault(
    "conflict",
    "totp_already_enabled",
    "An authenticator app is already set up. Remove it first.",
  );
}
