import { describe, expect, it } from "vitest";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
import { owner, person } from "../../testing/people.ts";
import * as Invitation from "./invitation.ts";

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
const expiry = new Date("2026-06-01T12:00:00.000Z");
const justBefore = new Date(expiry.getTime() - 1);

/** Stores an invitation of Bob to Ada's team. */
async function invited() {
  const [ada, bob] = [await owner(), await person("Bob")];
  const [token, id] = [newSecret(), `inv_${bob.id.slice(4)}`];
  await db()
    .insertInto("invitations")
    .values({
      id,
      workspace_id: ada.workspaceId,
      team_id: ada.teamId,
      email: bob.email,
      email_key: bob.email,
      role: "member",
      token_hash: hashSecret(token),
      invited_by: ada.id,
      created_at: new Date(expiry.getTime() - 7 * 86_400_000),
      expires_at: expiry,
    })
    .execute();
  const membership = {
    workspaceId: ada.workspaceId,
    teamId: ada.teamId,
    role: "owner",
    plan: "FREE",
    timezone: "UTC",
    weekStart: 1,
    seesMoney: true,
    requiresTwoFactor: false,
    ipRestricted: false,
  } as const;
  return { actor: { userId: bob.id, sessionId: bob.sessionId, ...origin }, token, membership, id };
}

describe("accept", () => {
  it("joins the workspace until one millisecond before the invitation expires", async () => {
    const { actor, token, membership } = await invited();
    expect(await Invitation.accept(actor, { token }, justBefore)).toEqual({
      workspaceId: membership.workspaceId,
      teamId: membership.teamId,
      role: "member",
    });
  });

  it("throws link_expired at the instant the invitation expires", async () => {
    const { actor, token } = await invited();
    await expect(Invitation.accept(actor, { token }, expiry)).rejects.toMatchObject({
      kind: "expired",
      code: "link_expired",
    });
  });
});

describe("list", () => {
  it("lists an invitation until it expires, and not at that instant", async () => {
    const { membership, id } = await invited();
    expect((await Invitation.list(membership, justBefore)).map((one) => one.id)).toEqual([id]);
    expect(await Invitation.list(membership, expiry)).toEqual([]);
  });
});
