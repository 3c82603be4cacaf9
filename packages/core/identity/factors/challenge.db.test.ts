import { describe, expect, it } from "vitest";
import * as Challenge from "./challenge.ts";

const ceremony = { ceremony: "login", userId: "usr_1", boundTo: "mfa_1" } as const;
const issued = new Date("2026-06-01T12:00:00.000Z");
const expiry = new Date(issued.getTime() + Challenge.minutes * 60_000);

describe("consume", () => {
  it("accepts a challenge until one millisecond before it expires, and once only", async () => {
    const { challenge } = await Challenge.issue(ceremony, issued);
    const now = new Date(expiry.getTime() - 1);
    expect(await Challenge.consume(challenge, ceremony, now)).toBe(true);
    expect(await Challenge.consume(challenge, ceremony, now)).toBe(false);
  });

  it("rejects a challenge at the instant it expires", async () => {
    const { challenge } = await Challenge.issue(ceremony, issued);
    expect(await Challenge.consume(challenge, ceremony, expiry)).toBe(false);
  });

  it.each([
    ["ceremony", { ceremony: "registration" as const }],
    ["user", { userId: "usr_2" }],
    ["sign-in", { boundTo: "mfa_2" }],
  ])("rejects a challenge of another %s", async (_, other) => {
    const { challenge } = await Challenge.issue(ceremony, issued);
    expect(await Challenge.consume(challenge, { ...ceremony, ...other }, issued)).toBe(false);
  });
});
