import { type Selectable, sql } from "kysely";
import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as Cursor from "../../base/cursor.ts";
import { defaultLimit, type FeedMeta, type FeedQuery, feedPage, idFromCursor } from "../../base/feed.ts";
import { Id, newId } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { IpAddress } from "../../base/ip-address.ts";
import type { Location } from "../../base/location.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import type { Logins } from "../../platform/db/schema.ts";
import * as UserAgent from "../devices/user-agent.ts";
import { type Classification, type Earlier, reasons } from "./suspicion.ts";

/** Methods by which a user authenticated, or failed to. */
export const methods = [
  "password",
  "totp",
  "webauthn",
  "passkey",
  "backup_code",
  "email_link",
  "emergency_bypass",
] as const;
export type Method = (typeof methods)[number];

/** How long entries are kept, in days. Must cover the 90 days that `first_in_90_days` looks back. */
export const retentionDays = 400;

/** Number of earlier sign-ins that a new sign-in is compared with. */
const comparedSignIns = 50;

/** Failures older than this do not make a sign-in suspicious. */
const failureHours = 24;

export const View = z.object({
  id: Id,
  at: Instant,
  ip: IpAddress,
  country: z.nullable(z.string()),
  city: z.nullable(z.string()),
  device: z.string(),
  outcome: z.enum(["success", "failure"]),
  method: z.enum(methods),
  suspicious: z.boolean(),
  reasons: z.array(z.enum(reasons)),
});
export type View = z.infer<typeof View>;

/** An entry with everything that is stored about it. */
export const Stored = z.extend(View, {
  userAgent: z.string(),
  /** Degrees. */
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
});
export type Stored = z.infer<typeof Stored>;

/** Lists the caller's sign-ins and failed attempts, newest first. Throws `invalid` `cursor_invalid`. */
export async function list(
  { userId }: Pick<Actor, "userId">,
  { cursor, limit = defaultLimit }: FeedQuery,
): Promise<{ data: View[]; meta: FeedMeta }> {
  let selection = newest(userId, limit + 1);
  if (cursor !== undefined) selection = selection.where("id", "<", idFromCursor(cursor));
  const { rows, meta } = feedPage(await selection.execute(), limit, ({ id }) => Cursor.encode([id]));
  return { data: rows.map(view), meta };
}

/** Lists the caller's newest entries with everything that is stored about them. */
export async function listStored({ userId }: Pick<Actor, "userId">, count: number): Promise<Stored[]> {
  const rows = await newest(userId, count).execute();
  return rows.map((row) => ({
    ...view(row),
    userAgent: row.user_agent,
    latitude: degrees(row.latitude),
    longitude: degrees(row.longitude),
  }));
}

/**
 * Records a failed attempt. For an unknown email the entry is written with an empty `userId`, so that the response time does not
 * reveal whether the account exists.
 */
export async function recordFailure(
  tx: Tx,
  userId: string,
  origin: RequestOrigin,
  location: Location,
  method: Method,
  now: Date,
): Promise<void> {
  const device = UserAgent.label(UserAgent.client(origin.userAgent));
  await insert(tx, userId, origin, location, device, method, undefined, now);
}

/** Records a successful sign-in and its classification. */
export async function recordSuccess(
  tx: Tx,
  login: {
    userId: string;
    origin: RequestOrigin;
    location: Location;
    device: string;
    method: Method;
    classification: Classification;
  },
  now: Date,
): Promise<void> {
  const { userId, origin, location, device, method, classification } = login;
  await insert(tx, userId, origin, location, device, method, classification, now);
}

/** Summarizes the user's history, for `Suspicion.classify`. */
export async function past(
  reader: Reader,
  userId: string,
  now: Date,
): Promise<{
  last: Earlier | undefined;
  lastLocated: Earlier | undefined;
  countries: string[];
  failures: number;
}> {
  const successes = await reader
    .selectFrom("logins")
    .select(["at", "country", "city", "latitude", "longitude"])
    .where("user_id", "=", userId)
    .where("outcome", "=", "success")
    .orderBy("id", "desc")
    .limit(comparedSignIns)
    .execute();
  const earlier = successes.map(({ at, latitude, longitude, ...named }) => ({
    at,
    location: { ...named, latitude: degrees(latitude), longitude: degrees(longitude) },
  }));
  const [last] = earlier;
  const since = Math.max(last?.at.getTime() ?? 0, now.getTime() - failureHours * 3_600_000);
  const { count } = await reader
    .selectFrom("logins")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("user_id", "=", userId)
    .where("outcome", "=", "failure")
    .where("at", ">", new Date(since))
    .executeTakeFirstOrThrow();
  return {
    last,
    lastLocated: earlier.find(({ location }) => location.latitude !== null),
    countries: [...new Set(earlier.map(({ location }) => location.country).filter(Boolean))],
    failures: Number(count),
  };
}

/** Deletes entries past their retention, and after a day those without a user. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const old = await deleteInBatches("logins", ["id"], sql`at < ${ago(retentionDays)}`);
  return old + (await deleteInBatches("logins", ["id"], sql`user_id = '' AND at < ${ago(1)}`));
}

function newest(userId: string, count: number) {
  return db()
    .selectFrom("logins")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(count);
}

function view(row: Selectable<Logins>): View {
  return {
    id: row.id,
    at: row.at.toISOString(),
    ip: row.ip,
    country: row.country || null,
    city: row.city || null,
    device: row.device_name,
    outcome: row.outcome as View["outcome"],
    method: row.method as Method,
    suspicious: row.suspicious,
    reasons: row.reasons as View["reasons"],
  };
}

async function insert(
  tx: Tx,
  userId: string,
  { ip, userAgent }: RequestOrigin,
  location: Location,
  device: string,
  method: Method,
  classification: Classification | undefined,
  now: Date,
): Promise<void> {
  await tx
    .insertInto("logins")
    .values({
      id: newId("log", now),
      user_id: userId,
      at: now,
      ip,
      user_agent: userAgent,
      ...location,
      device_name: device,
      outcome: classification ? "success" : "failure",
      method,
      suspicious: classification?.suspicious ?? false,
      reasons: JSON.stringify(classification?.reasons ?? []),
    })
    .execute();
}

function degrees(stored: string | null): number | null {
  return stored === null ? null : Number(stored);
}
