import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Notice from "../notices/notice.ts";
import * as Password from "../password/hash.ts";
import * as Factors from "./factors.ts";

/** How many a person has after each renewal. */
export const count = 12;

/** Crockford's base32: no letter that can be taken for another or for a digit. Ten of them are 50 random bits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 10;

export const Shown = z.object({ backupCodes: z.array(z.string()) });
export type Shown = z.infer<typeof Shown>;

/** Twelve codes, to be shown once, and what is stored of them. */
export type Fresh = { codes: string[]; salt: string; hashes: string[] };

/** Make twelve codes. Nothing is stored yet; takes about as long as twelve password checks. */
export async function make(): Promise<Fresh> {
  const salt = randomBytes(16).toString("base64url");
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newCode());
  const hashes: string[] = [];
  // One after the other: each takes 19 MiB while it runs.
  for (const code of codes) hashes.push(await hashed(code, salt));
  return { codes: [...codes], salt, hashes };
}

/** Store these in place of all that this person had. Part of a transaction; two at once conflict, and one set stays. */
export async function replace(tx: Tx, userId: string, { salt, hashes }: Fresh, now: Date): Promise<void> {
  await tx
    .insertInto("backup_code_sets")
    .values({ user_id: userId, salt, created_at: now })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ salt, created_at: now }))
    .execute();
  await tx.deleteFrom("backup_codes").where("user_id", "=", userId).execute();
  await tx
    .insertInto("backup_codes")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** Twelve new codes for the caller; the old ones are void. Throws 409 `two_factor_not_enabled`. */
export async function renew(actor: Actor, now: Date = Clock.now()): Promise<Shown> {
  const fresh = await make();
  await transaction(async (tx) => {
    if (!(await Factors.enabled(tx, actor.userId)))
      throw new Fault(
        "conflict",
        "two_factor_not_enabled",
        "Backup codes stand in for a second factor: set one up first.",
      );
    await replace(tx, actor.userId, fresh, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.backup_codes_renewed", target }, now);
  });
  await Notice.send(
    actor,
    {
      subject: "New backup codes were made",
      what: `${count} new backup codes for your account were shown. The old ones no longer work.`,
    },
    now,
  );
  return { backupCodes: fresh.codes };
}

/** Use up a code of this person and tell them so. Whether it was one: a code is deleted by whoever uses it first. */
export async function spend(
  by: RequestOrigin & { userId: string },
  code: string,
  now: Date = Clock.now(),
): Promise<boolean> {
  const set = await db()
    .selectFrom("backup_code_sets")
    .select("salt")
    .where("user_id", "=", by.userId)
    .executeTakeFirst();
  if (!set) return false;
  const hash = await hashed(code, set.salt);
  const left = await transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("backup_codes")
      .where("user_id", "=", by.userId)
      .where("code_hash", "=", hash)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return undefined;
    const target = { type: "user", id: by.userId, name: "" } as const;
    await Event.record(tx, by, { action: "user.backup_code_used", target }, now);
    return Factors.codesLeft(tx, by.userId);
  });
  if (left === undefined) return false;
  const remaining =
    left === 0 ? "none is left: make new ones" : left === 1 ? "one is left" : `${left} are left`;
  await Notice.send(
    by,
    {
      subject: "A backup code was used",
      what: `One of your backup codes was used in place of your second factor; ${remaining}.`,
    },
    now,
  );
  return true;
}

/** No codes without a factor that they stand in for. Part of the transaction that removes a factor. */
export async function dropIfAlone(tx: Tx, userId: string): Promise<void> {
  if (await Factors.enabled(tx, userId)) return;
  await tx.deleteFrom("backup_codes").where("user_id", "=", userId).execute();
  await tx.deleteFrom("backup_code_sets").where("user_id", "=", userId).execute();
}

/** As it is compared: people type capitals and blanks, and o for 0. */
export function plain(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
}

function newCode(): string {
  const letters = [...randomBytes(length)].map((byte) => alphabet[byte & 31]).join("");
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`;
}

/**
 * As slow as a password's, since 50 bits can be guessed offline (ASVS 5.0, 6.5.2), and under one salt for the set, so that
 * a try costs one hash instead of twelve.
 */
function hashed(code: string, salt: string): Promise<string> {
  return Password.hash(plain(code), Buffer.from(salt, "base64url"));
}
