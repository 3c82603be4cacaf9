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
