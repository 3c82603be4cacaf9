import { readFile } from "node:fs/promises";
import type { CountryResponse } from "mmdb-lib";
import { type Location, unknown } from "../../base/location.ts";
import * as Config from "../config/config.ts";
import { memoizeByConfig } from "../config/memoize.ts";
import { includes, plain } from "../net/ip-ranges.ts";
import known from "./country-centres.json" with { type: "json" };

const centres: Record<string, number[] | undefined> = known.centres;

/**
 * Where a call came from: what our router said, else the country of the address and that country's centre. A private
 * address has no location.
 */
export async function locate({ ip, viewer }: { ip: string; viewer?: Location }): Promise<Location> {
  if (viewer?.country) return viewer.latitude === null ? { ...viewer, ...centre(viewer.country) } : viewer;
  const country = await countryOf(ip);
  return country ? { country, city: "", ...centre(country) } : unknown;
}

function centre(country: string): Pick<Location, "latitude" | "longitude"> {
  const [latitude = null, longitude = null] = centres[country] ?? [];
  return { latitude, longitude };
}

/** Eight megabytes, read when the first address is looked up and not before. */
const reader = memoizeByConfig(
  () => ({ file: Config.countryFile() }),
  async ({ file }) => {
    const [{ Reader }, content] = await Promise.all([import("mmdb-lib"), readFile(file)]);
    return new Reader<CountryResponse>(content);
  },
);

/** Addresses of no place in the world (RFC 6890), though the file places some of them where they leaked. */
const placeless = [
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
  if (includes(placeless, ip)) return "";
  const found: unknown = (await reader()).get(plain(ip));
  const code = (found as { country_code?: string } | null)?.country_code ?? "";
  return /^[A-Z]{2}$/.test(code) ? code : "";
}
