import * as z from "zod/mini";
import { resolve } from "../../avatar/resolve.ts";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Timezone } from "../../base/day.ts";
import { Fault } from "../../base/fault.ts";
import { Name, singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Authorization from "../../workspace/authorization.ts";
import * as Workspace from "../../workspace/workspace.ts";
import * as Factors from "../factors/factors.ts";

const Team = z.object({
  id: z.string(),
  name: z.string(),
  workspaceId: z.string(),
  role: Authorization.Role,
});

/** The signed-in user. `avatar` is a fresh pre-signed URL or empty, never the stored value. */
export const Me = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  avatar: z.string(),
  emailVerified: z.boolean(),
  locale: z.string(),
  timezone: z.string(),
  twoFactorEnabled: z.boolean(),
  workspaces: z.array(Workspace.View),
  teams: z.array(Team),
});
export type Me = z.infer<typeof Me>;

export const Profile = z.extend(Me, {
  title: z.string(),
  phone: z.string(),
  dateFormat: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Profile = z.infer<typeof Profile>;

export const dateFormats = ["YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY"] as const;

const Locale = z
  .string()
  .check(
    z.maxLength(35),
    z.refine(isLanguageTag, "Locale must be a BCP 47 language tag such as en or de-CH."),
  );

/** The profile fields that a user may change. The avatar is uploaded separately. */
export const Update = z.partial(
  z.object({
    name: Name,
    title: singleLine(0, 100),
    phone: z
      .string()
      .check(
        z.trim(),
        z.regex(/^(\+?[\d ()./-]{3,40})?$/, "Phone must be a telephone number such as +41 44 123 45 67."),
      ),
    locale: Locale,
    timezone: Timezone,
    dateFormat: z.enum(dateFormats),
  }),
);
export type Update = z.infer<typeof Update>;

type Caller = Pick<Actor, "userId" | "grant">;

/** Returns the caller's basic profile, for a header or a menu. */
export async function me(caller: Caller): Promise<Me> {
  const { title, phone, dateFormat, createdAt, updatedAt, ...rest } = await profile(caller);
  return rest;
}

/** Returns the caller's profile. For an API token, workspaces and teams are limited to the workspace of the token. */
export async function profile(caller: Caller): Promise<Profile> {
  const { userId, grant } = caller;
  const [user, workspaces, teams, twoFactorEnabled] = await Promise.all([
    db().selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst(),
    Workspace.list(caller),
    teamsOf(userId),
    Factors.enabled(db(), userId),
  ]);
  if (!user) throw new Fault("unauthenticated", "session_ended", "This account no longer exists.");
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    avatar: resolve(user.avatar),
    emailVerified: user.email_verified_at !== null,
    locale: user.locale,
    timezone: user.timezone,
    twoFactorEnabled,
    workspaces,
    teams: grant ? teams.filter(({ workspaceId }) => workspaceId === grant.workspaceId) : teams,
    title: user.title,
    phone: user.phone,
    dateFormat: user.date_format,
    createdAt: user.created_at.toISOString(),
    updatedAt: user.updated_at.toISOString(),
  };
}

/** Updates the given fields of the caller's profile and returns the whole profile. */
export async function update(actor: Actor, input: Update, now: Date = Clock.now()): Promise<Profile> {
  const { dateFormat, ...same } = input;
  const values = { ...same, ...(dateFormat !== undefined && { date_format: dateFormat }) };
  await transaction(async (tx) => {
    const before = await tx
      .selectFrom("users")
      .selectAll()
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    const changed = Object.entries(values).filter(
      ([column, value]) => before[column as keyof typeof values] !== value,
    );
    if (changed.length === 0) return;
    await tx
      .updateTable("users")
      .set({ ...values, updated_at: now })
      .where("id", "=", actor.userId)
      .execute();
    const changes = Object.fromEntries(
      changed.map(([column, after]) => [column, { before: before[column as keyof typeof values], after }]),
    );
    const target = { type: "user", id: actor.userId, name: input.name ?? before.name } as const;
    await Event.record(tx, actor, { action: "user.updated", target, changes }, now);
  });
  return profile(actor);
}

async function teamsOf(userId: string): Promise<Me["teams"]> {
  const rows = await db()
    .selectFrom("team_members")
    .innerJoin("teams", "teams.id", "team_members.team_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.workspace_id", "=", "teams.workspace_id")
        .onRef("memberships.user_id", "=", "team_members.user_id"),
    )
    .select(["teams.id", "teams.name", "teams.workspace_id as workspaceId", "memberships.role"])
    .where("team_members.user_id", "=", userId)
    .where("memberships.status", "=", "active")
    .orderBy("teams.name")
    .orderBy("teams.id")
    .execute();
  return rows as Me["teams"];
}

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length > 0;
  } catch {
    return false;
  }
}
