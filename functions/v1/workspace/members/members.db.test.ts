import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { hashSecret, newSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person, reauthenticated } from "@svc/core/testing/people";
import { afterEach, describe, expect, test } from "vitest";
import { mailServer } from "../../../testing/mails.ts";
import { request } from "../../../testing/request.ts";

const mails = mailServer();
afterEach(() => Clock.reset());

const inWorkspace = ({ workspaceId }: Home) => ({ "x-workspace-id": workspaceId });

const list = ({ token }: Person, home: Home) =>
  request("GET /api/v1/workspace/members", { token, headers: inWorkspace(home) });

const update = async (caller: Person, home: Home, userId: string, body: object) => {
  const { token } = await reauthenticated(caller);
  const headers = inWorkspace(home);
  return request("PATCH /api/v1/workspace/members/{userId}", { token, headers, path: { userId }, body });
};

const remove = async (caller: Person, home: Home, userId: string) => {
  const { token } = await reauthenticated(caller);
  const headers = inWorkspace(home);
  return request("DELETE /api/v1/workspace/members/{userId}", { token, headers, path: { userId } });
};

/** Takes a user out of their team, so that they are in none. */
const leaveTeam = ({ teamId }: Home, { id, token }: Person) =>
  request("DELETE /team/{id}/members/{userId}", { token, path: { id: teamId, userId: id } });

const join = ({ workspaceId }: Home, { id }: Person) =>
  db()
    .insertInto("memberships")
    .values({
      workspace_id: workspaceId,
      user_id: id,
      role: "member",
      status: "active",
      joined_at: Clock.now(),
    })
    .execute();

async function storeApiToken({ id: user_id }: Person, { workspaceId: workspace_id }: Home) {
  const token = `svc_pat_${newSecret()}`;
  const [now, scopes] = [Clock.now(), JSON.stringify(["admin"])];
  const times = { created_at: now, expires_at: new Date(now.getTime() + 86_400_000) };
  await db()
    .insertInto("api_tokens")
    .values({
      id: newId("pat"),
      token_hash: hashSecret(token),
      user_id,
      workspace_id,
      name: "CI",
      scopes,
      ...times,
    })
    .execute();
  return token;
}

const invite = ({ token }: Person, { teamId }: Home, email: string) =>
  request("POST /team/{id}/invitations", { token, path: { id: teamId }, body: { email } });

const eventsAbout = ({ id }: Person, { workspaceId }: Home) =>
  db()
    .selectFrom("events")
    .select(["action", "actor_id", "changes"])
    .where("workspace_id", "=", workspaceId)
    .where("target_id", "=", id)
    .orderBy("id")
    .execute();

describe("GET /api/v1/workspace/members", () => {
  test("lists all members of the workspace by name, including those in no team", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const bob = await colleague(ada);
    await leaveTeam(ada, bob);
    const { body } = await list(bob, ada);
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect(body.data.map(({ userId }: { userId: string }) => userId).sort()).toEqual([ada.id, bob.id].sort());
    expect(body.data).toEqual([...body.data].sort(byName));
    expect((await list(eve, ada)).body.code).toBe("workspace_not_found");
  });
});

describe("PATCH /api/v1/workspace/members/{userId}", () => {
  test("changes the role and status of a member who is in no team, and records them", async () => {
    const ada = await owner();
    const [admin, bob] = [await colleague(ada, "admin"), await colleague(ada, "member", "Bob")];
    await leaveTeam(ada, bob);
    const answer = await update(admin, ada, bob.id, { role: "manager", status: "suspended" });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store" },
      body: { userId: bob.id, name: "Bob", role: "manager", status: "suspended" },
    });
    expect((await update(admin, ada, bob.id, { status: "suspended" })).status).toBe(200);
    const events = await eventsAbout(bob, ada);
    expect(events.filter(({ action }) => action === "member.updated")).toEqual([
      {
        action: "member.updated",
        actor_id: admin.id,
        changes: {
          role: { before: "member", after: "manager" },
          status: { before: "active", after: "suspended" },
        },
      },
    ]);
  });

  test("ends a suspended member's access to this workspace, but not to others, until they are reactivated", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const bob = await colleague(ada);
    await join(eve, bob);
    const apiToken = await storeApiToken(bob, ada);
    const statuses = async () => [
      (await list(bob, ada)).status,
      (await request("GET /team", { token: apiToken })).status,
      (await list(bob, eve)).status,
      (await request("GET /auth/me", { token: bob.token })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await update(ada, ada, bob.id, { status: "suspended" });
    expect(await statuses()).toEqual([404, 404, 200, 200]);
    await update(ada, ada, bob.id, { status: "active" });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test("returns 403 reauthentication_required to suspend, but not to change a role or to reactivate", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const ask = async (body: object) => {
      const path = { userId: bob.id };
      const route = "PATCH /api/v1/workspace/members/{userId}";
      const answer = await request(route, { token: ada.token, path, body });
      return answer.body.code ?? answer.status;
    };
    expect(await ask({ status: "suspended" })).toBe("reauthentication_required");
    expect([await ask({ role: "manager" }), await ask({ status: "active" })]).toEqual([200, 200]);
  });

  test("returns 422 for an unknown role", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const answer = await update(ada, ada, bob.id, { role: "boss" });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/role"]);
  });

  test("allows admins to change only lower roles, and no one to change the owner or themselves", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const [admin, peer, boss, bob] = [
      await colleague(ada, "admin"),
      await colleague(ada, "admin"),
      await colleague(ada, "manager"),
      await colleague(ada),
    ];
    const code = async (caller: Person, { id }: { id: string }, body: object) => {
      const answer = await update(caller, ada, id, body);
      return answer.body.code ?? answer.body.role;
    };
    const suspended = { status: "suspended" };
    expect(await code(admin, ada, suspended)).toBe("sole_owner");
    expect(await code(admin, admin, suspended)).toBe("use_leave");
    expect(await code(ada, ada, { role: "admin" })).toBe("use_leave");
    expect(await code(admin, peer, suspended)).toBe("insufficient_role");
    expect(await code(admin, bob, { role: "admin" })).toBe("insufficient_role");
    expect(await code(ada, bob, { role: "owner" })).toBe("owner_is_fixed");
    expect(await code(boss, bob, suspended)).toBe("insufficient_role");
    expect(await code(bob, boss, suspended)).toBe("insufficient_role");
    expect(await code(ada, eve, suspended)).toBe("member_not_found");
    expect(await code(ada, { id: "usr_nothing" }, suspended)).toBe("member_not_found");
    expect(await code(eve, bob, suspended)).toBe("workspace_not_found");
    expect(await code(admin, boss, { role: "member" })).toBe("member");
    expect(await code(ada, bob, { role: "admin" })).toBe("admin");
  });
});

describe("DELETE /api/v1/workspace/members/{userId}", () => {
  test("ends the member's access to this workspace and its teams at the next request, but not their session or their access to others", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const bob = await colleague(ada);
    await join(eve, bob);
    const [here, there] = [await storeApiToken(bob, ada), await storeApiToken(bob, eve)];
    expect((await remove(ada, ada, bob.id)).status).toBe(204);
    expect((await list(bob, ada)).body.code).toBe("workspace_not_found");
    expect((await request("GET /team", { token: here })).body.code).toBe("token_invalid");
    expect((await request("GET /team", { token: there })).status).toBe(200);
    expect((await list(bob, eve)).status).toBe(200);
    const me = await request("GET /auth/me", { token: bob.token });
    expect([me.status, me.body.workspaces.length, me.body.teams]).toEqual([200, 1, []]);
    const members = await request("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId } });
    expect(members.body.meta.total).toBe(1);
    expect(
      (await request("GET /team/{id}", { token: ada.token, path: { id: ada.teamId } })).body.memberCount,
    ).toBe(1);
  });

  test("removes a member who is suspended and in no team", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    await leaveTeam(ada, bob);
    await update(ada, ada, bob.id, { status: "suspended" });
    expect((await remove(ada, ada, bob.id)).status).toBe(204);
  });

  test("stops the running timer and keeps the entries", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    await request("POST /api/v1/time-entries/start", { token: bob.token, body: {} });
    Clock.advance(600);
    expect((await remove(ada, ada, bob.id)).status).toBe(204);
    const { data } = (await request("GET /api/v1/time-entries", { token: ada.token })).body;
    expect(data).toMatchObject([{ userId: bob.id, durationSeconds: 600, endedAt: expect.any(String) }]);
  });

  test("withdraws the invitations that the member sent or received, here and nowhere else", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const bob = await colleague(ada, "manager");
    const { body: second } = await request("POST /team", { token: ada.token, body: { name: "Second" } });
    const elsewhere = { ...ada, teamId: second.id };
    expect((await invite(bob, ada, "sent@by.bob")).status).toBe(201);
    expect((await invite(ada, ada, "sent@by.ada")).status).toBe(201);
    expect((await invite(ada, elsewhere, bob.email)).status).toBe(201);
    expect((await invite(eve, eve, bob.email)).status).toBe(201);
    await remove(ada, ada, bob.id);
    const emails = async ({ token }: Person, id: string) =>
      (await request("GET /team/{id}/invitations", { token, path: { id } })).body.data.map(
        ({ email }: { email: string }) => email,
      );
    expect(await emails(ada, ada.teamId)).toEqual(["sent@by.ada"]);
    expect(await emails(ada, second.id)).toEqual([]);
    expect(await emails(eve, eve.teamId)).toEqual([bob.email]);
  });

  test("records member.removed by the admin and emails the member, without the admin's IP address", async () => {
    const ada = await owner();
    const [admin, bob] = [await colleague(ada, "admin", "Grace"), await colleague(ada, "manager")];
    await remove(admin, ada, bob.id);
    expect(await eventsAbout(bob, ada)).toEqual([
      {
        action: "member.removed",
        actor_id: admin.id,
        changes: { role: { before: "manager", after: null } },
      },
    ]);
    const [mail, ...others] = mails.to(bob.email);
    expect(others).toEqual([]);
    expect(mail?.text).toContain("Grace removed you from the workspace Home.");
    expect(mail?.text).not.toContain("127.0.0.1");
  });

  test("returns 403 reauthentication_required unless the password was confirmed in the last ten minutes", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const path = { userId: bob.id };
    const answer = await request("DELETE /api/v1/workspace/members/{userId}", { token: ada.token, path });
    expect([answer.status, answer.body.code]).toEqual([403, "reauthentication_required"]);
  });

  test("removes the member also when the mail server is unreachable", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const { SMTP_URL } = process.env;
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    try {
      expect((await remove(ada, ada, bob.id)).status).toBe(204);
    } finally {
      process.env.SMTP_URL = SMTP_URL;
    }
    expect((await list(bob, ada)).status).toBe(404);
  });

  test("allows admins to remove only lower roles, and no one to remove the owner or themselves", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const [admin, peer, boss, bob] = [
      await colleague(ada, "admin"),
      await colleague(ada, "admin"),
      await colleague(ada, "manager"),
      await colleague(ada),
    ];
    const code = async (caller: Person, { id }: { id: string }) => {
      const { status, body } = await remove(caller, ada, id);
      return body?.code ?? status;
    };
    expect(await code(admin, ada)).toBe("sole_owner");
    expect(await code(admin, admin)).toBe("use_leave");
    expect(await code(admin, peer)).toBe("insufficient_role");
    expect(await code(boss, bob)).toBe("insufficient_role");
    expect(await code(bob, bob)).toBe("insufficient_role");
    expect(await code(ada, eve)).toBe("member_not_found");
    expect(await code(ada, { id: "usr_nothing" })).toBe("member_not_found");
    expect(await code(ada, { id: "'; --" })).toBe("member_not_found");
    expect(await code(eve, bob)).toBe("workspace_not_found");
    expect([await code(admin, boss), await code(admin, boss), await code(ada, admin)]).toEqual([
      204,
      "member_not_found",
      204,
    ]);
    expect(await code(admin, bob)).toBe("workspace_not_found");
  });

  test("removes a member once when it is requested five times at once", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(ada, ada, bob.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    expect(await eventsAbout(bob, ada)).toHaveLength(1);
  });
});
