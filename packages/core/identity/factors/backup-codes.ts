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
import * as Session from "../sessions/session.ts";
import * as Factors from "./factors.ts";

/** Number of codes in a set. */
export const count = 12;

/** Crockford's base32, which leaves out letters that are easily confused. Ten characters are 50 random bits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 10;

export const Shown = z.object({ backupCodes: z.array(z.string()) });
export type Shown = z.infer<typeof Shown>;

/** A generated set of codes, with the salt and hashes to store. */
export type CodeSet = { codes: string[]; salt: string; hashes: string[] };

/** Generates twelve codes without storing them. Takes about as long as twelve password checks. */
export async function generate(): Promise<CodeSet> {
  const salt = randomBytes(16).toString("base64url");
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newCode());
  const hashes: string[] = [];
  // Sequential: each hash takes 19 MiB of memory while it is computed.
  for (const code of codes) hashes.push(await hashed(code, salt));
  return { codes: [...codes], salt, hashes };
}

/**
 * Stores a set in place of the user's previous one, inside the caller's transaction. Concurrent replacements cause a write
 * conflict, so that exactly one set remains.
 */
export async function replace(tx: Tx, userId: string, { salt, hashes }: CodeSet, now: Date): Promise<void> {
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

/** Replaces the caller's backup codes with twelve new ones. Throws `conflict` `two_factor_not_enabled`. */
export async function regenerate(actor: Actor, now: Date = Clock.now()): Promise<Shown> {
  const codeSet = await generate();
  await transaction(async (tx) => {
    await Session.requireOpen(tx, actor, now);
    if (!(await Factors.enabled(tx, actor.userId)))
      throw new Fault(
        "conflict",
        "two_factor_not_enabled",
        "Two-factor authentication is off. Set up an authenticator app or a security key first.",
      );
    await replace(tx, actor.userId, codeSet, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.backup_codes_renewed", target }, now);
  });
  await Notice.send(
    actor,
    {
      subject: "Your backup codes were replaced",
      text: `${count} new backup codes were created for your account. The old codes no longer work.`,
    },
    now,
  );
  return { backupCodes: codeSet.codes };
}

/** Consumes one of the user's codes and notifies them by email. Returns whether it was valid; each code is valid once. */
export async function consume(
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
  await Notice.send(
    by,
    {
      subject: "A backup code was used",
      text: `One of your backup codes was used to sign in or to confirm your identity. ${remaining(left)}`,
    },
    now,
  );
  return true;
}

/** Deletes the user's codes if no second factor remains, inside the transaction that removes a factor. */
export async function removeIfUnused(tx: Tx, userId: string): Promise<void> {
  if (await Factors.enabled(tx, userId)) return;
  await tx.deleteFrom("backup_codes").where("user_id", "=", userId).execute();
  await tx.deleteFrom("backup_code_sets").where("user_id", "=", userId).execute();
}

/** Normalizes a typed code: ignores case, spaces and dashes, and reads `o` as 0 and `i` and `l` as 1. */
export function normalize(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
}

function remaining(left: number): string {
  if (left === 0) return "You have none left. Create new ones in your security settings.";
  return left === 1 ? "You have one left." : `You have ${left} left.`;
}

function newCode(): string {
  const letters = [...randomBytes(length)].map((byte) => alphabet[byte & 31]).join("");
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`;
}

/**
 * Hashes a code with the password hash, because 50 bits can be guessed offline (ASVS 5.0, 6.5.2). A set shares one salt,
 * so that checking a code takes one hash instead of twelve.
 */
function hashed(code: string, salt: string): Promise<string> {
  return Password.hash(normalize(code), Buffer.from(salt, "base64url"));
}
