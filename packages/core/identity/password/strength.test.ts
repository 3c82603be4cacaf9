import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { estimate, maxEstimated, minScore } from "./strength.ts";

const ada = { name: "Ada Lovelace", email: "countess.king@analytical-engines.example" };
const advice = "Use four or more random words, or let a password manager create a password.";

describe("estimate", () => {
  it.each([
    "Password123!",
    "P@ssw0rd1234",
    "welcome12345",
    "iloveyou1234",
    "svc-password1",
    "qwerty123456",
    "QWERTY123456",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "abcdefghijklmn",
    "987654321098",
    "            tea",
    "constructorconstructor",
  ])("rejects %s and says what to do", (password) => {
    const strength = estimate(password, ada);
    expect(strength.score).toBeLessThan(minScore);
    expect(strength.advice).toContain(advice);
  });

  it.each([
    "orbit candle velvet harbor",
    "correct horse battery staple",
    "gravel-sonnet-plum-atlas",
    "kE9!vT2#pQ7$xZ4@",
    "tr7Kq2mZx9LpWv4B",
    "ünïcödé pässwörd",
  ])("accepts %s", (password) => {
    expect(estimate(password, ada)).toEqual({ score: 4, advice: "" });
  });

  it("accepts the 16 characters of a password manager", () => {
    for (let n = 0; n < 20; n++)
      expect(estimate(randomBytes(12).toString("base64"), ada).score).toBeGreaterThanOrEqual(minScore);
  });

  it.each(["adalovelace1", "Ada.Lovelace1", "countess.king", "Analytical-Engines!", "countessking1"])(
    "rejects %s, which contains the owner's name or email",
    (password) => {
      expect(estimate(password).score).toBeGreaterThan(estimate(password, ada).score);
      expect(estimate(password, ada).advice).toContain(advice);
    },
  );

  it("explains that names are easy to guess", () => {
    expect(estimate("adalovelace1", ada).advice).toBe(
      `Your name, your email and the name of this service are easy to guess. ${advice}`,
    );
  });

  it("ignores everything after the first 48 characters", () => {
    const repeated = "a".repeat(maxEstimated);
    expect(estimate(`${repeated}kE9!vT2#pQ7$xZ4@`)).toEqual(estimate(repeated));
  });
});
