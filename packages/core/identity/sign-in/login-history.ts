import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as Cursor from "../../base/cursor.ts";
import { defaultLimit, type FeedMeta, type FeedQuery, feedPage } from "../../base/feed.ts";
import { idPattern, newId } from "../../base/id.ts";
import { invalid } from "../../base/invalid.ts";
import type { Location } from "../../base/location.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as UserAgent from "../devices/user-agent.ts";
import { type Earlier, reasons, type Verdict } from "./suspicion.ts";

/** By what somebody proved, or failed to prove, who they are. */
export const methods = [
  "password",
  "totp",
  "webauthn",
  "backup_code",
  "email_link",
  "emergency_bypass",
] as const;
export type Method = (typeof methods)[number];

/** A year and a bit: long enough to notice who comes back after 90 days, and for a person to look something up. */
export const keptDays = 400;

/** How many of the last logins tell where somebody usually is. */
const looksBack = 50;

/** Failed tries that are older than this have nothing to do with a success. */
const failuresHours = 24;

export const View = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  ip: z.string(),
  country: z.nullable(z.string()),
  city: z.nullable(z.string()),
  device: z.string(),
  outcome: z.enum(["success", "failure"]),
  method: z.enum(methods),
  suspicious: z.boolean(),
  reasons: z.array(z.enum(reasons)),
});
export type View = z.infer<typeof View>;

/** The caller's logins, newest first, failed ones too. Throws 422 for a cursor that is none of this list. */
export async function list(
  { userId }: Pick<Actor, "userId">,
  { cursor, limit = defaultLimit }: FeedQuery,
): Promise<{ data: View[]; meta: FeedMeta }> {
  let selection = db()
    .selectFrom("logins")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(limit + 1);
  if (cursor !== undefined) selection = selection.where("id", "<", idIn(cursor));
  const { rows, meta } = feedPage(await selection.execute(), limit, ({ id }) => Cursor.encode([id]));
  const data = rows.map(
    (row): View => ({
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
    }),
  );
  return { data, meta };
}

/**
 * Write down a try that failed. For an address that nobody has the same is written, under nobody's name: the time it takes
 * must not tell.
 */
export async function failed(
  userId: string | undefined,
  origin: RequestOrigin,
  place: Location,
  method: Method,
  now: Date,
): Promise<void> {
  const device = UserAgent.label(UserAgent.client(origin.userAgent));
  await transaction((tx) => insert(tx, userId ?? "", origin, place, device, method, undefined, now));
}

/** Write down a login that succeeded, with what speaks against it. */
export async function succeeded(
  tx: Tx,
  login: {
    userId: string;
    origin: RequestOrigin;
    place: Location;
    device: string;
    method: Method;
    verdict: Verdict;
  },
  now: Date,
): Promise<void> {
  const { userId, origin, place, device, method, verdict } = login;
  await insert(tx, userId, origin, place, device, method, verdict, now);
}

/** What of this person's history a new login is compared with. */
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
    .limit(looksBack)
    .execute();
  const earlier = successes.map(({ at, latitude, longitude, ...named }) => ({
    at,
    place: { ...named, latitude: degrees(latitude), longitude: degrees(longitude) },
  }));
  const [last] = earlier;
  const since = Math.max(last?.at.getTime() ?? 0, now.getTime() - failuresHours * 3_600_000);
  const { count } = await reader
    .selectFrom("logins")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("user_id", "=", userId)
    .where("outcome", "=", "failure")
    .where("at", ">", new Date(since))
    .executeTakeFirstOrThrow();
  return {
    last,
    lastLocated: earlier.find(({ place }) => place.latitude !== null),
    countries: [...new Set(earlier.map(({ place }) => place.country).filter(Boolean))],
    failures: Number(count),
  };
}

/** Forget logins that are too old, and after a day those that nobody made. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const gone = await db()
    .deleteFrom("logins")
    .where((or) =>
      or.or([or("at", "<", ago(keptDays)), or.and([or("user_id", "=", ""), or("at", "<", ago(1))])]),
    )
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

async function insert(
  tx: Tx,
  userId: string,
  { ip, userAgent }: RequestOrigin,
  place: Location,
  device: string,
  method: Method,
  verdict: Verdict | undefined,
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
      ...place,
      device_name: device,
      outcome: verdict ? "success" : "failure",
      method,
      suspicious: verdict?.suspicious ?? false,
      reasons: JSON.stringify(verdict?.reasons ?? []),
    })
    .execute();
}

function idIn(cursor: string): string {
  const [id, ...rest] = Cursor.decode(cursor) ?? [];
  if (typeof id === "string" && idPattern.test(id) && rest.length === 0) return id;
  throw invalid({ parameter: "cursor" }, "cursor_invalid", "Not a cursor of this list.");
}

function degrees(stored: string | null): number | null {
  return stored === null ? null : Number(stored);
}
