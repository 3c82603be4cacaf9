import { randomBytes } from "node:crypto";
import * as Clock from "../../base/clock.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";

/** How long the person has to touch the reader. */
export const minutes = 5;

/** What is being asked for, of whom, and for which session or which login: the answer counts for that alone. */
export type Ceremony = { ceremony: "registration" | "login"; userId: string; boundTo: string };

/** A new challenge for the authenticator: 256 random bits, base64url. */
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

/** Use up a challenge, whatever comes of the answer. Whether it was one of ours, for just this, and in time. */
export async function take(
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

/** Forget challenges that nobody answered. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const gone = await db().deleteFrom("webauthn_challenges").where("expires_at", "<", now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
