import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
import { password } from "../../testing/people.ts";
import * as Password from "../password/hash.ts";
import { verify } from "./verification.ts";

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
const expiry = new Date("2026-06-01T12:00:00.000Z");

/** Stores a registration with a verification link, and returns its email and token. */
async function registration() {
  const [token, email] = [newSecret(), `${randomUUID()}@new.test`];
  await db()
    .insertInto("registrations")
    .values({
      token_hash: hashSecret(token),
      email,
      email_key: email,
      name: "Ada",
      password_hash: await Password.hash(password),
      workspace_name: "Home",
      created_at: new Date(expiry.getTime() - 86_400_000),
      expires_at: expiry,
    })
    .execute();
  return { token, email };
}

describe("verify", () => {
  it("creates the account and signs in until one millisecond before the link expires", async () => {
    const { token, email } = await registration();
    const loggedIn = await verify({ token, password }, origin, new Date(expiry.getTime() - 1));
    expect(loggedIn.user).toMatchObject({ email, workspaces: [{ name: "Home", role: "owner" }] });
    const events = db().selectFrom("events").select(["action", "actor_id"]);
    expect(await events.where("target_id", "=", loggedIn.user.id).execute()).toContainEqual({
      action: "user.registered",
      actor_id: loggedIn.user.id,
    });
  });

  it("throws link_expired at the instant the link expires, and creates no account", async () => {
    const { token, email } = await registration();
    await expect(verify({ token, password }, origin, expiry)).rejects.toMatchObject({
      kind: "expired",
      code: "link_expired",
    });
    expect(await db().selectFrom("users").select("id").where("email", "=", email).execute()).toEqual([]);
  });
});
