import * as Clock from "../base/clock.ts";
import { newId } from "../base/id.ts";
import * as Password from "../identity/password/hash.ts";
import * as Session from "../identity/sessions/session.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import type * as Authorization from "../workspace/authorization.ts";
import * as Workspace from "../workspace/workspace.ts";

export const password = "correct horse battery staple";
let hash: Promise<string> | undefined;

export type Person = { id: string; name: string; email: string; token: string; sessionId: string };
export type Home = { workspaceId: string; teamId: string };

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };

/** Creates a user with a session and without a workspace. */
export async function person(name = "Ada Lovelace"): Promise<Person> {
  const now = Clock.now();
  const id = newId("usr", now);
  const email = `${id}@people.test`;
  hash ??= Password.hash(password);
  const times = { email_verified_at: now, created_at: now, updated_at: now };
  await db()
    .insertInto("users")
    .values({ id, name, email, email_key: email, password_hash: await hash, ...times })
    .execute();
  const session = await transaction((tx) => Session.open(tx, id, "dev_test", origin, now));
  return { id, name, email, token: await Session.token(session), sessionId: session.id };
}

/** Marks a user's session as reauthenticated, as if they had just entered the password. Returns the user. */
export async function reauthenticated<P extends Person>(user: P): Promise<P> {
  await db()
    .updateTable("sessions")
    .set({ reauthenticated_at: Clock.now() })
    .where("id", "=", user.sessionId)
    .execute();
  return user;
}

/** Creates a user who owns a workspace with one team. */
export async function owner(name?: string, plan: Authorization.Plan = "FREE"): Promise<Person & Home> {
  const user = await person(name);
  const now = Clock.now();
  const by = { ...origin, userId: user.id };
  const { id: workspaceId } = await transaction((tx) =>
    Workspace.createInTransaction(tx, by, user.id, "Home", now),
  );
  await db().updateTable("workspaces").set({ plan }).where("id", "=", workspaceId).execute();
  const team = await db()
    .selectFrom("teams")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return { ...user, workspaceId, teamId: team.id };
}

/** Creates another member of a workspace and team. */
export async function colleague(
  home: Home,
  role: Authorization.Role = "member",
  name?: string,
): Promise<Person> {
  const user = await person(name);
  const now = Clock.now();
  await db()
    .insertInto("memberships")
    .values({ workspace_id: home.workspaceId, user_id: user.id, role, status: "active", joined_at: now })
    .execute();
  await db()
    .insertInto("team_members")
    .values({ team_id: home.teamId, user_id: user.id, joined_at: now })
    .execute();
  return user;
}
