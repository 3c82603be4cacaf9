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
import { OwnedWorkspace, ownedWorkspaces } from "./owned-workspaces.ts";

/**
 * Limits of the lists that grow over time, because a Lambda response is limited to 6 MB. The export contains the newest rows;
 * `complete` is false if older ones were left out.
 */
export const limits = {
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

/** Everything stored about a user, without passwords, tokens and codes or their hashes. */
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
  /** Workspaces without other members. */
  ownWorkspaces: z.array(OwnedWorkspace),
  /** The user's entries, and all entries in `ownWorkspaces`. */
  timeEntries: z.array(z.extend(TimeEntry.Entry, { workspaceId: z.string() })),
  loginHistory: z.array(LoginHistory.View),
  events: z.array(RecordedEvent),
});
export type Export = z.infer<typeof Export>;

/** Returns everything that deleting the caller's account would affect, and records `user.exported`. */
export async function exportAccount(actor: Actor, now: Date = Clock.now()): Promise<Export> {
  const { userId } = actor;
  const [account, owned] = await Promise.all([accountOf(actor, now), ownedWorkspaces(userId)]);
  const { complete, ...histories } = await historiesOf(
    actor,
    owned.map(({ id }) => id),
    now,
  );
  await transaction((tx) => {
    const target = { type: "user", id: userId, name: account.profile.name } as const;
    return Event.record(tx, actor, { action: "user.exported", target }, now);
  });
  return { exportedAt: now.toISOString(), complete, ...account, ownWorkspaces: owned, ...histories };
}

type Histories = Pick<Export, "timeEntries" | "loginHistory" | "events">;

type Account = Omit<Export, keyof Histories | "exportedAt" | "complete" | "ownWorkspaces">;

/** Loads the parts of the export whose size is limited. */
async function accountOf(actor: Actor, now: Date): Promise<Account> {
  const { userId } = actor;
  const [profile, security, secondFactors, sessions, devices, apiTokens, memberships, invitations, consents] =
    await Promise.all([
      Profile.profile(actor),
      Settings.get(actor),
      Factors.overview(userId),
      SessionList.list(actor, now),
      DeviceList.list(actor),
      ApiToken.list(actor),
      membershipsOf(userId),
      invitationsOf(userId),
      Consent.list(actor),
    ]);
  return {
    profile,
    security,
    secondFactors,
    sessions,
    devices,
    apiTokens,
    memberships,
    invitations,
    consents,
  };
}

/** Loads the parts of the export that grow without limit: their newest rows, and whether these are all. */
async function historiesOf(
  actor: Actor,
  ownedIds: readonly string[],
  now: Date,
): Promise<Histories & { complete: boolean }> {
  const [entries, logins, allEvents] = await Promise.all([
    entriesOf(actor.userId, ownedIds, now),
    LoginHistory.list(actor, { limit: limits.loginHistory.rows }),
    eventsOf(actor.userId, ownedIds),
  ]);
  const timeEntries = takeWithin(entries, limits.timeEntries);
  const loginHistory = takeWithin(logins.data, limits.loginHistory);
  const events = takeWithin(allEvents, limits.events);
  const complete =
    timeEntries.length === entries.length &&
    logins.meta.nextCursor === null &&
    loginHistory.length === logins.data.length &&
    events.length === allEvents.length;
  return { timeEntries, loginHistory, events, complete };
}

/** Returns the first rows within a number of rows and of bytes as JSON. */
export function takeWithin<Row>(
  rows: readonly Row[],
  { rows: maxRows, bytes }: { rows: number; bytes: number },
): Row[] {
  let left = bytes;
  const end = rows.findIndex((row, at) => {
    left -= Buffer.byteLength(JSON.stringify(row)) + 1;
    return at === maxRows || left < 0;
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

/** Loads the newest time entries, one more than the limit. Each query uses one index. */
async function entriesOf(
  userId: string,
  ownedIds: readonly string[],
  now: Date,
): Promise<Export["timeEntries"]> {
  const latest = () =>
    db()
      .selectFrom("time_entries")
      .selectAll()
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(limits.timeEntries.rows + 1);
  const lists = await Promise.all([
    latest().where("user_id", "=", userId).execute(),
    ...ownedIds.map((id) => latest().where("workspace_id", "=", id).execute()),
  ]);
  const all = new Map(lists.flat().map((row) => [row.id, row]));
  return [...all.values()]
    .sort((a, b) => b.started_at.getTime() - a.started_at.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, limits.timeEntries.rows + 1)
    .map((row) => ({ ...TimeEntry.entry(row, now), workspaceId: row.workspace_id }));
}

/** Loads the newest events by the user, about the user, and in their owned workspaces. Each query uses one index. */
async function eventsOf(userId: string, ownedIds: readonly string[]): Promise<RecordedEvent[]> {
  const newest = () =>
    db()
      .selectFrom("events")
      .selectAll()
      .orderBy("id", "desc")
      .limit(limits.events.rows + 1);
  const [by, about, ...inside] = await Promise.all([
    newest().where("actor_id", "=", userId).execute(),
    newest().where("target_id", "=", userId).execute(),
    ...ownedIds.map((id) => newest().where("workspace_id", "=", id).execute()),
  ]);
  const all = new Map([by, about, ...inside].flat().map((row) => [row.id, row]));
  return [...all.values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limits.events.rows + 1)
    .map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      workspaceId: row.workspace_id,
      action: row.action,
      targetType: row.target_type,
      targetId: row.target_id,
      targetName: row.target_name,
      // The IP address of another user is that user's personal data.
      ip: row.actor_id === userId ? row.ip : null,
      userAgent: row.actor_id === userId ? row.user_agent : null,
      changes: row.changes,
    }));
}
