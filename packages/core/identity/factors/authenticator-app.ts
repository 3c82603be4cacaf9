import { randomBytes } from "node:crypto";
import { encodeQR } from "qr";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import * as Sealed from "../../platform/crypto/sealed.ts";
import { totpContext } from "../../platform/crypto/sealed-columns.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Notice from "../notices/notice.ts";
import * as BackupCodes from "./backup-codes.ts";
import * as Totp from "./totp.ts";

/** Who the account in the app belongs to. */
const issuer = "svc";

/** A secret that was shown and not confirmed by then is void. */
export const setUpMinutes = 60;

export const SetUp = z.object({ secret: z.string(), otpauthUri: z.string(), qrSvg: z.string() });
export type SetUp = z.infer<typeof SetUp>;

export const Confirm = z.object({ code: z.string().check(z.minLength(1), z.maxLength(20)) });
export type Confirm = z.infer<typeof Confirm>;

/**
 * A new secret for the caller's authenticator app. It is no factor before a first code has confirmed it; asking again makes
 * another. Throws 409 `totp_already_enabled`.
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
 * The app shows the right codes: from now on it is a factor. Answers twelve new backup codes. Throws 422 `code_invalid`,
 * 409 `totp_not_begun` and `totp_already_enabled`.
 */
export async function confirm(
  actor: Actor,
  { code }: Confirm,
  now: Date = Clock.now(),
): Promise<BackupCodes.Shown> {
  const since = new Date(now.getTime() - setUpMinutes * 60_000);
  const row = await db()
    .selectFrom("totp_factors")
    .selectAll()
    .where("user_id", "=", actor.userId)
    .where((or) => or.or([or("confirmed_at", "is not", null), or("created_at", ">", since)]))
    .executeTakeFirst();
  if (!row)
    throw new Fault("conflict", "totp_not_begun", "Ask for a secret first, and confirm it within the hour.");
  if (row.confirmed_at) throw alreadyEnabled();
  const step = matching(row, code, now);
  if (step === undefined) {
    const message = "This is not the code that the app should show now. Check the clock of the device.";
    throw new Fault("invalid", "code_invalid", message, {
      errors: [{ pointer: "/code", code: "code_invalid", detail: message }],
    });
  }
  const fresh = await BackupCodes.make();
  await transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("totp_factors")
      .set({ confirmed_at: now, last_step: step })
      .where("user_id", "=", actor.userId)
      .where("secret_sealed", "=", row.secret_sealed)
      .where("confirmed_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw alreadyEnabled();
    await BackupCodes.replace(tx, actor.userId, fresh, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.totp_enabled", target }, now);
  });
  await Notice.send(
    actor,
    {
      subject: "An authenticator app was added",
      what: "An authenticator app was set up for your account. Logging in now takes a code from it.",
    },
    now,
  );
  return { backupCodes: fresh.codes };
}

/** The app is no factor any more; without another one, the backup codes are void too. Throws 404 `factor_not_found`. */
export async function remove(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("totp_factors")
      .where("user_id", "=", actor.userId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst();
    if (numDeletedRows !== 1n)
      throw new Fault("missing", "factor_not_found", "No authenticator app is set up.");
    await BackupCodes.dropIfAlone(tx, actor.userId);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.totp_removed", target }, now);
  });
  await Notice.send(
    actor,
    {
      subject: "An authenticator app was removed",
      what: "The authenticator app of your account was removed. Its codes no longer work.",
    },
    now,
  );
}

/** Use up a code of this person's app. Whether it was one: a time step counts once, and none before one that was used. */
export async function spend(userId: string, code: string, now: Date): Promise<boolean> {
  const row = await db()
    .selectFrom("totp_factors")
    .selectAll()
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  const step = row && matching(row, code, now);
  if (step === undefined) return false;
  const { numUpdatedRows } = await transaction((tx) =>
    tx
      .updateTable("totp_factors")
      .set({ last_step: step })
      .where("user_id", "=", userId)
      .where("secret_sealed", "=", row?.secret_sealed ?? "")
      .where("last_step", "<", step)
      .executeTakeFirst(),
  );
  return numUpdatedRows === 1n;
}

/** Forget secrets that nobody confirmed. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - setUpMinutes * 60_000);
  const gone = await db()
    .deleteFrom("totp_factors")
    .where("confirmed_at", "is", null)
    .where("created_at", "<", before)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

function matching(
  row: { user_id: string; secret_sealed: string; last_step: number },
  code: string,
  now: Date,
) {
  const secret = Buffer.from(Sealed.open(row.secret_sealed, totpContext(row.user_id)), "base64url");
  return Totp.matchingStep(secret, code.replaceAll(/\s/g, ""), row.last_step, now);
}

function alreadyEnabled(): Fault {
  return new Fault(
    "conflict",
    "totp_already_enabled",
    "An authenticator app is set up already. Remove it first.",
  );
}
