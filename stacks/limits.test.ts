import { describe, expect, it } from "vitest";
import { limitsOf } from "./limits.ts";

describe("limitsOf", () => {
  it("has throttles for every group, and AWS WAF in production only", () => {
    expect(limitsOf(true, {})).toEqual({
      throttles: { read: 200, write: 100, "sign-in": 20, upload: 10, report: 10 },
      reservedConcurrency: {},
      firewall: { all: 10_000, "sign-in": 300 },
      tracing: false,
    });
    expect(limitsOf(false, {}).firewall).toBeUndefined();
  });

  it("replaces only the numbers that a setting names", () => {
    const found = limitsOf(false, {
      SVC_THROTTLES: "sign-in=50, upload=5",
      SVC_RESERVED_CONCURRENCY: "report=3",
      SVC_WAF: "true",
      SVC_WAF_RATES: "all=50000",
      SVC_TRACING: "true",
    });
    expect(found).toEqual({
      throttles: { read: 200, write: 100, "sign-in": 50, upload: 5, report: 10 },
      reservedConcurrency: { report: 3 },
      firewall: { all: 50_000, "sign-in": 300 },
      tracing: true,
    });
    expect(limitsOf(true, { SVC_WAF: "false" }).firewall).toBeUndefined();
  });

  it.each([
    ["SVC_THROTTLES", "login=20", "SVC_THROTTLES must be a list such as read=1"],
    ["SVC_THROTTLES", "read=0", "SVC_THROTTLES must be"],
    ["SVC_THROTTLES", "read=1.5", "SVC_THROTTLES must be"],
    ["SVC_RESERVED_CONCURRENCY", "5", "SVC_RESERVED_CONCURRENCY must be"],
    ["SVC_WAF_RATES", "all=9", "numbers from 10"],
    ["SVC_WAF", "on", "SVC_WAF must be true or false"],
    ["SVC_TRACING", "yes", "SVC_TRACING must be true or false"],
  ])("rejects %s=%s", (name, value, sentence) => {
    expect(() => limitsOf(true, { [name]: value })).toThrow(sentence);
  });
});
