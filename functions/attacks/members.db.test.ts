import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { hashSecret, newSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person, person, reauthenticated } from "@svc/core/testing/people";
import type { Role } from "@svc/core/workspace/authorization";
import { startBucket } from "@svc/local/testing/bucket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Route, type RouteKey, routes } from "../routes.ts";
import { calls } from "../testing/calls.ts";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
let bucket: Awaited<ReturnType<typeof startBucket>>;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

/** Stores an API token of the owner of the session with this token, for their first workspace. */
async function apiTokenOf(sessionToken: string, scope: "write" | "admin"): Promise<string> {
  const { body: me } = await request("GET /auth/me", { token: sessionToken });
  const token = `svc_pat_${newSecret()}`;
  const now = Clock.now();
  await db()
    .insertInto("api_tokens")
    .values({
      id: newId("pat"),
      token_hash: hashSecret(token),
      user_id: me.id,
      workspace_id: me.workspaces[0].id,
      name: "CI",
      scopes: JSON.stringify([scope]),
      created_at: now,
      expires_at: new Date(now.getTime() + 86_400_000),
    })
    .execute();
  return token;
}

const change = ({ token }: Person, { workspaceId }: Home, { id: userId }: Person, body: object) =>
  request("PATCH /api/v1/workspace/members/{userId}", {
    token,
    headers: { "x-workspace-id": workspaceId },
    path: { userId },
    body,
  });
const remove = ({ token }: Person, { workspaceId }: Home, { id: userId }: Person) =>
  request("DELETE /api/v1/workspace/members/{userId}", {
    token,
    headers: { "x-workspace-id": workspaceId },
    path: { userId },
  });
const readWorkspace = async ({ token }: Person, { workspaceId }: Home) =>
  (await request("GET /api/v1/workspace", { token, headers: { "x-workspace-id": workspaceId } })).status;

describe("an API token with scope write changes who may do what", () => {
  const guarded = (Object.entries(routes) as [RouteKey, Route][]).filter(
    ([key, { caller }]) =>
      !key.startsWith("GET ") && /members|invitations|POST \/team$/.test(key) && typeof caller === "object",
  );

  it("covers every route for members and invitations", () => {
    expect(guarded.map(([key]) => key).sort()).toEqual([
      "DELETE /api/v1/workspace/members/{userId}",
      "DELETE /team/{id}/invitations/{invitationId}",
      "DELETE /team/{id}/members/{userId}",
      "PATCH /api/v1/workspace/members/{userId}",
      "PATCH /team/{id}/members/{userId}",
      "POST /team",
      "POST /team/{id}/invitations",
      "POST /team/{id}/members",
    ]);
  });

  it.each(guarded)("%s requires a token with scope admin, even from the owner", async (key) => {
    const { token: session = "", ...ask } = await calls[key]();
    const refused = await request(key, { ...ask, token: await apiTokenOf(session, "write") });
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
    expect((await request(key, { ...ask, token: await apiTokenOf(session, "admin") })).status).toBeLessThan(
      300,
    );
  });
});

describe("a member who was removed from their last team keeps the workspace", () => {
  const withoutTeam = async () => {
    const ada = await reauthenticated(await owner());
    const bob = await colleague(ada);
    const path = { id: ada.teamId, userId: bob.id };
    await request("DELETE /team/{id}/members/{userId}", { token: ada.token, path });
    expect(await readWorkspace(bob, ada)).toBe(200);
    return { ada, bob };
  };

  it("and can be suspended", async () => {
    const { ada, bob } = await withoutTeam();
    expect((await change(ada, ada, bob, { status: "suspended" })).status).toBe(200);
    expect(await readWorkspace(bob, ada)).toBe(404);
  });

  it("and can be removed", async () => {
    const { ada, bob } = await withoutTeam();
    expect((await remove(ada, ada, bob)).status).toBe(204);
    expect(await readWorkspace(bob, ada)).toBe(404);
  });
});

describe("a suspended member's timer runs on", () => {
  const routesOfChange = [
    "PATCH /api/v1/workspace/members/{userId}",
    "PATCH /team/{id}/members/{userId}",
  ] as const;

  it.each(routesOfChange)("but stops with the suspension by %s", async (route) => {
    const ada = await reauthenticated(await owner());
    const bob = await colleague(ada);
    const headers = { "x-workspace-id": ada.workspaceId };
    const timer = { token: bob.token, headers, body: {} };
    expect((await request("POST /api/v1/time-entries/start", timer)).status).toBe(201);
    const path = { id: ada.teamId, userId: bob.id };
    const suspension = { token: ada.token, headers, path, body: { status: "suspended" } };
    expect((await request(route, suspension)).status).toBe(200);
    const entries = db().selectFrom("time_entries").select("ended_at").where("user_id", "=", bob.id);
    expect(await entries.execute()).toEqual([{ ended_at: expect.any(Date) }]);
  });
});

describe("a manager removes the owner or an admin from a team", () => {
  it.each(["admin", "owner"] as const)("is 403 insufficient_role for the %s", async (role) => {
    const ada = await owner();
    const [admin, boss] = [await colleague(ada, "admin"), await colleague(ada, "manager")];
    const path = { id: ada.teamId, userId: role === "owner" ? ada.id : admin.id };
    const answer = await request("DELETE /team/{id}/members/{userId}", { token: boss.token, path });
    expect([answer.status, answer.body.code]).toEqual([403, "insufficient_role"]);
  });
});

describe("an invitation outlives the right to invite", () => {
  const invite = ({ token }: Person, { teamId }: Home, email: string, role: Role = "member") =>
    request("POST /team/{id}/invitations", { token, path: { id: teamId }, body: { email, role } });
  const accept = async ({ email, token }: Person) => {
    const link = /#token=([\w-]+)/.exec(mails.to(email).at(-1)?.text ?? "")?.[1] ?? "";
    const { status, body } = await request("POST /auth/invitations/accept", { token, body: { token: link } });
    return body.code ?? status;
  };
  const pending = async ({ token, teamId }: Person & Home) =>
    (await request("GET /team/{id}/invitations", { token, path: { id: teamId } })).body.data.length;
  /** Has a colleague of this role invite a new user with the role `invited`. */
  const withInvitation = async (role: Role, invited?: Role) => {
    const ada = await reauthenticated(await owner());
    const [inviter, guest] = [await colleague(ada, role), await person()];
    expect((await invite(inviter, ada, guest.email, invited)).status).toBe(201);
    return { ada, inviter, guest };
  };

  it.each([
    ["was demoted to member", { role: "member" }, { role: "manager" }],
    ["was suspended", { status: "suspended" }, { status: "active" }],
  ])("and is void once the inviter %s, also after they got their right back", async (_, taken, given) => {
    const { ada, inviter, guest } = await withInvitation("manager");
    await change(ada, ada, inviter, taken);
    expect(await pending(ada)).toBe(0);
    await change(ada, ada, inviter, given);
    expect(await accept(guest)).toBe("link_expired");
  });

  it("and is void once the inviter was removed, left or deleted the account", async () => {
    for (const go of [
      ({ ada, inviter }: { ada: Person & Home; inviter: Person }) => remove(ada, ada, inviter),
      ({ ada, inviter: { token } }: { ada: Person & Home; inviter: Person }) =>
        request("POST /workspaces/{id}/leave", { token, path: { id: ada.workspaceId } }),
      async ({ inviter }: { inviter: Person }) =>
        request("DELETE /user", { token: (await reauthenticated(inviter)).token }),
    ]) {
      const made = await withInvitation("manager");
      expect((await go(made)).status).toBe(204);
      expect(await accept(made.guest)).toBe("link_expired");
    }
  });

  it("and is void only for the roles that the inviter may no longer grant", async () => {
    const { ada, inviter, guest } = await withInvitation("admin", "manager");
    const other = await person();
    await invite(inviter, ada, other.email, "member");
    await change(ada, ada, inviter, { role: "manager" });
    expect([await accept(guest), await accept(other)]).toEqual(["link_expired", 200]);
  });

  it("and is void for admins whom an owner invited before transferring the workspace", async () => {
    const ada = await reauthenticated(await owner());
    const [bob, guest] = [await colleague(ada), await person()];
    await invite(ada, ada, guest.email, "admin");
    const path = { id: ada.workspaceId };
    const body = { userId: bob.id };
    expect((await request("POST /workspaces/{id}/transfer", { token: ada.token, path, body })).status).toBe(
      200,
    );
    expect(await accept(guest)).toBe("link_expired");
  });

  it("and is void if the inviter's membership was changed without withdrawing it", async () => {
    const { inviter, guest } = await withInvitation("manager");
    await db().updateTable("memberships").set({ role: "member" }).where("user_id", "=", inviter.id).execute();
    expect(await accept(guest)).toBe("link_expired");
  });

  it("and is void while the invitee is suspended, and cannot be sent to them", async () => {
    const ada = await reauthenticated(await owner());
    const bob = await colleague(ada);
    const { body: second } = await request("POST /team", { token: ada.token, body: { name: "Second" } });
    const elsewhere = { ...ada, teamId: second.id };
    await invite(ada, elsewhere, bob.email, "admin");
    await db()
      .updateTable("memberships")
      .set({ status: "suspended" })
      .where("user_id", "=", bob.id)
      .execute();
    expect(await accept(bob)).toBe("link_expired");
    await change(ada, ada, bob, { status: "active" });
    await change(ada, ada, bob, { status: "suspended" });
    expect(await pending(elsewhere)).toBe(0);
    expect((await invite(ada, elsewhere, bob.email)).body.code).toBe("member_suspended");
  });
});

describe("an owner whose other members are all suspended is locked into the account", () => {
  it("can delete the account, and the workspace with it", async () => {
    const ada = await reauthenticated(await owner());
    const bob = await colleague(ada);
    const refused = await request("DELETE /user", { token: ada.token });
    expect([refused.status, refused.body.code]).toEqual([409, "sole_owner"]);
    await change(ada, ada, bob, { status: "suspended" });
    const { body: exported } = await request("GET /user/export", { token: ada.token });
    expect(exported.ownWorkspaces.map(({ id }: { id: string }) => id)).toEqual([ada.workspaceId]);
    expect((await request("DELETE /user", { token: ada.token })).status).toBe(204);
    for (const table of ["memberships", "teams", "invitations"] as const) {
      const rows = await db()
        .selectFrom(table)
        .select("workspace_id")
        .where("workspace_id", "=", ada.workspaceId)
        .execute();
      expect([table, rows]).toEqual([table, []]);
    }
    const inTeams = db().selectFrom("team_members").select("user_id").where("team_id", "=", ada.teamId);
    expect(await inTeams.execute()).toEqual([]);
    expect((await request("GET /auth/me", { token: bob.token })).status).toBe(200);
  });
});
