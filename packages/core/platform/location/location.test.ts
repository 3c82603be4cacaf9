import { expect, test } from "vitest";
import { unknown } from "../../base/location.ts";
import * as UserAgent from "../../identity/devices/user-agent.ts";
import { label } from "./label.ts";
import { locate } from "./location.ts";

test.each([
  ["8.8.8.8", "US"],
  ["195.176.255.1", "CH"],
  ["::ffff:195.176.255.1", "CH"],
  ["133.11.0.1", "JP"],
  ["2001:4860:4860::8888", "US"],
])("%s is in %s, at its centre", async (ip, country) => {
  const place = await locate({ ip });
  expect(place.country).toBe(country);
  expect(Math.abs(place.latitude ?? 99)).toBeLessThanOrEqual(90);
  expect(place.longitude).not.toBeNull();
});

test.each(["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "192.168.0.1"])("%s is unknown", async (ip) => {
  expect(await locate({ ip })).toEqual(unknown);
});

test("what the router says wins; without coordinates the country's centre stands in", async () => {
  const viewer = { country: "CH", city: "Bern", latitude: 46.9, longitude: 7.4 };
  expect(await locate({ ip: "8.8.8.8", viewer })).toEqual(viewer);
  const bare = { ...viewer, latitude: null, longitude: null };
  expect(await locate({ ip: "8.8.8.8", viewer: bare })).toMatchObject({ latitude: 46.8, longitude: 8.2 });
});

test("places have names for people", () => {
  expect(label({ country: "CH", city: "Bern" })).toBe("Bern, Switzerland");
  expect(label({ country: "XX", city: "" })).toBe("XX");
  expect(label(unknown)).toBe("an unknown place");
});

const chrome = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;

test.each([
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
])("%s is %s", (userAgent, expected) => {
  expect(UserAgent.label(UserAgent.client(userAgent))).toBe(expected);
});
