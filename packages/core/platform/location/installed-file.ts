import { createRequire } from "node:module";

/** The file in node_modules that COUNTRY_FILE names unless a deployment carries a copy of its own. */
export function installedFile(): string {
  return createRequire(import.meta.url).resolve(
    "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
  );
}

/** What the copy beside a deployed function is called; a function that runs in its folder finds it by this alone. */
export const deployedName = "country.mmdb";
