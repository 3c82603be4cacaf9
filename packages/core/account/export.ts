import * as z from "zod/mini";
import type { Actor } from "../account/actor.ts";
import * as Clock from "../clock/clock.ts";
import { db } from "../db/engine.ts";
import { transaction } from "../db/transaction.ts";
import * as Event from "../event/event.ts";
import * as ApiToken from "../security/api-token.ts";
import * as DeviceList from "../security/device-list.ts";
import * as Factors from "../security/factors.ts";
import * as LoginHistory from "../security/login-history.ts";
import * as SessionList from "../security/session-list.ts";
import * as Settings from "../security/settings.ts";
import * as Profile from "./profile.ts";

/** A Lambda answer holds 6 MB: of what can grow without end the newest, and `complete` says whether that is all. */
export const maxEvents = 5000;
const maxLogins = 5000;

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
  invitations: z.array(
    z.object({ workspaceId: z.string(), teamId: z.string(), role: z.string(), createdAt: z.iso.datetime() }),
  ),
  loginHistory: z.array(LoginHistory.View),
  events: z.array(RecordedEvent),
});
export type Export = z.infer<typeof Export>;

/** All that the deletion of the account would touch, as one document; that it was asked for is itself recorded. */
export async function exported(actor: Actor, now: Date = Clock.now()): Promise<Export> {
  const [profile, security, secondFactors, sessions, devices, apiTokens, invitations, logins, events] =
    await Promise.all([
      Profile.profile(actor),
      Settings.get(actor),
      Factors.overview(actor.userId),
      SessionList.list(actor, now),
      DeviceList.list(actor),
      ApiToken.list(actor),
      invitationsOf(actor.userId),
      LoginHistory.list(actor, { limit: maxLogins }),
      eventsOf(actor.userId),
    ]);
  await transaction((tx) => {
    const target = { type: "user", id: actor.userId, name: profile.name } as const;
    return Event.record(tx, actor, { action: "user.exported", target }, now);
  });
  return {
    exportedAt: now.toISOString(),
    complete: logins.meta.nextCursor === null && events.length <= maxEvents,
    profile,
    security,
    secondFactors,
    sessions,
    devices,
    apiTokens,
    invitations,
    loginHistory: logins.data,
    events: events.slice(0, maxEvents),
  };
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

/** What the person did and what was done to them. Two reads, each along an index of its own. */
async function eventsOf(userId: string): Promise<Export["events"]> {
  const newest = () =>
    db()
      .selectFrom("events")
      .selectAll()
      .orderBy("id", "desc")
      .limit(maxEvents + 1);
  const [by, about] = await Promise.all([
    newest().where("actor_id", "=", userId).execute(),
    newest().where("target_id", "=", userId).execute(),
  ]);
  const all = new Map([...by, ...about].map((row) => [row.id, row]));
  return [...all.values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, maxEvents + 1)
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
