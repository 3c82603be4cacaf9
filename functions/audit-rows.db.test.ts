import { randomInt } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { categoryOf } from "@svc/core/event/action";
import { hashSecret, newSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import * as Queue from "@svc/core/platform/queue/queue";
import { owner } from "@svc/core/testing/people";
import { startBucket } from "@svc/local/testing/bucket";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, type RouteKey, requiresSignIn, routes } from "./routes.ts";
import { calls } from "./testing/calls.ts";
import { mailServer } from "./testing/mails.ts";
import { type RequestOptions, request } from "./testing/request.ts";

// Sends the valid call of every route that writes, a call with wrong credentials where there are any, and a call with an API
// token that may only read. audit-rows.md lists the audit rows that each leaves: they were reviewed by hand, and a new route
// fails until `npx vitest run -u --project database functions/audit-rows` adds its line.

mailServer();
const close: (() => unknown)[] = [];
let token = "";
let logWorkspace = "";
beforeAll(async () => {
  const bucket = await startBucket();
  // Queue messages only wake a worker earlier, and this test has no worker.
  Queue.connect(async () => {});
  close.push(bucket.close, () => Queue.connect(undefined));
  token = await readingToken();
  logWorkspace = (await owner("Log", "ENTERPRISE")).workspaceId;
});
afterAll(async () => {
  for (const end of close) await end();
});

const keys = (Object.keys(routes) as RouteKey[]).filter((key) => /^(POST|PUT|PATCH|DELETE) /.test(key));

/** Makes the credentials in a body wrong. */
type Spoil = (body: Record<string, never>) => object;
const wrongPassword: Spoil = (body) => ({ ...body, password: "not the password" });
const wrongCode: Spoil = (body) => ({ ...body, code: "000000" });
const wrongPasskey: Spoil = (body) => {
  const { credential, ...rest } = body as unknown as { credential: { response: object } };
  const response = { ...credential.response, signature: "AAAA" };
  return { ...rest, credential: { ...credential, response } };
};
const spoils: Partial<Record<RouteKey, Spoil>> = {
  "POST /auth/login": wrongPassword,
  "POST /auth/login/2fa": wrongCode,
  "POST /auth/passkey": wrongPasskey,
  "POST /auth/emergency-bypass": wrongCode,
  "POST /auth/reauthenticate": wrongPassword,
  "PUT /user/password": (body) => ({ ...body, currentPassword: "not the password" }),
  "PUT /user/email": wrongPassword,
};

/** Creates an API token that may only read, of an ENTERPRISE workspace. */
async function readingToken(): Promise<string> {
  const { id, workspaceId } = await owner("Ada", "ENTERPRISE");
  const [secret, now] = [`svc_pat_${newSecret()}`, Clock.now()];
  await db()
    .insertInto("api_tokens")
    .values({
      id: newId("pat"),
      token_hash: hashSecret(secret),
      user_id: id,
      workspace_id: workspaceId,
      name: "CI",
      scopes: JSON.stringify(["read"]),
      created_at: now,
      expires_at: new Date(now.getTime() + 86_400_000),
    })
    .execute();
  return secret;
}

/** Upgrades all workspaces, and gives each user without a workspace a membership of one. */
async function joinEnterprise(): Promise<void> {
  await db().updateTable("workspaces").set({ plan: "ENTERPRISE" }).execute();
  const outsiders = await db()
    .selectFrom("users")
    .select("id")
    .where("id", "not in", (select) => select.selectFrom("memberships").select("user_id"))
    .where("deleted_at", "is", null)
    .execute();
  for (const { id: user_id } of outsiders)
    await db()
      .insertInto("memberships")
      .values({
        workspace_id: logWorkspace,
        user_id,
        role: "member",
        status: "active",
        joined_at: Clock.now(),
      })
      .execute();
}

type Rows = { status: number; ofWorkspaces: string; ofAccount: string };

/** Sends a request and returns the audit rows that it leaves. */
async function rowsOf(key: RouteKey, options: RequestOptions): Promise<Rows> {
  const before = await db().selectFrom("events").select("id").execute();
  const known = new Set(before.map(({ id }) => id));
  const ip = `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;
  const { status } = await request(key, { ip, ...options });
  const events = await db().selectFrom("events").selectAll().orderBy("id").execute();
  const added = events.filter(({ id }) => !known.has(id));
  const list = (ofWorkspace: boolean) =>
    added
      .filter(({ workspace_id }) => (workspace_id !== null) === ofWorkspace)
      .map(
        (row) =>
          `${categoryOf(row.action)}: ${row.action}, ${row.outcome}, ${row.target_type}${fieldsOf(row)}`,
      )
      .sort()
      .join("<br>");
  return { status, ofWorkspaces: list(true), ofAccount: list(false) };
}

function fieldsOf({ changes }: { changes: Record<string, unknown> }): string {
  const fields = Object.entries(changes).map(([name, change]) =>
    Object.keys(change as object).length === 0 ? `${name} without values` : name,
  );
  return fields.length > 0 ? ` (${fields.sort().join(", ")})` : "";
}

const lines = new Map<RouteKey, string>();

describe("every route that writes leaves audit rows", () => {
  test.each(keys)("%s in the logs that show them", async (key) => {
    const { caller }: Route = routes[key];
    const valid = await calls[key]();
    await joinEnterprise();
    const spoil = spoils[key];
    const spoiled = spoil && (await rowsOf(key, { ...valid, body: spoil(valid.body as never) }));
    const done = await rowsOf(key, spoiled ? await readied(key) : valid);
    expect(done.status).toBeLessThan(300);
    const refused = requiresSignIn(caller) ? await rowsOf(key, { ...valid, token, headers: {} }) : undefined;
    const cells = [
      done.ofWorkspaces,
      done.ofAccount,
      spoiled ? `${spoiled.status} ${spoiled.ofWorkspaces}` : "",
      refused?.status === 403 ? refused.ofWorkspaces : "",
    ];
    lines.set(key, `| ${key} | ${cells.join(" | ")} |`);
  });

  test("as the reviewed table audit-rows.md says", async () => {
    const head = "| Route | Workspace | Account only | Wrong credentials | API token that may only read |";
    const text = [head, "|---|---|---|---|---|", ...lines.values(), ""].join("\n");
    await expect(text).toMatchFileSnapshot("audit-rows.md");
  });
});

/** Prepares the valid call again, because wrong credentials count against it. */
async function readied(key: RouteKey): Promise<RequestOptions> {
  const options = await calls[key]();
  await joinEnterprise();
  return options;
}
