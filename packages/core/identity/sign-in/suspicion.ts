import type { Location } from "../../base/location.ts";

/** Signals that a sign-in may not be by the account's owner. */
export const reasons = [
  "new_country",
  "new_device",
  "impossible_travel",
  "after_failures",
  "first_in_90_days",
] as const;
export type Reason = (typeof reasons)[number];

/**
 * Score of each signal. Impossible travel and repeated failures reach the threshold alone. The other three are normal when
 * people travel, buy devices or stay away, so that only all of them together reach it.
 */
export const weights: Record<Reason, number> = {
  impossible_travel: 60,
  after_failures: 60,
  new_country: 30,
  new_device: 20,
  first_in_90_days: 20,
};
export const threshold = 60;

/** Shorter distances are ignored, because a location may be no more precise than the centre of a country. */
export const minTravelKm = 500;
/** The speed of an airliner. */
export const maxTravelKmh = 900;
export const manyFailures = 5;
export const longAwayDays = 90;

/** An earlier successful sign-in. */
export type Earlier = { at: Date; location: Location };

export type Circumstances = {
  at: Date;
  location: Location;
  newDevice: boolean;
  /** The last successful sign-in. Without one, only failures count. */
  last: Earlier | undefined;
  /** The last successful sign-in with known coordinates. */
  lastLocated: Earlier | undefined;
  /** Countries of the earlier successful sign-ins. */
  countries: readonly string[];
  /** Failed attempts since the last success. */
  failures: number;
};

export type Classification = { reasons: Reason[]; score: number; suspicious: boolean };

/** Scores a sign-in, and classifies it as suspicious if the score reaches the threshold. */
export function classify(circumstances: Circumstances): Classification {
  const found = reasons.filter((reason) => signals[reason](circumstances));
  const score = found.reduce((sum, reason) => sum + weights[reason], 0);
  return { reasons: found, score, suspicious: score >= threshold };
}

const signals: Record<Reason, (circumstances: Circumstances) => boolean> = {
  new_country: ({ location, countries }) =>
    location.country !== "" && countries.length > 0 && !countries.includes(location.country),
  new_device: ({ newDevice, last }) => newDevice && last !== undefined,
  impossible_travel: ({ at, location, lastLocated }) => {
    const km = lastLocated ? distanceKm(lastLocated.location, location) : undefined;
    if (km === undefined || !lastLocated || km <= minTravelKm) return false;
    const hours = Math.max(0, at.getTime() - lastLocated.at.getTime()) / 3_600_000;
    return km > maxTravelKmh * hours;
  },
  after_failures: ({ failures }) => failures >= manyFailures,
  first_in_90_days: ({ at, last }) =>
    last !== undefined && at.getTime() - last.at.getTime() >= longAwayDays * 86_400_000,
};

/**
 * Computes the great-circle distance in kilometres (haversine, on a sphere of the Earth's mean radius). Returns undefined if
 * either location has no coordinates.
 */
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
