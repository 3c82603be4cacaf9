import { randomInt } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { type TokenScope, scopes as tokenScopes } from "@svc/core/base/token-scope";
import * as Session from "@svc/core/identity/sessions/session";
import * as Token from "@svc/core/identity/sessions/token";
import { hashSecret, newSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import { transaction } from "@svc/core/platform/db/transaction";
import * as Queue from "@svc/core/platform/queue/queue";
import { colleague, owner, reauthenticated } from "@svc/core/testing/people";
import { type Role, roles } from "@svc/core/workspace/authorization";
import { startBucket } from "@svc/local/testing/bucket";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "./http/api.ts";
import { load } from "./load.ts";
import { type Route, type RouteKey, routes } from "./routes.ts";
import { calls } from "./testing/calls.ts";
import { mailServer } from "./testing/mails.ts";
import { type RequestOptions, request } from "./testing/request.ts";

// Sends a request that is valid for its own caller as every kind of principal. principals.md holds the results: each row was
// reviewed by hand, and a new route fails until `npx vitest run -u --project database functions/principals` adds its row.

/** The senders of a request. Users belong to the workspace of the valid caller, unless the name says otherwise. */
const principals = [
  "stranger",
  "other workspace",
  "removed",
  "suspended",
  "member",
  "manager",
  "admin",
  "token read",
  "token write",
  "token admin",
  "owner",
] as const;
type Principal = (typeof principals)[number];

type Answer = { status: number; code?: string };

mailServer();
const close: (() => unknown)[] = [];
beforeAll(async () => {
  const bucket = await startBucket();
  // Queue messages only wake a worker earlier, and this test has no worker.
  Queue.connect(async () => {});
  close.push(bucket.close, () => Queue.connect(undefined));
});
afterAll(async () => {
  for (const end of close) await end();
});

/** A workspace as `colleague` needs it, with its owner. */
type Place = { workspaceId: string; teamId: string; ownerId: string };

/** Returns the workspace of the valid caller, or a new one if the caller has none. */
async function placeOf({ token }: RequestOptions): Promise<Place> {
  const caller = token ? (await Token.verify(token, Clock.now())).userId : "";
  const found = await db()
    .selectFrom("memberships")
    .innerJoin("memberships as owners", (join) =>
      join.onRef("owners.workspace_id", "=", "memberships.workspace_id").on("owners.role", "=", "owner"),
    )
    .innerJoin("teams", "teams.workspace_id", "memberships.workspace_id")
    .select(["owners.workspace_id as workspaceId", "teams.id as teamId", "owners.user_id as ownerId"])
    .where("memberships.user_id", "=", caller)
    .orderBy("teams.id")
    .executeTakeFirst();
  if (found) return found;
  const { id: ownerId, ...home } = await owner("Ada", "ENTERPRISE");
  return { ...home, ownerId };
}

async function tokenOf(principal: Principal, place: Place): Promise<string | undefined> {
  if (principal === "stranger") return undefined;
  if (principal === "other workspace") return (await reauthenticated(await owner("Eve", "ENTERPRISE"))).token;
  if (principal === "owner") return sessionOf(place.ownerId);
  const [kind, scope] = principal.split(" ");
  if (kind === "token") return apiTokenOf(place, scope as TokenScope);
  const role = (roles as readonly string[]).includes(principal) ? (principal as Role) : "member";
  const { id, token } = await reauthenticated(await colleague(place, role));
  const membership = db().updateTable("memberships").set({ status: "suspended" }).where("user_id", "=", id);
  if (principal === "suspended") await membership.execute();
  if (principal === "removed")
    for (const table of ["memberships", "team_members"] as const)
      await db().deleteFrom(table).where("user_id", "=", id).execute();
  return token;
}

async function sessionOf(userId: string): Promise<string> {
  const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  const session = await transaction((tx) => Session.open(tx, userId, "dev_test", origin, Clock.now()));
  await db()
    .updateTable("sessions")
    .set({ reauthenticated_at: Clock.now() })
    .where("id", "=", session.id)
    .execute();
  return Session.token(session);
}

async function apiTokenOf({ workspaceId, ownerId }: Place, scope: TokenScope): Promise<string> {
  const [token, now] = [`svc_pat_${newSecret()}`, Clock.now()];
  await db()
    .insertInto("api_tokens")
    .values({
      id: newId("pat"),
      token_hash: hashSecret(token),
      user_id: ownerId,
      workspace_id: workspaceId,
      name: "CI",
      scopes: JSON.stringify([scope]),
      created_at: now,
      expires_at: new Date(now.getTime() + 86_400_000),
    })
    .execute();
  return token;
}

async function answersOf(key: RouteKey): Promise<Map<Principal, Answer>> {
  const answers = new Map<Principal, Answer>();
  let valid = await calls[key]();
  let place = await placeOf(valid);
  for (const principal of principals) {
    const { token: _, ...rest } = valid;
    const token = await tokenOf(principal, place);
    const ip = `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;
    const headers = { ...rest.headers, ...(token && { "x-workspace-id": place.workspaceId }) };
    const { status, body } = await request(key, { ip, ...rest, headers, ...(token && { token }) });
    answers.set(principal, { status, ...(status >= 400 && { code: body.code }) });
    if (status < 400 && !key.startsWith("GET ")) {
      valid = await calls[key]();
      place = await placeOf(valid);
    }
  }
  return answers;
}

/** Returns the answer that follows from routes.ts and the role that the handler requires, or undefined. */
async function derived(key: RouteKey, principal: Principal): Promise<Answer | undefined> {
  const { caller, handler }: Route = routes[key];
  if (caller === "anyone") return undefined;
  if (principal === "stranger")
    return caller === "optional" ? undefined : { status: 401, code: "token_missing" };
  const [kind, scope] = principal.split(" ");
  if (kind === "token") {
    if (typeof caller !== "object") return { status: 403, code: "session_required" };
    const suffices = tokenScopes.indexOf(scope as TokenScope) >= tokenScopes.indexOf(caller.token);
    return suffices ? undefined : { status: 403, code: "insufficient_scope" };
  }
  const { steps } = (await load<Handler>(handler)).contract;
  const missing = steps.flatMap(({ codes }) => codes?.missing ?? []);
  const code = ["workspace_not_found", "team_not_found"].find((one) => missing.includes(one));
  if (code && ["other workspace", "removed", "suspended"].includes(principal)) return { status: 404, code };
  const required = steps.flatMap(({ role }) => role ?? [])[0];
  const role = roles.indexOf(principal as Role);
  if (code && required && role !== -1 && role < roles.indexOf(required))
    return { status: 403, code: "insufficient_role" };
  return undefined;
}

const rows = new Map<RouteKey, Map<Principal, Answer>>();
const keys = Object.keys(routes).filter((key) => key !== "$default") as RouteKey[];

describe("every route answers each principal", () => {
  test.each(keys)("%s as routes.ts and its handler say", async (key) => {
    const answers = await answersOf(key);
    rows.set(key, answers);
    const wrong = [];
    for (const [principal, answer] of answers) {
      const expected = await derived(key, principal);
      if (expected && !(answer.status === expected.status && answer.code === expected.code))
        wrong.push({ principal, answer, expected });
    }
    expect(wrong).toEqual([]);
  });

  test("as the reviewed table principals.md says", async () => {
    const cell = ({ status, code }: Answer) => (code ? `${status} ${code}` : `${status}`);
    const table = [...rows].map(
      ([key, answers]) => `| ${key} | ${[...answers.values()].map(cell).join(" | ")} |`,
    );
    const head = [`| Route | ${principals.join(" | ")} |`, `|---|${principals.map(() => "---|").join("")}`];
    await expect([...head, ...table, ""].join("\n")).toMatchFileSnapshot("principals.md");
  });
});
