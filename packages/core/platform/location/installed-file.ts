import { createRequire } from "node:module";

/** Returns the path of the country file in node_modules, which COUNTRY_FILE names in development. */
export function installedCountryFile(): string {
  return createRequire(import.meta.url).resolve(
    "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
  );
}

/** Name of the copy in the folder of a deployed function. The function runs in that folder, so the name is its path. */
export const deployedCountryFile = "country.mmdb";
