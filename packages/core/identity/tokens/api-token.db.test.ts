import { describe, expect, it } from "vitest";
import { db } from "../../platform/db/engine.ts";
import { owner } from "../../testing/people.ts";
import * as ApiToken from "./api-token.ts";

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
const now = new Date("2026-06-01T12:00:00.000Z");
const later = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);
const day = 86_400_000;

async function creator() {
  const ada = await owner();
  const actor = { userId: ada.id, sessionId: ada.sessionId, ...origin };
  const create = (expiresAt: Date) =>
    ApiToken.create(
      actor,
      ada,
      {
        name: "CI",
        scopes: ["read"],
        workspaceId: ada.workspaceId,
        expiresAt: expiresAt.toISOString(),
      },
      now,
    );
  return { ada, create };
}

describe("authenticate", () => {
  it("accepts an API token until one millisecond before it expires", async () => {
    const { ada, create } = await creator();
    const expiry = later(now, day);
    const { token, id } = await create(expiry);
    expect(await ApiToken.authenticate(token, origin, later(expiry, -1))).toMatchObject({
      userId: ada.id,
      sessionId: id,
      grant: { workspaceId: ada.workspaceId, scopes: ["read"] },
    });
  });

  it("throws token_expired at the instant the API token expires", async () => {
    const { create } = await creator();
    const expiry = later(now, day);
    const { token } = await create(expiry);
    await expect(ApiToken.authenticate(token, origin, expiry)).rejects.toMatchObject({
      kind: "unauthenticated",
      code: "token_expired",
    });
  });

  it("updates the last use after five minutes, and not earlier", async () => {
    const { create } = await creator();
    const { token, id } = await create(later(now, day));
    const lastUsed = async () =>
      (
        await db()
          .selectFrom("api_tokens")
          .select("last_used_at")
          .where("id", "=", id)
          .executeTakeFirstOrThrow()
      ).last_used_at;
    await ApiToken.authenticate(token, origin, now);
    expect(await lastUsed()).toEqual(now);
    await ApiToken.authenticate(token, origin, later(now, 5 * 60_000 - 1));
    expect(await lastUsed()).toEqual(now);
    await ApiToken.authenticate(token, origin, later(now, 5 * 60_000));
    expect(await lastUsed()).toEqual(later(now, 5 * 60_000));
  });
});

describe("create", () => {
  const outOfRange = {
    kind: "invalid",
    details: { errors: [{ pointer: "/expiresAt", code: "expiry_out_of_range" }] },
  };

  it("rejects an expiry at the current instant, and accepts one a millisecond later", async () => {
    const { create } = await creator();
    await expect(create(now)).rejects.toMatchObject(outOfRange);
    expect((await create(later(now, 1))).expiresAt).toBe(later(now, 1).toISOString());
  });

  it("accepts an expiry in exactly 365 days, and rejects one a millisecond later", async () => {
    const { create } = await creator();
    const longest = later(now, 365 * day);
    expect((await create(longest)).expiresAt).toBe(longest.toISOString());
    await expect(create(later(longest, 1))).rejects.toMatchObject(outOfRange);
  });
});
