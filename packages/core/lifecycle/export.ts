import { type Expression, type NotNull, type SqlBool, sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Id } from "../base/id.ts";
import { Instant } from "../base/instant.ts";
import * as Consent from "../consent/consent.ts";
import * as Event from "../event/event.ts";
import * as DeviceList from "../identity/devices/device-list.ts";
import * as EmailChange from "../identity/email-change/email-change.ts";
import * as Factors from "../identity/factors/factors.ts";
import * as Profile from "../identity/profile/profile.ts";
import * as SessionList from "../identity/sessions/session-list.ts";
import * as Settings from "../identity/settings/settings.ts";
import * as LoginHistory from "../identity/sign-in/login-history.ts";
import * as ApiToken from "../identity/tokens/api-token.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as TimeEntry from "../tracking/time-entries/time-entry.ts";
import * as Authorization from "../workspace/authorization.ts";
import { moneyFilter } from "./hidden-money.ts";
import { OwnedWorkspace, ownedWorkspaces } from "./owned-workspaces.ts";

/**
 * Limits of the lists that grow over time, because a Lambda response is limited to 6 MB. The export contains the newest rows;
 * `complete` is false if older ones were left out.
 */
export const limits = {
  timeEntries: { rows: 10_000, bytes: 2_400_000 },
  reports: { rows: 2_000, bytes: 400_000 },
  loginHistory: { rows: 5_000, bytes: 1_000_000 },
  events: { rows: 5_000, bytes: 1_200_000 },
} as const;

const RecordedEvent = z.object({
  id: Id,
  at: Instant,
  workspaceId: z.nullable(Id),
  action: z.string(),
  targetType: z.string(),
  targetId: Id,
  targetName: z.string(),
  outcome: z.string(),
  /** How often this happened within the minute. */
  occurrences: z.int(),
  tokenId: z.nullable(Id),
  ip: z.nullable(z.string()),
  country: z.nullable(z.string()),
  city: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  changes: z.record(z.string(), z.unknown()),
});
type RecordedEvent = z.infer<typeof RecordedEvent>;

/** The record of a generated report. Its file can be downloaded in the workspace. */
const ReportRecord = z.object({
  id: Id,
  workspaceId: Id,
  userId: Id,
  /** Whether the report covers the time of all members rather than only its creator's. */
  allMembers: z.boolean(),
  type: z.string(),
  format: z.string(),
  size: z.int(),
  createdAt: Instant,
  expiresAt: Instant,
});
type ReportRecord = z.infer<typeof ReportRecord>;

/** Everything stored about a user, without passwords, tokens and codes or their hashes. */
export const Export = z.object({
  exportedAt: Instant,
  /** False if the oldest rows were left out because of the limits. */
  complete: z.boolean(),
  /** Workspaces whose data was left out, because they refuse the caller: the code of the error that their routes return. */
  omitted: z.array(z.object({ workspaceId: Id, name: z.string(), reason: Authorization.Refusal })),
  profile: Profile.Profile,
  security: Settings.Settings,
  secondFactors: Factors.Overview,
  sessions: z.array(SessionList.View),
  devices: z.array(DeviceList.View),
  apiTokens: z.array(ApiToken.View),
  memberships: z.array(
    z.object({
      workspaceId: Id,
      role: Authorization.Role,
      status: z.string(),
      joinedAt: Instant,
    }),
  ),
  invitations: z.array(z.object({ workspaceId: Id, teamId: Id, role: z.string(), createdAt: Instant })),
  consents: z.array(Consent.Stored),
  /** Changes of the email that were requested in the last seven days. */
  emailChanges: z.array(EmailChange.View),
  /** Workspaces without other active members. */
  ownWorkspaces: z.array(OwnedWorkspace),
  /** The user's entries, and all entries in `ownWorkspaces`. */
  timeEntries: z.array(z.extend(TimeEntry.Entry, { workspaceId: Id })),
  /** Reports that the user has generated, and all reports in `ownWorkspaces`. */
  reports: z.array(ReportRecord),
  loginHistory: z.array(LoginHistory.Stored),
  events: z.array(RecordedEvent),
});
export type Export = z.infer<typeof Export>;

/**
 * Returns everything that deleting the caller's account would affect, except the data of workspaces that refuse the caller.
 * Records `user.exported`.
 */
export async function exportAccount(actor: Actor, now: Date = Clock.now()): Promise<Export> {
  const { userId } = actor;
  const [account, omitted] = await Promise.all([accountOf(actor, now), omittedFor(actor)]);
  const omittedIds = omitted.map(({ workspaceId }) => workspaceId);
  const ownWorkspaces = await ownedWorkspaces(userId, omittedIds);
  const ids = { owned: ownWorkspaces.map(({ id }) => id), omitted: omittedIds };
  const { complete, ...histories } = await historiesOf(actor, ids, now);
  await transaction((tx) => {
    const target = { type: "user", id: userId, name: account.profile.name } as const;
    return Event.record(tx, actor, { action: "user.exported", target }, now);
  });
  return { exportedAt: now.toISOString(), complete, omitted, ...account, ownWorkspaces, ...histories };
}

/** The workspaces whose whole history belongs to the export, and those whose history it omits. */
type WorkspaceIds = { owned: readonly string[]; omitted: readonly string[] };

type Histories = Pick<Export, "timeEntries" | "reports" | "loginHistory" | "events">;

type Account = Omit<Export, keyof Histories | "exportedAt" | "complete" | "omitted" | "ownWorkspaces">;

/** Loads the parts of the export whose size is limited. */
function accountOf(actor: Actor, now: Date): Promise<Account> {
  const { userId } = actor;
  return allOf<Account>({
    profile: Profile.profile(actor),
    security: Settings.get(actor),
    secondFactors: Factors.overview(userId),
    sessions: SessionList.list(actor, now),
    devices: DeviceList.list(actor),
    apiTokens: ApiToken.list(actor),
    memberships: membershipsOf(userId),
    invitations: invitationsOf(userId),
    consents: Consent.listStored(actor),
    emailChanges: EmailChange.list(userId),
  });
}

/** Waits for all properties of an object. */
async function allOf<T extends object>(promises: { [Name in keyof T]: Promise<T[Name]> }): Promise<T> {
  const entries = Object.entries<Promise<unknown>>(promises);
  return Object.fromEntries(await Promise.all(entries.map(async ([name, value]) => [name, await value])));
}

/** Loads the parts of the export that grow without limit: their newest rows, and whether these are all. */
async function historiesOf(
  actor: Actor,
  ids: WorkspaceIds,
  now: Date,
): Promise<Histories & { complete: boolean }> {
  const [allEntries, allReports, allLogins, allEvents] = await Promise.all([
    entriesOf(actor.userId, ids, now),
    reportsOf(actor.userId, ids),
    LoginHistory.listStored(actor, limits.loginHistory.rows + 1),
    eventsOf(actor.userId, ids),
  ]);
  const timeEntries = takeWithin(allEntries, limits.timeEntries);
  const reports = takeWithin(allReports, limits.reports);
  const loginHistory = takeWithin(allLogins, limits.loginHistory);
  const events = takeWithin(allEvents, limits.events);
  const complete =
    timeEntries.length === allEntries.length &&
    reports.length === allReports.length &&
    loginHistory.length === allLogins.length &&
    events.length === allEvents.length;
  return { timeEntries, reports, loginHistory, events, complete };
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
    role: row.role as Authorization.Role,
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

/**
 * Lists the workspaces that the user's memberships, time entries, reports and events belong to and that refuse the caller. Former
 * members are refused like members: the data is the same.
 */
async function omittedFor(actor: Actor): Promise<Export["omitted"]> {
  const { userId } = actor;
  const rows = await Authorization.workspacesOf(userId)
    .where("workspaces.id", "in", ({ selectFrom }) =>
      selectFrom("memberships")
        .select("workspace_id")
        .where("user_id", "=", userId)
        .union(selectFrom("time_entries").select("workspace_id").where("user_id", "=", userId))
        .union(selectFrom("reports").select("workspace_id").where("user_id", "=", userId))
        .union(
          selectFrom("events")
            .select("workspace_id")
            .where("actor_id", "=", userId)
            .$narrowType<{ workspace_id: NotNull }>(),
        )
        .union(
          selectFrom("events")
            .select("workspace_id")
            .where("target_id", "=", userId)
            .$narrowType<{ workspace_id: NotNull }>(),
        ),
    )
    .orderBy("workspaces.id")
    .execute();
  const checked = await Promise.all(
    rows.map(async (row) => ({ row, reason: await Authorization.refusalOf(actor, row) })),
  );
  return checked.flatMap(({ row: { workspaceId, workspaceName: name }, reason }) =>
    reason ? [{ workspaceId, name, reason }] : [],
  );
}

/** Returns the SQL condition that a row belongs to no workspace or to one that is not in `omittedIds`. */
function outside(omittedIds: readonly string[]): Expression<SqlBool> {
  if (omittedIds.length === 0) return sql<SqlBool>`true`;
  return sql<SqlBool>`(workspace_id IS NULL OR workspace_id NOT IN (${sql.join(omittedIds)}))`;
}

/** Loads the newest time entries, one more than the limit. Each query uses one index. */
async function entriesOf(userId: string, ids: WorkspaceIds, now: Date): Promise<Export["timeEntries"]> {
  const latest = () =>
    db()
      .selectFrom("time_entries")
      .selectAll()
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(limits.timeEntries.rows + 1);
  const lists = await Promise.all([
    latest().where("user_id", "=", userId).where(outside(ids.omitted)).execute(),
    ...ids.owned.map((id) => latest().where("workspace_id", "=", id).execute()),
  ]);
  const all = new Map(lists.flat().map((row) => [row.id, row]));
  return [...all.values()]
    .sort((a, b) => b.started_at.getTime() - a.started_at.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, limits.timeEntries.rows + 1)
    .map((row) => ({ ...TimeEntry.entry(row, now), workspaceId: row.workspace_id }));
}

/** Loads the newest reports, one more than the limit. Each query uses one index. */
async function reportsOf(userId: string, ids: WorkspaceIds): Promise<ReportRecord[]> {
  const newest = () =>
    db()
      .selectFrom("reports")
      .selectAll()
      .orderBy("id", "desc")
      .limit(limits.reports.rows + 1);
  const lists = await Promise.all([
    newest().where("user_id", "=", userId).where(outside(ids.omitted)).execute(),
    ...ids.owned.map((id) => newest().where("workspace_id", "=", id).execute()),
  ]);
  const all = new Map(lists.flat().map((row) => [row.id, row]));
  return [...all.values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limits.reports.rows + 1)
    .map((row) => ({
      id: row.id,
      workspaceId: row.workspace_id,
      userId: row.user_id,
      allMembers: row.everybodys,
      type: row.type,
      format: row.format,
      size: Number(row.size_bytes),
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    }));
}

/** Loads the newest events by the user, about the user, and in their owned workspaces. Each query uses one index. */
async function eventsOf(userId: string, ids: WorkspaceIds): Promise<RecordedEvent[]> {
  const newest = () =>
    db()
      .selectFrom("events")
      .selectAll()
      .orderBy("id", "desc")
      .limit(limits.events.rows + 1);
  const [by, about, ...inside] = await Promise.all([
    newest().where("actor_id", "=", userId).where(outside(ids.omitted)).execute(),
    newest().where("target_id", "=", userId).where(outside(ids.omitted)).execute(),
    ...ids.owned.map((id) => newest().where("workspace_id", "=", id).execute()),
  ]);
  const all = new Map([by, about, ...inside].flat().map((row) => [row.id, row]));
  const rows = [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limits.events.rows + 1);
  const withoutMoney = await moneyFilter(userId, rows);
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    workspaceId: row.workspace_id,
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    targetName: row.target_name,
    outcome: row.outcome,
    occurrences: row.occurrences ?? 1,
    tokenId: row.token_id,
    // The origin of another user is that user's personal data.
    ip: row.actor_id === userId ? row.ip : null,
    country: (row.actor_id === userId && row.country) || null,
    city: (row.actor_id === userId && row.city) || null,
    userAgent: row.actor_id === userId ? row.user_agent : null,
    changes: withoutMoney(row),
  }));
}
