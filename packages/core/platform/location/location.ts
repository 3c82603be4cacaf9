import { readFile } from "node:fs/promises";
import type { CountryResponse } from "mmdb-lib";
import { type Location, unknownLocation } from "../../base/location.ts";
import * as Config from "../config/config.ts";
import { memoizeByConfig } from "../config/memoize.ts";
import { canonicalIp, includesIp } from "../net/ip-ranges.ts";
import countries from "./country-centres.json" with { type: "json" };

const centres: Record<string, number[] | undefined> = countries.centres;

/**
 * Returns the location of a caller: the one that the router sent, otherwise the country of the IP address and the center of that
 * country. Private addresses have no location.
 */
export async function locate({ ip, viewer }: { ip: string; viewer?: Location }): Promise<Location> {
  if (viewer?.country) return viewer.latitude === null ? { ...viewer, ...centre(viewer.country) } : viewer;
  const country = await countryOf(ip);
  return country ? { country, city: "", ...centre(country) } : unknownLocation;
}

function centre(country: string): Pick<Location, "latitude" | "longitude"> {
  const [latitude = null, longitude = null] = centres[country] ?? [];
  return { latitude, longitude };
}

/** The file is 8 MB, so it is read on the first lookup. */
const reader = memoizeByConfig(
  () => ({ file: Config.countryFile() }),
  async ({ file }) => {
    const [{ Reader }, content] = await Promise.all([import("mmdb-lib"), readFile(file)]);
    return new Reader<CountryResponse>(content);
  },
);

/** Special-purpose addresses (RFC 6890), which have no location although the file lists some of them. */
const specialPurpose = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::/127",
  "fc00::/7",
  "fe80::/10",
];

async function countryOf(ip: string): Promise<string> {
  if (includesIp(specialPurpose, ip)) return "";
  const found: unknown = (await reader()).get(canonicalIp(ip));
  const code = (found as { country_code?: string } | null)?.country_code ?? "";
  return /^[A-Z]{2}$/.test(code) ? code : "";
}
