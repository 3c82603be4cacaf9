import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { transaction } from "../../platform/db/transaction.ts";

/** Lifetime of a challenge, in minutes. */
export const minutes = 5;

/** The purpose of a challenge: the ceremony, the user, and the session or sign-in (`boundTo`) that it is valid for. */
export type Ceremony = {
  ceremony: "registration" | "passkey_registration" | "login";
  userId: string;
  boundTo: string;
};

/** Creates and stores a challenge of 256 random bits, as bytes and as base64url. */
export async function issue(
  { ceremony, userId, boundTo }: Ceremony,
  now: Date,
): Promise<{ challenge: string; bytes: Uint8Array<ArrayBuffer> }> {
  const bytes = new Uint8Array(randomBytes(32));
  const challenge = Buffer.from(bytes).toString("base64url");
  const expires_at = new Date(now.getTime() + minutes * 60_000);
  await transaction((tx) =>
    tx
      .insertInto("webauthn_challenges")
      .values({ challenge, user_id: userId, ceremony, bound_to: boundTo, expires_at })
      .execute(),
  );
  return { challenge, bytes };
}

/** Deletes a challenge, so that it can be used only once. Returns whether it existed for this ceremony and had not expired. */
export async function consume(
  challenge: string,
  { ceremony, userId, boundTo }: Ceremony,
  now: Date,
): Promise<boolean> {
  const { numDeletedRows } = await transaction((tx) =>
    tx
      .deleteFrom("webauthn_challenges")
      .where("challenge", "=", challenge)
      .where("ceremony", "=", ceremony)
      .where("user_id", "=", userId)
      .where("bound_to", "=", boundTo)
      .where("expires_at", ">", now)
      .executeTakeFirst(),
  );
  return numDeletedRows === 1n;
}

/**
 * Records the use of a challenge that was signed instead of stored, so that it can be used only once. Returns whether this was
 * its first use. The record outlives the signature.
 */
export async function claim(challenge: string, now: Date): Promise<boolean> {
  const expires_at = new Date(now.getTime() + minutes * 60_000);
  const { numInsertedOrUpdatedRows } = await transaction((tx) =>
    tx
      .insertInto("used_challenges")
      .values({ challenge, expires_at })
      .onConflict((conflict) => conflict.column("challenge").doNothing())
      .executeTakeFirst(),
  );
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes expired challenges and records of used ones. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const expired = sql`expires_at < ${now}`;
  const open = await deleteInBatches("webauthn_challenges", ["challenge"], expired);
  return open + (await deleteInBatches("used_challenges", ["challenge"], expired));
}
