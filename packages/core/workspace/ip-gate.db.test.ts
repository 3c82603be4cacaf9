import { describe, expect, it } from "vitest";
import { owner } from "../testing/people.ts";
import { enforce } from "./ip-gate.ts";

const until = new Date("2026-06-01T12:00:00.000Z");
const justBefore = new Date(until.getTime() - 1);
const allowed = [{ cidr: "192.0.2.0/24" }];
const denied = { kind: "forbidden", code: "ip_not_allowed" };

async function bypassingAdmin() {
  const ada = await owner("Ada", "ENTERPRISE");
  const actor = {
    userId: ada.id,
    sessionId: ada.sessionId,
    ip: "203.0.113.1",
    userAgent: "test",
    requestId: "test",
    bypassUntil: until,
  };
  return { actor, workspace: { id: ada.workspaceId, name: "Home", mayBypass: true } };
}

describe("enforce", () => {
  it("allows an emergency session until one millisecond before its end", async () => {
    const { actor, workspace } = await bypassingAdmin();
    await enforce(actor, workspace, allowed, justBefore);
  });

  it("throws ip_not_allowed at the instant the emergency session ends", async () => {
    const { actor, workspace } = await bypassingAdmin();
    await expect(enforce(actor, workspace, allowed, until)).rejects.toMatchObject(denied);
  });

  it("throws ip_not_allowed for an emergency session without the role to bypass", async () => {
    const { actor, workspace } = await bypassingAdmin();
    await expect(
      enforce(actor, { ...workspace, mayBypass: false }, allowed, justBefore),
    ).rejects.toMatchObject(denied);
  });
});
