import { describe, expect, it } from "vitest";
import * as Token from "./token.ts";

const keys = [{ id: "one", secret: new Uint8Array(32).fill(1) }];
const issued = new Date("2026-06-01T12:00:00Z");
const expiry = new Date("2026-06-01T13:00:00Z");
const justBefore = new Date(expiry.getTime() - 1);

describe("verify", () => {
  const session = { userId: "usr_1", sessionId: "ses_1" };

  it("returns the user and session of a token until one millisecond before it expires", async () => {
    const token = await Token.sign(session, issued, expiry, keys);
    expect(await Token.verify(token, justBefore, keys)).toEqual(session);
  });

  it("throws token_expired at the instant the token expires", async () => {
    const token = await Token.sign(session, issued, expiry, keys);
    await expect(Token.verify(token, expiry, keys)).rejects.toMatchObject({
      kind: "unauthenticated",
      code: "token_expired",
    });
  });

  it("throws token_invalid for a token of the second step", async () => {
    const pending = { id: "mfa_1", userId: "usr_1", passwordFingerprint: "mark" };
    const token = await Token.signMfa(pending, issued, expiry, keys);
    await expect(Token.verify(token, issued, keys)).rejects.toMatchObject({ code: "token_invalid" });
  });
});

describe("verifyMfa", () => {
  const pending = { id: "mfa_1", userId: "usr_1", passwordFingerprint: "mark" };

  it("throws token_expired at the instant the token expires, and not before", async () => {
    const token = await Token.signMfa(pending, issued, expiry, keys);
    expect(await Token.verifyMfa(token, justBefore, keys)).toMatchObject(pending);
    await expect(Token.verifyMfa(token, expiry, keys)).rejects.toMatchObject({ code: "token_expired" });
  });
});
