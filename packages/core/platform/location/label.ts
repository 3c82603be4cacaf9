import type { Location } from "../../base/location.ts";

/** Returns the display name of a location, such as `Zürich, Switzerland`. */
export function locationLabel({ country, city }: Pick<Location, "country" | "city">): string {
  const name = country ? (new Intl.DisplayNames("en", { type: "region" }).of(country) ?? country) : "";
  return [city, name].filter(Boolean).join(", ") || "an unknown location";
}
