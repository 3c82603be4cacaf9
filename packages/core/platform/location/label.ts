import type { Location } from "../../base/location.ts";

/** The name of a place for people: `Zürich, Switzerland`. */
export function label({ country, city }: Pick<Location, "country" | "city">): string {
  const name = country ? (new Intl.DisplayNames("en", { type: "region" }).of(country) ?? country) : "";
  return [city, name].filter(Boolean).join(", ") || "an unknown place";
}
