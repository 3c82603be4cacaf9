import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { event } from "../testing/request.ts";
import { requestOrigin } from "./request-origin.ts";

const secret = "a secret that only the router knows";
const fromRouter = {
  "x-origin-secret": secret,
  "x-viewer-ip": "203.0.113.7",
  "cloudfront-viewer-country": "CH",
  "cloudfront-viewer-city": "Zürich",
  "cloudfront-viewer-latitude": "47.37",
  "cloudfront-viewer-longitude": "8.54",
};
const of = async (headers: Record<string, string>, ip = "198.51.100.1") =>
  requestOrigin(await event("GET /x", { headers, ip }));

afterEach(() => {
  delete process.env.ORIGIN_SECRET;
});

describe("requestOrigin behind the router", () => {
  beforeEach(() => {
    process.env.ORIGIN_SECRET = secret;
  });

  test("returns the IP address and location of the viewer", async () => {
    expect(await of(fromRouter)).toMatchObject({
      ip: "203.0.113.7",
      viewer: { country: "CH", city: "Zürich", latitude: 47.37, longitude: 8.54 },
    });
  });

  test.each([
    ["no secret", { "x-origin-secret": "" }],
    ["a wrong secret", { "x-origin-secret": `${secret}!` }],
    ["a wrong secret of the same length", { "x-origin-secret": `${secret.slice(0, -1)}X` }],
    ["empty secrets", { "x-origin-secret": ",," }],
  ])("ignores the router's headers with %s", async (_, wrong) => {
    const found = await of({ ...fromRouter, ...wrong });
    expect([found.ip, found.viewer]).toEqual(["198.51.100.1", undefined]);
  });

  test("ignores malformed values in the router's headers", async () => {
    const found = await of({
      ...fromRouter,
      "x-viewer-ip": "203.0.113.7, 10.0.0.1",
      "cloudfront-viewer-latitude": "91",
    });
    expect(found).toMatchObject({
      ip: "198.51.100.1",
      viewer: { country: "CH", latitude: null, longitude: null },
    });
    expect((await of({ ...fromRouter, "cloudfront-viewer-country": "Switzerland" })).viewer).toBeUndefined();
  });
});

test("requestOrigin ignores all forwarding headers when there is no router", async () => {
  const found = await of({ ...fromRouter, "x-forwarded-for": "203.0.113.7" });
  expect([found.ip, found.viewer]).toEqual(["198.51.100.1", undefined]);
});

test("requestOrigin turns an IPv4-mapped IPv6 address into the IPv4 address", async () => {
  expect((await of({}, "::ffff:192.0.2.1")).ip).toBe("192.0.2.1");
});
