import { describe, expect, it } from "vitest";
import { password, person } from "../../testing/people.ts";
import { minutes, reauthenticate, requireRecent } from "./reauthentication.ts";

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
const now = new Date("2026-06-01T12:00:00.000Z");

describe("requireRecent", () => {
  it("accepts a confirmed password until one millisecond before ten minutes have passed", async () => {
    const ada = await person();
    const actor = { userId: ada.id, sessionId: ada.sessionId, ...origin };
    const { expiresAt } = await reauthenticate(actor, { password }, now);
    const end = new Date(now.getTime() + minutes * 60_000);
    expect(expiresAt).toBe(end.toISOString());
    await requireRecent(actor, new Date(end.getTime() - 1));
    await expect(requireRecent(actor, end)).rejects.toMatchObject({
      kind: "forbidden",
      code: "reauthentication_required",
    });
  });

  it("rejects another session of the same user", async () => {
    const ada = await person();
    await reauthenticate({ userId: ada.id, sessionId: ada.sessionId, ...origin }, { password }, now);
    await expect(
      requireRecent({ userId: ada.id, sessionId: "ses_other", ...origin }, now),
    ).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it.each([
    [["admin"], true],
    [["read", "admin"], true],
    [["read", "write"], false],
  ])("accepts an API token with the scopes %j: %j", async (scopes, accepted) => {
    const { id: userId } = await person();
    const grant = { workspaceId: "wsp_home", scopes };
    const check = requireRecent({ userId, sessionId: "pat_ci", grant, ...origin }, now);
    if (accepted) await check;
    else await expect(check).rejects.toMatchObject({ code: "reauthentication_required" });
  });
});
