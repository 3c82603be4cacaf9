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

/** A person with an account and a session of their own, in no workspace yet. */
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

/** A person with a workspace that they own, and its first team. */
export async function owner(name?: string, plan: Authorization.Plan = "FREE"): Promise<Person & Home> {
  const somebody = await person(name);
  const now = Clock.now();
  const by = { ...origin, userId: somebody.id };
  const { id: workspaceId } = await transaction((tx) =>
    Workspace.createInTransaction(tx, by, somebody.id, "Home", now),
  );
  await db().updateTable("workspaces").set({ plan }).where("id", "=", workspaceId).execute();
  const team = await db()
    .selectFrom("teams")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return { ...somebody, workspaceId, teamId: team.id };
}

/** A further person in that workspace and team. */
export async function colleague(
  home: Home,
  role: Authorization.Role = "member",
  name?: string,
): Promise<Person> {
  const somebody = await person(name);
  const now = Clock.now();
  await db()
    .insertInto("memberships")
    .values({ workspace_id: home.workspaceId, user_id: somebody.id, role, status: "active", joined_at: now })
    .execute();
  await db()
    .insertInto("team_members")
    .values({ team_id: home.teamId, user_id: somebody.id, joined_at: now })
    .execute();
  return somebody;
}
