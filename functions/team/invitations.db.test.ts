import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person, person, reauthenticated } from "@svc/core/testing/people";
import type { Role } from "@svc/core/workspace/authorization";
import { afterEach, describe, expect, test } from "vitest";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
afterEach(() => Clock.reset());

const invite = ({ token }: Person, { teamId }: Home, email: string, role?: Role) =>
  request("POST /team/{id}/invitations", {
    token,
    path: { id: teamId },
    body: { email, ...(role && { role }) },
  });
const linkOf = (email: string) => /#token=([\w-]+)/.exec(mails.to(email).at(-1)?.text ?? "")?.[1] ?? "";
const accept = ({ token }: Person, link: string) =>
  request("POST /auth/invitations/accept", { token, body: { token: link } });

describe("/team/{id}/invitations and POST /auth/invitations/accept", () => {
  test("sends the invitation by email, lists it and accepts it once", async () => {
    const ada = await owner("Ada");
    const bob = await person("Bob");
    const email = bob.email.replace("usr_", "USR_");
    const created = await invite(ada, ada, email, "manager");
    expect(created).toMatchObject({
      status: 201,
      body: { role: "manager", invitedBy: ada.id, teamId: ada.teamId },
    });
    const mail = mails.to(email)[0];
    expect(mail?.html).toContain("Ada invited you to join the team General in the workspace Home");
    const path = { id: ada.teamId };
    const list = await request("GET /team/{id}/invitations", { token: ada.token, path });
    expect(list.body.data).toEqual([created.body]);
    const link = linkOf(email);
    expect(JSON.stringify(list.body)).not.toContain(link);

    const joined = await accept(bob, link);
    expect(joined).toMatchObject({
      status: 200,
      body: { workspaceId: ada.workspaceId, teamId: ada.teamId, role: "manager" },
    });
    expect((await request("GET /team/{id}", { token: bob.token, path })).body.memberCount).toBe(2);
    expect((await request("GET /team/{id}/invitations", { token: ada.token, path })).body.data).toEqual([]);
    const again = await accept(bob, link);
    expect([again.status, again.body.code]).toEqual([410, "link_expired"]);
    const actions = await db()
      .selectFrom("events")
      .select("action")
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "like", "member.%")
      .orderBy("at")
      .execute();
    expect(actions.map(({ action }) => action).sort()).toEqual(["member.invited", "member.joined"]);
  });

  test("returns 403 invitation_for_another to another user and stays valid for the invited one", async () => {
    const ada = await owner();
    const [bob, eve] = [await person(), await person()];
    await invite(ada, ada, bob.email);
    const stolen = await accept(eve, linkOf(bob.email));
    expect([stolen.status, stolen.body.code]).toEqual([403, "invitation_for_another"]);
    expect((await accept(bob, linkOf(bob.email))).status).toBe(200);
  });

  test("returns link_expired for an invitation that was replaced by a newer one", async () => {
    const ada = await owner();
    const bob = await person();
    const { body: first } = await invite(ada, ada, bob.email);
    const old = linkOf(bob.email);
    const { body: second } = await invite(ada, ada, bob.email);
    expect(second.id).toBe(first.id);
    expect((await accept(bob, old)).body.code).toBe("link_expired");
    expect((await accept(bob, linkOf(bob.email))).status).toBe(200);
  });

  test("returns link_expired for an invitation that was revoked", async () => {
    const ada = await owner();
    const cy = await person();
    const { body: revoked } = await invite(ada, ada, cy.email);
    const revoke = () =>
      request("DELETE /team/{id}/invitations/{invitationId}", {
        token: ada.token,
        path: { id: ada.teamId, invitationId: revoked.id },
      });
    expect((await revoke()).status).toBe(204);
    expect((await revoke()).body.code).toBe("invitation_not_found");
    expect((await accept(cy, linkOf(cy.email))).body.code).toBe("link_expired");
  });

  test("returns link_expired for an invitation that is older than a week, and no longer lists it", async () => {
    const ada = await owner();
    const dee = await person();
    const path = { id: ada.teamId };
    await invite(ada, ada, dee.email);
    for (const { token } of [ada, dee])
      await request("PATCH /user/security", { token, body: { idleTimeoutMinutes: 43_200 } });
    Clock.advance(7 * 86_400 + 1);
    expect((await accept(dee, linkOf(dee.email))).body.code).toBe("link_expired");
    const { body } = await request("GET /team/{id}/invitations", { token: ada.token, path });
    expect(body.data).toEqual([]);
  });

  test("accepts an invitation once when its link is sent ten times at once", async () => {
    const ada = await owner();
    const bob = await person();
    await invite(ada, ada, bob.email);
    const link = linkOf(bob.email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(bob, link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(9);
  });

  test("keeps the role of an existing member who accepts an invitation", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const { body: team } = await request("POST /team", { token: ada.token, body: { name: "Second" } });
    await invite(ada, { ...ada, teamId: team.id }, bob.email, "admin");
    expect((await accept(bob, linkOf(bob.email))).body.role).toBe("member");
    const path = { id: team.id };
    expect((await request("GET /team/{id}", { token: bob.token, path })).body.memberCount).toBe(2);
  });

  test("allows invitations only with a role below the caller's and never with the owner role", async () => {
    const ada = await owner();
    const [admin, manager, bob] = [
      await colleague(ada, "admin"),
      await colleague(ada, "manager"),
      await colleague(ada),
    ];
    const email = `${randomUUID()}@new.test`;
    const code = async (user: Person, role: Role) =>
      (await invite(user, ada, email, role)).body.code ?? "sent";
    expect(await code(bob, "member")).toBe("insufficient_role");
    expect(await code(manager, "manager")).toBe("insufficient_role");
    expect(await code(admin, "admin")).toBe("insufficient_role");
    expect(await code(ada, "owner")).toBe("owner_is_fixed");
    expect([await code(manager, "member"), await code(admin, "manager"), await code(ada, "admin")]).toEqual([
      "sent",
      "sent",
      "sent",
    ]);
    expect((await invite(ada, ada, bob.email)).body.code).toBe("already_member");
  });

  test("returns 404 when inviting to another workspace's team or revoking its invitation", async () => {
    const [ada, eve] = [await owner(), await owner()];
    expect((await invite(eve, ada, "x@y.test")).body.code).toBe("team_not_found");
    const { body } = await invite(ada, ada, `${randomUUID()}@new.test`);
    const answer = await request("DELETE /team/{id}/invitations/{invitationId}", {
      token: eve.token,
      path: { id: eve.teamId, invitationId: body.id },
    });
    expect(answer.body.code).toBe("invitation_not_found");
  });
});

describe("POST /workspaces/{id}/leave", () => {
  const leave = ({ token }: Person, id: string) =>
    request("POST /workspaces/{id}/leave", { token, path: { id } });

  test("removes the user from the workspace and its teams and invalidates their API tokens for it", async () => {
    const ada = await owner();
    const bob = await reauthenticated(await colleague(ada));
    const body = { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId };
    const { token } = (await request("POST /user/tokens", { token: bob.token, body })).body;
    expect((await leave(bob, ada.workspaceId)).status).toBe(204);
    expect((await request("GET /auth/me", { token: bob.token })).body).toMatchObject({
      workspaces: [],
      teams: [],
    });
    expect((await request("GET /team", { token })).body.code).toBe("token_invalid");
    expect((await leave(bob, ada.workspaceId)).body.code).toBe("workspace_not_found");
  });

  test("returns 409 sole_owner to the owner", async () => {
    const ada = await owner();
    const answer = await leave(ada, ada.workspaceId);
    expect([answer.status, answer.body.code]).toEqual([409, "sole_owner"]);
  });
});

describe("POST /workspaces/{id}/transfer", () => {
  const transfer = async (user: Person, id: string, userId: string) => {
    const { token } = await reauthenticated(user);
    return request("POST /workspaces/{id}/transfer", { token, path: { id }, body: { userId } });
  };
  const rolesIn = async (workspaceId: string) =>
    Object.fromEntries(
      (
        await db()
          .selectFrom("memberships")
          .select(["user_id", "role"])
          .where("workspace_id", "=", workspaceId)
          .execute()
      ).map(({ user_id, role }) => [user_id, role]),
    );

  test("makes the other member the owner and the caller an admin, who may then leave", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const answer = await transfer(ada, ada.workspaceId, bob.id);
    expect(answer).toMatchObject({ status: 200, body: { id: ada.workspaceId, role: "admin" } });
    expect(await rolesIn(ada.workspaceId)).toEqual({ [ada.id]: "admin", [bob.id]: "owner" });
    expect((await transfer(ada, ada.workspaceId, bob.id)).body.code).toBe("insufficient_role");
    const path = { id: ada.workspaceId };
    expect((await request("POST /workspaces/{id}/leave", { token: ada.token, path })).status).toBe(204);
  });

  test("allows only the owner to transfer the workspace, and only to an active member", async () => {
    const ada = await owner();
    const [admin, gone, eve] = [await colleague(ada, "admin"), await colleague(ada), await person()];
    await db()
      .updateTable("memberships")
      .set({ status: "suspended" })
      .where("user_id", "=", gone.id)
      .execute();
    const code = async (user: Person, userId: string) =>
      (await transfer(user, ada.workspaceId, userId)).body.code;
    expect(await code(admin, admin.id)).toBe("insufficient_role");
    expect(await code(ada, eve.id)).toBe("member_not_found");
    expect(await code(ada, gone.id)).toBe("member_not_found");
    expect(await code(ada, ada.id)).toBe("already_owner");
    expect(await code(eve, eve.id)).toBe("workspace_not_found");
    expect((await rolesIn(ada.workspaceId))[ada.id]).toBe("owner");
  });

  test("leaves one owner when the workspace is transferred to two members at once", async () => {
    const ada = await owner();
    const [bob, cy] = [await colleague(ada), await colleague(ada)];
    const answers = await Promise.all([bob, cy].map(({ id }) => transfer(ada, ada.workspaceId, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const owners = Object.values(await rolesIn(ada.workspaceId)).filter((role) => role === "owner");
    expect(owners).toHaveLength(1);
  });
});
