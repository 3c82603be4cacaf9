import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { longestExpirySeconds, querySigner, signingKey } from "./sigv4.ts";

// "Authenticating Requests: Using Query Parameters" in the API reference of Amazon S3.
const documented = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

function query(expiresSeconds: number) {
  return {
    method: "GET" as const,
    host: "examplebucket.s3.amazonaws.com",
    parameters: {},
    at: new Date("2013-05-24T00:00:00Z"),
    expiresSeconds,
    payloadHash: "UNSIGNED-PAYLOAD",
  };
}

describe("querySigner", () => {
  it("returns the signature of the example in the S3 documentation", () => {
    const key = signingKey(documented, "us-east-1", "s3");
    expect(querySigner(key, query(86_400))("/test.txt")).toBe(
      "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256" +
        "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
        "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
        "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    );
  });

  // From AWS's test suite for Signature Version 4 (awslabs/aws-c-auth, tests/aws-signing-test-suite/v4).
  it.each([
    [
      "get-vanilla-query-order-encoded",
      { "Param-3": "Value3", Param: "Value2", "\u1234": "Value1" },
      "%E1%88%B4=Value1&Param=Value2&Param-3=Value3&",
      "c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787",
    ],
    [
      "get-vanilla-utf8-query",
      { "\u1234": "bar" },
      "%E1%88%B4=bar&X-Amz-Algorithm=",
      "0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600",
    ],
    [
      "get-vanilla-query-order-key-case",
      { Param2: "value2", Param1: "value1" },
      "Param1=value1&Param2=value2&",
      "86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5",
    ],
  ])(
    "signs %s of AWS's test suite, with the query sorted after encoding",
    (_, parameters, start, signature) => {
      const key = signingKey(
        { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
        "us-east-1",
        "service",
      );
      const signed = querySigner(key, {
        method: "GET",
        host: "example.amazonaws.com",
        parameters,
        at: new Date("2015-08-30T12:36:00Z"),
        expiresSeconds: 3600,
        payloadHash: hash("sha256", ""),
      })("/");
      expect(signed.slice(0, start.length + 2)).toBe(`/?${start}`);
      expect(signed.slice(-64)).toBe(signature);
    },
  );

  it("derives a separate key for each day, also when days alternate", () => {
    const key = signingKey(documented, "us-east-1", "s3");
    const on = (day: string) => querySigner(key, { ...query(60), at: new Date(`${day}T23:59:59Z`) })("/a");
    const [first, second] = [on("2026-11-21"), on("2026-11-22")];
    expect(first).not.toBe(second);
    expect([on("2026-11-21"), on("2026-11-22")]).toEqual([first, second]);
    const fresh = signingKey(documented, "us-east-1", "s3");
    expect(querySigner(fresh, { ...query(60), at: new Date("2026-11-22T23:59:59Z") })("/a")).toBe(second);
  });

  it("rejects an expiry that AWS rejects", () => {
    const key = signingKey(documented, "us-east-1", "s3");
    for (const seconds of [0, -1, 1.5, Number.NaN, longestExpirySeconds + 1])
      expect(() => querySigner(key, query(seconds)), `${seconds}`).toThrow(RangeError);
    expect(querySigner(key, query(longestExpirySeconds))("/a")).toContain("X-Amz-Expires=604800&");
  });
});
