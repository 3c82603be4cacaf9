import * as z from "zod/mini";
import * as Avatar from "../../avatar/resolve.ts";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Timezone } from "../../base/day.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import { type IfMatch, requireMatch } from "../../base/if-match.ts";
import { Instant } from "../../base/instant.ts";
import { Name, singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { changed, executeUnlessChanged, versionOf } from "../../platform/db/version.ts";
import * as Authorization from "../../workspace/authorization.ts";
import { hasSecondFactor } from "../../workspace/second-factor.ts";
import * as Workspace from "../../workspace/workspace.ts";

export const Team = z.object({
  id: Id,
  name: z.string(),
  workspaceId: Id,
  role: Authorization.Role,
});

/** The signed-in user. The avatar has freshly signed URLs, never the stored value. */
export const Me = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  ...Avatar.fields,
  emailVerified: z.boolean(),
  locale: z.string(),
  timezone: z.string(),
  twoFactorEnabled: z.boolean(),
  workspaces: z.array(Workspace.View),
  teams: z.array(Team),
});
export type Me = z.infer<typeof Me>;

export const dateFormats = ["YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY"] as const;

export const Profile = z.extend(Me, {
  title: z.string(),
  phone: z.string(),
  dateFormat: z.enum(dateFormats),
  createdAt: Instant,
  updatedAt: Instant,
  /** The ETag without its quotes. Changes with the account, but not with its workspaces and teams. */
  version: z.string(),
});
export type Profile = z.infer<typeof Profile>;

export const Locale = z.string().check(
  z.maxLength(35),
  z.refine(isLanguageTag, "Locale must be a BCP 47 language tag such as en or de-CH."),
  z.meta({
    description: "A language tag (BCP 47).",
    pattern: "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
    examples: ["de-CH"],
  }),
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
  const { title, phone, dateFormat, createdAt, updatedAt, version, ...rest } = await profile(caller);
  return rest;
}

/** Returns the caller's profile. For an API token, workspaces and teams are limited to the workspace of the token. */
export async function profile(caller: Caller, reader: Reader = db()): Promise<Profile> {
  const rows = await rowsOf(caller, reader);
  const [user] = rows;
  if (!user) throw new Fault("unauthenticated", "session_ended", "This account no longer exists.");
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    ...Avatar.resolve(user),
    emailVerified: user.email_verified_at !== null,
    locale: user.locale,
    timezone: user.timezone,
    twoFactorEnabled: Boolean(user.hasSecondFactor),
    workspaces: workspacesIn(rows),
    teams: rows.flatMap(teamIn),
    title: user.title,
    phone: user.phone,
    dateFormat: user.date_format as Profile["dateFormat"],
    createdAt: user.created_at.toISOString(),
    updatedAt: user.updated_at.toISOString(),
    version: version(user),
  };
}

/** Updates the given fields of the caller's profile and returns the whole profile. Throws `stale` `changed_meanwhile`. */
export async function update(
  actor: Actor,
  input: Update,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<Profile> {
  const { dateFormat, ...same } = input;
  const values = { ...same, ...(dateFormat !== undefined && { date_format: dateFormat }) };
  await transaction(async (tx) => {
    const before = await tx
      .selectFrom("users")
      .selectAll()
      .select(hasSecondFactor(actor.userId).as("hasSecondFactor"))
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    await requireMatch(ifMatch, version(before), () => profile(actor, tx));
    const differing = Object.entries(values).filter(
      ([column, value]) => before[column as keyof typeof values] !== value,
    );
    if (differing.length === 0) return;
    const written = tx
      .updateTable("users")
      .set({ ...values, ...changed(now) })
      .where("id", "=", actor.userId)
      .where("version", "is not distinct from", before.version)
      .returning("id");
    await executeUnlessChanged(written);
    const changes = Object.fromEntries(
      differing.map(([column, after]) => [column, { before: before[column as keyof typeof values], after }]),
    );
    const target = { type: "user", id: actor.userId, name: input.name ?? before.name } as const;
    await Event.record(tx, actor, { action: "user.updated", target, changes }, now);
  });
  return profile(actor);
}

/**
 * Selects everything in a profile with one statement, because each further one is another wait for the database: a row for each
 * of the user's teams and for each workspace without one, sorted by team, and one row for a user without workspaces.
 */
function rowsOf({ userId, grant }: Caller, reader: Reader) {
  return reader
    .selectFrom("users")
    .leftJoin("memberships", (join) => {
      const active = join
        .onRef("memberships.user_id", "=", "users.id")
        .on("memberships.status", "=", "active");
      return grant ? active.on("memberships.workspace_id", "=", grant.workspaceId) : active;
    })
    .leftJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .leftJoin(
      ({ selectFrom }) =>
        selectFrom("team_members")
          .innerJoin("teams", "teams.id", "team_members.team_id")
          .select(["teams.id", "teams.name", "teams.workspace_id"])
          .where("team_members.user_id", "=", userId)
          .as("team"),
      (join) => join.onRef("team.workspace_id", "=", "memberships.workspace_id"),
    )
    .select([
      "users.id",
      "users.email",
      "users.name",
      ...Avatar.columns,
      "users.email_verified_at",
      "users.locale",
      "users.timezone",
      "users.title",
      "users.phone",
      "users.date_format",
      "users.created_at",
      "users.updated_at",
      "users.version",
      "memberships.role",
      "memberships.joined_at as joinedAt",
      "workspaces.id as workspaceId",
      "workspaces.name as workspaceName",
      "workspaces.plan",
      "workspaces.base_currency as baseCurrency",
      "workspaces.require_two_factor as requireTwoFactor",
      "team.id as teamId",
      "team.name as teamName",
      hasSecondFactor(userId).as("hasSecondFactor"),
    ])
    .where("users.id", "=", userId)
    .orderBy("team.name")
    .orderBy("team.id")
    .execute();
}

function version(user: { id: string; version: string | null; hasSecondFactor: unknown }): string {
  return versionOf(user, user.hasSecondFactor ? "two-factor" : "one-factor");
}

type ProfileRow = Awaited<ReturnType<typeof rowsOf>>[number];

/** Returns the workspaces of the rows in the order the user joined them. */
function workspacesIn(rows: readonly ProfileRow[]): Me["workspaces"] {
  const joined = new Map(rows.map((row) => [row.workspaceId, row]));
  joined.delete(null);
  return [...joined.values()]
    .sort(
      (a, b) => Number(a.joinedAt) - Number(b.joinedAt) || (`${a.workspaceId}` < `${b.workspaceId}` ? -1 : 1),
    )
    .map((row) => ({
      id: row.workspaceId,
      name: row.workspaceName,
      plan: row.plan,
      role: row.role,
      baseCurrency: row.baseCurrency,
      requireTwoFactor: row.requireTwoFactor === true,
    })) as Me["workspaces"];
}

function teamIn({ teamId, teamName, workspaceId, role }: ProfileRow): Me["teams"] {
  return teamId === null ? [] : [{ id: teamId, name: teamName, workspaceId, role } as Me["teams"][number]];
}

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length > 0;
  } catch {
    return false;
  }
}
