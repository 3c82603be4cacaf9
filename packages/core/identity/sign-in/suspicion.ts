import type { Location } from "../../base/location.ts";

/** What makes a login look like somebody else's. */
export const reasons = [
  "new_country",
  "new_device",
  "impossible_travel",
  "after_failures",
  "first_in_90_days",
] as const;
export type Reason = (typeof reasons)[number];

/**
 * How much each weighs. Travel that nobody can have made and a password that was guessed at are enough each; people do
 * travel, buy devices and stay away, so those three count only together.
 */
export const weights: Record<Reason, number> = {
  impossible_travel: 60,
  after_failures: 60,
  new_country: 30,
  new_device: 20,
  first_in_90_days: 20,
};
export const threshold = 60;

/** Nearer than this, two places may be one: a country's centre stands for all of it. */
export const minTravelKm = 500;
/** An airliner's speed. */
export const maxTravelKmh = 900;
export const manyFailures = 5;
export const longAwayDays = 90;

export type Earlier = { at: Date; place: Location };

export type Circumstances = {
  at: Date;
  place: Location;
  newDevice: boolean;
  /** The last successful login; without one there is nothing to compare with but the failures. */
  last: Earlier | undefined;
  /** The last successful one whose coordinates are known. */
  lastLocated: Earlier | undefined;
  /** Countries of all successful logins so far. */
  countries: readonly string[];
  /** Failed tries since the last success. */
  failures: number;
};

export type Verdict = { reasons: Reason[]; score: number; suspicious: boolean };

/** What speaks against a login, and whether it is enough to tell people. */
export function judge(circumstances: Circumstances): Verdict {
  const found = reasons.filter((reason) => signals[reason](circumstances));
  const score = found.reduce((sum, reason) => sum + weights[reason], 0);
  return { reasons: found, score, suspicious: score >= threshold };
}

const signals: Record<Reason, (circumstances: Circumstances) => boolean> = {
  new_country: ({ place, countries }) =>
    place.country !== "" && countries.length > 0 && !countries.includes(place.country),
  new_device: ({ newDevice, last }) => newDevice && last !== undefined,
  impossible_travel: ({ at, place, lastLocated }) => {
    const km = lastLocated ? distanceKm(lastLocated.place, place) : undefined;
    if (km === undefined || !lastLocated || km <= minTravelKm) return false;
    const hours = Math.max(0, at.getTime() - lastLocated.at.getTime()) / 3_600_000;
    return km > maxTravelKmh * hours;
  },
  after_failures: ({ failures }) => failures >= manyFailures,
  first_in_90_days: ({ at, last }) =>
    last !== undefined && at.getTime() - last.at.getTime() >= longAwayDays * 86_400_000,
};

/** Kilometres along the great circle (haversine, on a sphere of the Earth's mean radius); undefined without coordinates. */
export function distanceKm(a: Location, b: Location): number | undefined {
  if (a.latitude === null || a.longitude === null || b.latitude === null || b.longitude === null)
    return undefined;
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const h =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return 2 * 6371.0088 * Math.asin(Math.sqrt(Math.min(1, h)));
}
