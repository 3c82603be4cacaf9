import { describe, expect, it } from "vitest";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
import { person } from "../../testing/people.ts";
import * as Password from "./hash.ts";
import { reset } from "./reset.ts";

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
const expiry = new Date("2026-06-01T12:00:00.000Z");
const password = "a completely new password";

/** Stores a reset link for a user and returns its token. */
async function linkFor(userId: string): Promise<string> {
  const token = newSecret();
  await db()
    .insertInto("password_resets")
    .values({
      token_hash: hashSecret(token),
      user_id: userId,
      created_at: new Date(expiry.getTime() - 3_600_000),
      expires_at: expiry,
    })
    .execute();
  return token;
}

async function hasNewPassword(userId: string): Promise<boolean> {
  const user = await db()
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return Password.matches(password, user.password_hash);
}

describe("reset", () => {
  it("sets the password with a link until one millisecond before it expires", async () => {
    const ada = await person();
    const token = await linkFor(ada.id);
    await reset({ token, password }, origin, new Date(expiry.getTime() - 1));
    expect(await hasNewPassword(ada.id)).toBe(true);
  });

  it("throws link_expired at the instant the link expires, and keeps the password", async () => {
    const ada = await person();
    const token = await linkFor(ada.id);
    await expect(reset({ token, password }, origin, expiry)).rejects.toMatchObject({
      kind: "expired",
      code: "link_expired",
    });
    expect(await hasNewPassword(ada.id)).toBe(false);
  });
});
