import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { Instant } from "../../base/instant.ts";
import { db } from "../../platform/db/engine.ts";
import { locationLabel } from "../../platform/location/label.ts";
import type { Membership } from "../../workspace/authorization.ts";

/** The period of the map, in days. */
export const days = 90;

const Feature = z.object({
  type: z.literal("Feature"),
  /** Null for sign-ins with an unknown location. */
  geometry: z.nullable(
    z.object({ type: z.literal("Point"), coordinates: z.tuple([z.number(), z.number()]) }),
  ),
  properties: z.object({
    country: z.nullable(z.string()),
    city: z.nullable(z.string()),
    label: z.string(),
    count: z.int(),
    suspiciousCount: z.int(),
    lastAt: Instant,
  }),
});

/** A GeoJSON feature collection. Coordinates are longitude, then latitude, in WGS 84 degrees (RFC 7946). */
export const LoginMap = z.object({ type: z.literal("FeatureCollection"), features: z.array(Feature) });
export type LoginMap = z.infer<typeof LoginMap>;

/** Counts the successful sign-ins of the workspace's members in the last 90 days by location, highest count first. */
export async function map({ workspaceId }: Membership, now: Date = Clock.now()): Promise<LoginMap> {
  const rows = await db()
    .selectFrom("logins")
    .innerJoin("memberships", "memberships.user_id", "logins.user_id")
    .select(["logins.country", "logins.city", "logins.latitude", "logins.longitude"])
    .select(({ fn }) => [
      fn.countAll<bigint>().as("count"),
      fn.countAll<bigint>().filterWhere("logins.suspicious", "=", true).as("suspicious"),
      fn.max("logins.at").as("last"),
    ])
    .where("memberships.workspace_id", "=", workspaceId)
    .where("logins.outcome", "=", "success")
    .where("logins.at", ">", new Date(now.getTime() - days * 86_400_000))
    .groupBy(["logins.country", "logins.city", "logins.latitude", "logins.longitude"])
    .orderBy("count", "desc")
    .orderBy("logins.country")
    .orderBy("logins.city")
    .execute();
  const features = rows.map(({ country, city, latitude, longitude, count, suspicious, last }) => ({
    type: "Feature" as const,
    geometry:
      latitude === null || longitude === null
        ? null
        : {
            type: "Point" as const,
            coordinates: [Number(longitude), Number(latitude)] as [number, number],
          },
    properties: {
      country: country || null,
      city: city || null,
      label: locationLabel({ country, city }),
      count: Number(count),
      suspiciousCount: Number(suspicious),
      lastAt: last.toISOString(),
    },
  }));
  return { type: "FeatureCollection", features };
}
