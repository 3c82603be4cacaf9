import { describe, expect, it } from "vitest";
import { owner } from "../testing/people.ts";
import { allows } from "./ip-gate.ts";

const until = new Date("2026-06-01T12:00:00.000Z");
const justBefore = new Date(until.getTime() - 1);
const allowed = [{ cidr: "192.0.2.0/24" }];

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

describe("allows", () => {
  it("accepts an emergency session until one millisecond before its end", async () => {
    const { actor, workspace } = await bypassingAdmin();
    expect(await allows(actor, workspace, allowed, justBefore)).toBe(true);
  });

  it("refuses an emergency session at the instant of its end", async () => {
    const { actor, workspace } = await bypassingAdmin();
    expect(await allows(actor, workspace, allowed, until)).toBe(false);
  });

  it("refuses an emergency session without the role to bypass", async () => {
    const { actor, workspace } = await bypassingAdmin();
    expect(await allows(actor, { ...workspace, mayBypass: false }, allowed, justBefore)).toBe(false);
  });
});
