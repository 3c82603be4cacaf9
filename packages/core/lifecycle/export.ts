import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import * as Consent from "../consent/consent.ts";
import * as Event from "../event/event.ts";
import * as DeviceList from "../identity/devices/device-list.ts";
import * as Factors from "../identity/factors/factors.ts";
import * as Profile from "../identity/profile/profile.ts";
import * as SessionList from "../identity/sessions/session-list.ts";
import * as Settings from "../identity/settings/settings.ts";
import * as LoginHistory from "../identity/sign-in/login-history.ts";
import * as ApiToken from "../identity/tokens/api-token.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as TimeEntry from "../tracking/time-entries/time-entry.ts";
import { Role } from "../workspace/authorization.ts";
import { OwnWorkspace, ownWorkspaces } from "./owned-workspaces.ts";

/**
 * A Lambda answer holds 6 MB: of what can grow without end there are the newest, so many rows and bytes at most, and
 * `complete` says whether that is all.
 */
export const most = {
  timeEntries: { rows: 10_000, bytes: 2_400_000 },
  loginHistory: { rows: 5_000, bytes: 800_000 },
  events: { rows: 5_000, bytes: 1_200_000 },
} as const;

const RecordedEvent = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  workspaceId: z.nullable(z.string()),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  changes: z.record(z.string(), z.unknown()),
});
type RecordedEvent = z.infer<typeof RecordedEvent>;

/** Everything about the caller. Passwords, tokens and codes are in it in no form. */
export const Export = z.object({
  exportedAt: z.iso.datetime(),
  complete: z.boolean(),
  profile: Profile.Profile,
  security: Settings.Settings,
  secondFactors: Factors.Overview,
  sessions: z.array(SessionList.View),
  devices: z.array(DeviceList.View),
  apiTokens: z.array(ApiToken.View),
  memberships: z.array(
    z.object({ workspaceId: z.string(), role: Role, status: z.string(), joinedAt: z.iso.datetime() }),
  ),
  invitations: z.array(
    z.object({ workspaceId: z.string(), teamId: z.string(), role: z.string(), createdAt: z.iso.datetime() }),
  ),
  consents: z.array(Consent.View),
  /** Those that nobody else is in. */
  ownWorkspaces: z.array(OwnWorkspace),
  /** The caller's own, and everybody's in the caller's own workspaces. */
  timeEntries: z.array(z.extend(TimeEntry.Entry, { workspaceId: z.string() })),
  loginHistory: z.array(LoginHistory.View),
  events: z.array(RecordedEvent),
});
export type Export = z.infer<typeof Export>;

/** All that the deletion of the account would touch, as one document; that it was asked for is itself recorded. */
export async function exported(actor: Actor, now: Date = Clock.now()): Promise<Export> {
  const { userId } = actor;
  const [
    own,
    profile,
    security,
    secondFactors,
    sessions,
    devices,
    apiTokens,
    memberships,
    invitations,
    consents,
  ] = await Promise.all([
    ownWorkspaces(userId),
    Profile.profile(actor),
    Settings.get(actor),
    Factors.overview(userId),
    SessionList.list(actor, now),
    DeviceList.list(actor),
    ApiToken.list(actor),
    membershipsOf(userId),
    invitationsOf(userId),
    Consent.mine(actor),
  ]);
  const ownIds = own.map(({ id }) => id);
  const [entries, logins, events] = await Promise.all([
    entriesOf(userId, ownIds, now),
    LoginHistory.list(actor, { limit: most.loginHistory.rows }),
    eventsOf(userId, ownIds),
  ]);
  const timeEntries = fitting(entries, most.timeEntries);
  const loginHistory = fitting(logins.data, most.loginHistory);
  const newest = fitting(events, most.events);
  await transaction((tx) => {
    const target = { type: "user", id: userId, name: profile.name } as const;
    return Event.record(tx, actor, { action: "user.exported", target }, now);
  });
  return {
    exportedAt: now.toISOString(),
    complete:
      timeEntries.length === entries.length &&
      logins.meta.nextCursor === null &&
      loginHistory.length === logins.data.length &&
      newest.length === events.length,
    profile,
    security,
    secondFactors,
    sessions,
    devices,
    apiTokens,
    memberships,
    invitations,
    consents,
    ownWorkspaces: own,
    timeEntries,
    loginHistory,
    events: newest,
  };
}

/** The first rows, as many as fit. */
export function fitting<Row>(
  rows: readonly Row[],
  { rows: count, bytes }: { rows: number; bytes: number },
): Row[] {
  let left = bytes;
  const end = rows.findIndex((row, at) => {
    left -= Buffer.byteLength(JSON.stringify(row)) + 1;
    return at === count || left < 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

async function membershipsOf(userId: string): Promise<Export["memberships"]> {
  const rows = await db()
    .selectFrom("memberships")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("joined_at")
    .execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    role: row.role as Role,
    status: row.status,
    joinedAt: row.joined_at.toISOString(),
  }));
}

async function invitationsOf(userId: string): Promise<Export["invitations"]> {
  const rows = await db()
    .selectFrom("invitations")
    .innerJoin("users", "users.email_key", "invitations.email_key")
    .select(["invitations.workspace_id", "invitations.team_id", "invitations.role", "invitations.created_at"])
    .where("users.id", "=", userId)
    .execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    teamId: row.team_id,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  }));
}

/** The latest, one more than are shown: each read along an index of its own. */
async function entriesOf(
  userId: string,
  ownIds: readonly string[],
  now: Date,
): Promise<Export["timeEntries"]> {
  const latest = () =>
    db()
      .selectFrom("time_entries")
      .selectAll()
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(most.timeEntries.rows + 1);
  const found = await Promise.all([
    latest().where("user_id", "=", userId).execute(),
    ...ownIds.map((id) => latest().where("workspace_id", "=", id).execute()),
  ]);
  const all = new Map(found.flat().map((row) => [row.id, row]));
  return [...all.values()]
    .sort((a, b) => b.started_at.getTime() - a.started_at.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, most.timeEntries.rows + 1)
    .map((row) => ({ ...TimeEntry.entry(row, now), workspaceId: row.workspace_id }));
}

/** What the person did, what was done to them, and what happened in their own workspaces: each along an index of its own. */
async function eventsOf(userId: string, ownIds: readonly string[]): Promise<RecordedEvent[]> {
  const newest = () =>
    db()
      .selectFrom("events")
      .selectAll()
      .orderBy("id", "desc")
      .limit(most.events.rows + 1);
  const [by, about, ...inside] = await Promise.all([
    newest().where("actor_id", "=", userId).execute(),
    newest().where("target_id", "=", userId).execute(),
    ...ownIds.map((id) => newest().where("workspace_id", "=", id).execute()),
  ]);
  const all = new Map([by, about, ...inside].flat().map((row) => [row.id, row]));
  return [...all.values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, most.events.rows + 1)
    .map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      workspaceId: row.workspace_id,
      action: row.action,
      targetType: row.target_type,
      targetId: row.target_id,
      targetName: row.target_name,
      // Somebody else's address is theirs.
      ip: row.actor_id === userId ? row.ip : null,
      userAgent: row.actor_id === userId ? row.user_agent : null,
      changes: row.changes,
    }));
}
