import { describe, expect, it } from "vitest";
import { unknownLocation } from "../../base/location.ts";
import * as UserAgent from "../../identity/devices/user-agent.ts";
import { locationLabel } from "./label.ts";
import { locate } from "./location.ts";

describe("locate", () => {
  it.each([
    ["8.8.8.8", "US"],
    ["195.176.255.1", "CH"],
    ["::ffff:195.176.255.1", "CH"],
    ["133.11.0.1", "JP"],
    ["2001:4860:4860::8888", "US"],
  ])("locates %s in %s, at the center of the country", async (ip, country) => {
    const location = await locate({ ip });
    expect(location.country).toBe(country);
    expect(Math.abs(location.latitude ?? 99)).toBeLessThanOrEqual(90);
    expect(location.longitude).not.toBeNull();
  });

  it.each(["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "192.168.0.1"])(
    "returns an unknown location for %s",
    async (ip) => {
      expect(await locate({ ip })).toEqual(unknownLocation);
    },
  );

  it("prefers the router's location and adds the country's center when it has no coordinates", async () => {
    const viewer = { country: "CH", city: "Bern", latitude: 46.9, longitude: 7.4 };
    expect(await locate({ ip: "8.8.8.8", viewer })).toEqual(viewer);
    const bare = { ...viewer, latitude: null, longitude: null };
    expect(await locate({ ip: "8.8.8.8", viewer: bare })).toMatchObject({ latitude: 46.8, longitude: 8.2 });
  });
});

describe("locationLabel", () => {
  it("returns city and country, the bare code of an unknown country, or a text for an unknown location", () => {
    expect(locationLabel({ country: "CH", city: "Bern" })).toBe("Bern, Switzerland");
    expect(locationLabel({ country: "XX", city: "" })).toBe("XX");
    expect(locationLabel(unknownLocation)).toBe("an unknown location");
  });
});

const chrome = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;

describe("UserAgent.label", () => {
  it.each([
    [chrome(120), "Chrome on Windows"],
    [chrome(141), "Chrome on Windows"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0",
      "Firefox on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    ["curl/8.5.0", "curl"],
    ["svc-mobile/1.4.0 (build 7)", "svc-mobile"],
    ["", "Unknown client"],
  ])("names the client of %s as %s", (userAgent, expected) => {
    expect(UserAgent.label(UserAgent.client(userAgent))).toBe(expected);
  });
});

describe("UserAgent.knownLabel", () => {
  it.each([
    [chrome(141), "Chrome on Windows"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Linux"],
    ["evil.example/1.0 (https://evil.example)", "Unknown client"],
    ["Visit https://evil.example/ now/1 (Windows NT 10.0)", "Unknown client on Windows"],
    ["", "Unknown client"],
  ])("labels %s as %s, without other text of the header", (userAgent, expected) => {
    expect(UserAgent.knownLabel(userAgent)).toBe(expected);
  });
});
