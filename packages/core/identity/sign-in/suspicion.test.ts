import { describe, expect, test } from "vitest";
import type { Location } from "../../base/location.ts";
import { type Circumstances, distanceKm, judge, reasons, threshold, weights } from "./suspicion.ts";

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
  place: zurich,
  newDevice: false,
  last: { at: ago(24), place: zurich },
  lastLocated: { at: ago(24), place: zurich },
  countries: ["CH"],
  failures: 0,
};
const from = (place: Location, hours: number) => ({
  last: { at: ago(hours), place },
  lastLocated: { at: ago(hours), place },
});

describe("each signal", () => {
  test.each<[string, Partial<Circumstances>, string[], boolean]>([
    ["the usual", {}, [], false],
    ["another country, two days later", { place: tokyo, ...from(zurich, 48) }, ["new_country"], false],
    ["a country of earlier", { place: paris, ...from(zurich, 48), countries: ["FR", "CH"] }, [], false],
    ["an unknown country", { place: unknown }, [], false],
    ["the first country ever known", { countries: [], last: undefined, lastLocated: undefined }, [], false],
    ["another device", { newDevice: true }, ["new_device"], false],
    ["the first device of all", { newDevice: true, last: undefined, lastLocated: undefined }, [], false],
    [
      "another country an hour later",
      { place: tokyo, ...from(zurich, 1) },
      ["new_country", "impossible_travel"],
      true,
    ],
    ["back within the hour", { ...from(tokyo, 1), countries: ["CH", "JP"] }, ["impossible_travel"], true],
    ["Tokyo in eleven hours", { place: tokyo, ...from(zurich, 11), countries: ["CH", "JP"] }, [], false],
    [
      "Tokyo in ten hours",
      { place: tokyo, ...from(zurich, 10), countries: ["CH", "JP"] },
      ["impossible_travel"],
      true,
    ],
    [
      "at the same moment elsewhere",
      { place: tokyo, ...from(zurich, 0), countries: ["CH", "JP"] },
      ["impossible_travel"],
      true,
    ],
    [
      "under 500 km at any speed",
      { place: paris, ...from(zurich, 0.01), countries: ["CH", "FR"] },
      [],
      false,
    ],
    ["within the country", { place: geneva, ...from(zurich, 0.01) }, [], false],
    [
      "over 500 km at a train's speed",
      { place: vienna, ...from(zurich, 8), countries: ["CH", "AT"] },
      [],
      false,
    ],
    ["from nobody knows where", { place: unknown, ...from(zurich, 0.01) }, [], false],
    ["after four failures", { failures: 4 }, [], false],
    ["after five failures", { failures: 5 }, ["after_failures"], true],
    ["after 89 days", { ...from(zurich, 89 * 24) }, [], false],
    ["after 90 days", { ...from(zurich, 90 * 24) }, ["first_in_90_days"], false],
  ])("%s", (_, circumstances, expected, suspicious) => {
    const verdict = judge({ ...usual, ...circumstances });
    expect([verdict.reasons, verdict.suspicious]).toEqual([expected, suspicious]);
  });
});

describe("the soft signals count only together", () => {
  const abroad = { place: tokyo, ...from(zurich, 48) };
  const longAway = { place: tokyo, ...from(zurich, 90 * 24) };
  test.each<[Partial<Circumstances>, number, boolean]>([
    [{ ...abroad, newDevice: true }, 50, false],
    [{ ...longAway }, 50, false],
    [{ ...longAway, newDevice: true }, 70, true],
  ])("%j", (circumstances, score, suspicious) => {
    expect(judge({ ...usual, ...circumstances })).toMatchObject({ score, suspicious });
  });

  test("and no two of them reach the threshold", () => {
    const soft = [weights.new_country, weights.new_device, weights.first_in_90_days];
    const sum = soft.reduce((total, weight) => total + weight, 0);
    expect(sum).toBeGreaterThanOrEqual(threshold);
    for (const weight of soft) expect(sum - weight).toBeLessThan(threshold);
    expect(reasons.every((reason) => weights[reason] > 0)).toBe(true);
  });
});

test("distances are those of the great circle", () => {
  expect(distanceKm(zurich, tokyo)).toBeGreaterThan(9500);
  expect(distanceKm(zurich, tokyo)).toBeLessThan(9650);
  expect(distanceKm(zurich, zurich)).toBe(0);
  expect(distanceKm(zurich, unknown)).toBeUndefined();
});
