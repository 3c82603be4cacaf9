import { describe, expect, it } from "vitest";
import { db } from "../platform/db/engine.ts";
import { colleague, type Home, owner, type Person } from "../testing/people.ts";
import { leave, transfer } from "./leave-workspace.ts";

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
const actorOf = ({ id, sessionId }: Person) => ({ userId: id, sessionId, ...origin });
const ownerIn = ({ workspaceId }: Home) =>
  ({
    workspaceId,
    role: "owner",
    plan: "FREE",
    timezone: "UTC",
    weekStart: 1,
    seesMoney: true,
    requiresTwoFactor: false,
    ipRestricted: false,
  }) as const;

async function ownersOf({ workspaceId }: Home): Promise<string[]> {
  const rows = await db()
    .selectFrom("memberships")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("role", "=", "owner")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

describe("transfer", () => {
  it("leaves exactly one owner when the owner transfers to two members at once", async () => {
    const ada = await owner();
    const [bob, cy] = [await colleague(ada, "member", "Bob"), await colleague(ada, "member", "Cy")];
    const outcomes = await Promise.allSettled(
      [bob, cy].map(({ id }) => transfer(actorOf(ada), ownerIn(ada), { userId: id })),
    );
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(failed).toMatchObject([{ reason: { kind: "forbidden", code: "insufficient_role" } }]);
    const winner = outcomes[0]?.status === "fulfilled" ? bob : cy;
    expect(await ownersOf(ada)).toEqual([winner.id]);
  });

  it("leaves exactly one owner when the same transfer is requested twice at once", async () => {
    const ada = await owner();
    const bob = await colleague(ada, "admin", "Bob");
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => transfer(actorOf(ada), ownerIn(ada), { userId: bob.id })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await ownersOf(ada)).toEqual([bob.id]);
  });

  it("throws insufficient_role for an admin whose membership still says owner", async () => {
    const ada = await owner();
    const [bob, cy] = [await colleague(ada, "admin", "Bob"), await colleague(ada, "member", "Cy")];
    await expect(transfer(actorOf(bob), ownerIn(ada), { userId: cy.id })).rejects.toMatchObject({
      kind: "forbidden",
      code: "insufficient_role",
    });
    expect(await ownersOf(ada)).toEqual([ada.id]);
  });

  it("throws member_not_found for a suspended member, and keeps the owner", async () => {
    const ada = await owner();
    const bob = await colleague(ada, "member", "Bob");
    await db()
      .updateTable("memberships")
      .set({ status: "suspended" })
      .where("user_id", "=", bob.id)
      .execute();
    await expect(transfer(actorOf(ada), ownerIn(ada), { userId: bob.id })).rejects.toMatchObject({
      kind: "missing",
      code: "member_not_found",
    });
    expect(await ownersOf(ada)).toEqual([ada.id]);
  });
});

describe("leave", () => {
  it("throws sole_owner for a user who became the owner after their membership was loaded", async () => {
    const ada = await owner();
    const bob = await colleague(ada, "member", "Bob");
    const stale = { ...ownerIn(ada), role: "member" } as const;
    await transfer(actorOf(ada), ownerIn(ada), { userId: bob.id });
    await expect(leave(actorOf(bob), stale)).rejects.toMatchObject({ kind: "conflict", code: "sole_owner" });
    expect(await ownersOf(ada)).toEqual([bob.id]);
  });
});
