import { SignJWT } from "jose";
import { describe, expect, it, test } from "vitest";
import * as Token from "./token.ts";

const keys = [{ id: "one", secret: new Uint8Array(32).fill(1) }];
const issued = new Date("2026-06-01T12:00:00Z");
const expiry = new Date("2026-06-01T13:00:00Z");
const justBefore = new Date(expiry.getTime() - 1);

/** Signs claims as another program with our key would. */
const signed = (typ: string, audience: string, claims: Record<string, unknown>, issuer = "svc") =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ, kid: "one" })
    .setIssuer(issuer)
    .setAudience(audience)
    .sign(keys[0]?.secret ?? new Uint8Array());
const tokenInvalid = { kind: "unauthenticated", code: "token_invalid" };
const times = { iat: issued.getTime() / 1000, exp: expiry.getTime() / 1000 };

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

  const claims = { sub: "usr_1", sid: "ses_1", ...times };

  it("accepts an access token (RFC 9068) of this issuer for this API", async () => {
    const token = await signed("at+jwt", "svc-api", claims);
    expect(await Token.verify(token, issued, keys)).toEqual(session);
  });

  test.each<[string, Parameters<typeof signed>]>([
    ["another type", ["jwt", "svc-api", claims]],
    ["another audience", ["at+jwt", "svc-mfa", claims]],
    ["another issuer", ["at+jwt", "svc-api", claims, "other"]],
    ["no user", ["at+jwt", "svc-api", { ...claims, sub: undefined }]],
    ["no session", ["at+jwt", "svc-api", { ...claims, sid: undefined }]],
    ["no time of issue", ["at+jwt", "svc-api", { ...claims, iat: undefined }]],
    ["no expiry", ["at+jwt", "svc-api", { ...claims, exp: undefined }]],
  ])("throws token_invalid for a signed token with %s", async (_, token) => {
    await expect(Token.verify(await signed(...token), issued, keys)).rejects.toMatchObject(tokenInvalid);
  });

  it("accepts tokens of every key, new tokens are signed with the first", async () => {
    const rotated = [{ id: "two", secret: new Uint8Array(32).fill(2) }, ...keys];
    const [old, current] = [
      await Token.sign(session, issued, expiry, keys),
      await Token.sign(session, issued, expiry, rotated),
    ];
    expect(await Token.verify(old, issued, rotated)).toEqual(session);
    expect(await Token.verify(current, issued, rotated)).toEqual(session);
    await expect(Token.verify(current, issued, keys)).rejects.toMatchObject(tokenInvalid);
  });

  it("throws token_invalid for a token of the second step", async () => {
    const pending = { id: "mfa_1", userId: "usr_1", passwordFingerprint: "mark" };
    const token = await Token.signMfa(pending, issued, expiry, keys);
    await expect(Token.verify(token, issued, keys)).rejects.toMatchObject({ code: "token_invalid" });
  });
});

describe("verifyChallenge", () => {
  it("returns the challenge until the token expires, and then throws token_expired", async () => {
    const token = await Token.signChallenge("random", issued, expiry, keys);
    expect(await Token.verifyChallenge(token, justBefore, keys)).toBe("random");
    await expect(Token.verifyChallenge(token, expiry, keys)).rejects.toMatchObject({ code: "token_expired" });
  });

  const claims = { jti: "random", ...times };

  it("accepts a challenge of this issuer", async () => {
    const token = await signed("challenge+jwt", "svc-challenge", claims);
    expect(await Token.verifyChallenge(token, issued, keys)).toBe("random");
  });

  test.each<[string, Parameters<typeof signed>]>([
    ["the type of the second step", ["mfa+jwt", "svc-challenge", claims]],
    ["the audience of the second step", ["challenge+jwt", "svc-mfa", claims]],
    ["another issuer", ["challenge+jwt", "svc-challenge", claims, "other"]],
    ["no challenge", ["challenge+jwt", "svc-challenge", { ...claims, jti: undefined }]],
    ["no expiry", ["challenge+jwt", "svc-challenge", { ...claims, exp: undefined }]],
  ])("throws token_invalid for a signed token with %s", async (_, token) => {
    await expect(Token.verifyChallenge(await signed(...token), issued, keys)).rejects.toMatchObject(
      tokenInvalid,
    );
  });
});

describe("verifyMfa", () => {
  const pending = { id: "mfa_1", userId: "usr_1", passwordFingerprint: "mark" };

  it("throws token_expired at the instant the token expires, and not before", async () => {
    const token = await Token.signMfa(pending, issued, expiry, keys);
    expect(await Token.verifyMfa(token, justBefore, keys)).toMatchObject(pending);
    await expect(Token.verifyMfa(token, expiry, keys)).rejects.toMatchObject({ code: "token_expired" });
  });

  it("returns the device of the first step, if it named one", async () => {
    const device = { deviceName: "Ada's laptop", deviceToken: "secret" };
    const [named, unnamed] = [
      await Token.signMfa({ ...pending, ...device }, issued, expiry, keys),
      await Token.signMfa(pending, issued, expiry, keys),
    ];
    expect(await Token.verifyMfa(named, issued, keys)).toEqual({ ...pending, ...device });
    expect(await Token.verifyMfa(unnamed, issued, keys)).toEqual({
      ...pending,
      deviceName: undefined,
      deviceToken: undefined,
    });
  });

  const claims = { sub: "usr_1", jti: "mfa_1", pwd: "mark", ...times };

  it("accepts a token of the second step of this issuer", async () => {
    const token = await signed("mfa+jwt", "svc-mfa", claims);
    expect(await Token.verifyMfa(token, issued, keys)).toMatchObject(pending);
  });

  test.each<[string, Parameters<typeof signed>]>([
    ["the type of an access token", ["at+jwt", "svc-mfa", claims]],
    ["the audience of an access token", ["mfa+jwt", "svc-api", claims]],
    ["no user", ["mfa+jwt", "svc-mfa", { ...claims, sub: undefined }]],
    ["no id", ["mfa+jwt", "svc-mfa", { ...claims, jti: undefined }]],
    ["no fingerprint of the password", ["mfa+jwt", "svc-mfa", { ...claims, pwd: undefined }]],
    ["no expiry", ["mfa+jwt", "svc-mfa", { ...claims, exp: undefined }]],
  ])("throws token_invalid for a signed token with %s", async (_, token) => {
    await expect(Token.verifyMfa(await signed(...token), issued, keys)).rejects.toMatchObject(tokenInvalid);
  });
});
