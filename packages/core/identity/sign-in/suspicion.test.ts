import { describe, expect, it, test } from "vitest";
import type { Location } from "../../base/location.ts";
import { type Circumstances, classify, distanceKm, reasons, threshold, weights } from "./suspicion.ts";

const zurich: Location = { country: "CH", city: "Zürich", latitude: 47.37, longitude: 8.54 };
const geneva: Location = { country: "CH", city: "Genève", latitude: 46.2, longitude: 6.15 };
const paris: Location = { country: "FR", city: "Paris", latitude: 48.86, longitude: 2.35 };
const vienna: Location = { country: "AT", city: "Wien", latitude: 48.21, longitude: 16.37 };
const tokyo: Location = { country: "JP", city: "Tōkyō", latitude: 35.68, longitude: 139.69 };
const unknown: Location = { country: "", city: "", latitude: null, longitude: null };

const at = new Date("2026-06-01T12:00:00Z");
const ago = (hours: number) => new Date(at.getTime() - hours * 3_600_000);
const usual: Circumstances = {
  at,
  location: zurich,
  newDevice: false,
  last: { at: ago(24), location: zurich },
  lastLocated: { at: ago(24), location: zurich },
  countries: ["CH"],
  failures: 0,
};
const from = (location: Location, hours: number) => ({
  last: { at: ago(hours), location },
  lastLocated: { at: ago(hours), location },
});

describe("classify", () => {
  test.each<[string, Partial<Circumstances>, string[], boolean]>([
    ["a usual sign-in", {}, [], false],
    ["a new country two days later", { location: tokyo, ...from(zurich, 48) }, ["new_country"], false],
    ["a known country", { location: paris, ...from(zurich, 48), countries: ["FR", "CH"] }, [], false],
    ["an unknown country", { location: unknown }, [], false],
    [
      "the first sign-in with a known country",
      { countries: [], last: undefined, lastLocated: undefined },
      [],
      false,
    ],
    ["a new device", { newDevice: true }, ["new_device"], false],
    ["the first device ever", { newDevice: true, last: undefined, lastLocated: undefined }, [], false],
    [
      "a new country an hour later",
      { location: tokyo, ...from(zurich, 1) },
      ["new_country", "impossible_travel"],
      true,
    ],
    [
      "a return from Tokyo within an hour",
      { ...from(tokyo, 1), countries: ["CH", "JP"] },
      ["impossible_travel"],
      true,
    ],
    [
      "a journey to Tokyo in eleven hours",
      { location: tokyo, ...from(zurich, 11), countries: ["CH", "JP"] },
      [],
      false,
    ],
    [
      "a journey to Tokyo in ten hours",
      { location: tokyo, ...from(zurich, 10), countries: ["CH", "JP"] },
      ["impossible_travel"],
      true,
    ],
    [
      "two distant sign-ins at the same moment",
      { location: tokyo, ...from(zurich, 0), countries: ["CH", "JP"] },
      ["impossible_travel"],
      true,
    ],
    [
      "a distance under 500 km at any speed",
      { location: paris, ...from(zurich, 0.01), countries: ["CH", "FR"] },
      [],
      false,
    ],
    ["a journey within the country", { location: geneva, ...from(zurich, 0.01) }, [], false],
    [
      "a distance over 500 km at the speed of a train",
      { location: vienna, ...from(zurich, 8), countries: ["CH", "AT"] },
      [],
      false,
    ],
    ["an unknown location after a known one", { location: unknown, ...from(zurich, 0.01) }, [], false],
    ["four failed attempts before", { failures: 4 }, [], false],
    ["five failed attempts before", { failures: 5 }, ["after_failures"], true],
    ["an absence of 89 days", { ...from(zurich, 89 * 24) }, [], false],
    ["an absence of 90 days", { ...from(zurich, 90 * 24) }, ["first_in_90_days"], false],
  ])("returns the reasons for %s", (_, circumstances, expected, suspicious) => {
    const result = classify({ ...usual, ...circumstances });
    expect([result.reasons, result.suspicious]).toEqual([expected, suspicious]);
  });

  const abroad = { location: tokyo, ...from(zurich, 48) };
  const longAway = { location: tokyo, ...from(zurich, 90 * 24) };
  test.each<[string, Partial<Circumstances>, number, boolean]>([
    ["a new country and a new device", { ...abroad, newDevice: true }, 50, false],
    ["a new country after a long absence", { ...longAway }, 50, false],
    ["a new country and device after a long absence", { ...longAway, newDevice: true }, 70, true],
  ])("adds up the weights for %s", (_, circumstances, score, suspicious) => {
    expect(classify({ ...usual, ...circumstances })).toMatchObject({ score, suspicious });
  });
});

describe("weights", () => {
  it("reach the threshold with all three weak signals, but not with two of them", () => {
    const weak = [weights.new_country, weights.new_device, weights.first_in_90_days];
    const sum = weak.reduce((total, weight) => total + weight, 0);
    expect(sum).toBeGreaterThanOrEqual(threshold);
    for (const weight of weak) expect(sum - weight).toBeLessThan(threshold);
    expect(reasons.every((reason) => weights[reason] > 0)).toBe(true);
  });
});

describe("distanceKm", () => {
  it("computes great-circle distances, and undefined without coordinates", () => {
    expect(distanceKm(zurich, tokyo)).toBeGreaterThan(9500);
    expect(distanceKm(zurich, tokyo)).toBeLessThan(9650);
    expect(distanceKm(zurich, zurich)).toBe(0);
    expect(distanceKm(zurich, unknown)).toBeUndefined();
  });

  test.each(["latitude", "longitude"] as const)("is undefined when one location has no %s", (coordinate) => {
    const partial = { ...tokyo, [coordinate]: null };
    expect(distanceKm(zurich, partial)).toBeUndefined();
    expect(distanceKm(partial, zurich)).toBeUndefined();
  });
});
