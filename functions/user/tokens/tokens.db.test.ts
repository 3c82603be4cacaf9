import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person, person, reauthenticated } from "@svc/core/testing/people";
import { afterEach, describe, expect, test } from "vitest";
import type { Handler } from "../../http/api.ts";
import { load } from "../../load.ts";
import { type Route, type RouteKey, routes } from "../../routes.ts";
import { request } from "../../testing/request.ts";

afterEach(() => Clock.reset());

const create = async (user: Person, body: object) => {
  const { token } = await reauthenticated(user);
  return request("POST /user/tokens", { token, body });
};
const tokenFor = async (ada: Person & Home, scope: string): Promise<string> => {
  const body = { name: `For ${scope}`, scopes: [scope], workspaceId: ada.workspaceId };
  return (await create(ada, body)).body.token;
};
const inDays = (days: number) => new Date(Clock.now().getTime() + days * 86_400_000).toISOString();

describe("/user/tokens", () => {
  test("creates a token that is shown once, stored as a hash, listed without its value and invalid once deleted", async () => {
    const ada = await owner();
    const created = await create(ada, { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId });
    expect(created).toMatchObject({
      status: 201,
      headers: { "cache-control": "no-store", location: `/user/tokens/${created.body.id}` },
      body: { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId, lastUsedAt: null },
    });
    expect(created.body.token).toMatch(/^svc_pat_[\w-]{43}$/);
    const rows = await db().selectFrom("api_tokens").selectAll().where("id", "=", created.body.id).execute();
    expect(JSON.stringify(rows)).not.toContain(created.body.token.slice("svc_pat_".length));

    expect((await request("GET /team", { token: created.body.token })).status).toBe(200);
    const { body: list } = await request("GET /user/tokens", { token: ada.token });
    expect(list.data).toMatchObject([{ id: created.body.id, lastUsedAt: expect.any(String) }]);
    expect(JSON.stringify(list)).not.toContain("svc_pat_");

    const path = { id: created.body.id };
    expect((await request("DELETE /user/tokens/{id}", { token: ada.token, path })).status).toBe(204);
    const after = await request("GET /team", { token: created.body.token });
    expect([after.status, after.body.code]).toEqual([401, "token_invalid"]);
    const again = await request("DELETE /user/tokens/{id}", { token: ada.token, path });
    expect([again.status, again.body.code]).toEqual([404, "token_not_found"]);
  });

  test("returns 404 token_not_found when deleting another user's token", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const token = await tokenFor(ada, "read");
    const [{ id }] = (await request("GET /user/tokens", { token: ada.token })).body.data;
    const answer = await request("DELETE /user/tokens/{id}", { token: eve.token, path: { id } });
    expect(answer.body.code).toBe("token_not_found");
    expect((await request("GET /team", { token })).status).toBe(200);
  });

  test("accepts an expiry of up to a year and defaults to ninety days", async () => {
    const ada = await owner();
    const base = { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId };
    const short = (await create(ada, { ...base, expiresAt: inDays(1) })).body;
    const usual = (await create(ada, base)).body;
    const long = await create(ada, { ...base, expiresAt: inDays(365) });
    expect(long.status).toBe(201);
    expect(usual.expiresAt.slice(0, 16)).toBe(inDays(90).slice(0, 16));
    Clock.advance(86_401);
    const after = await request("GET /team", { token: short.token });
    expect([after.status, after.body.code]).toEqual([401, "token_expired"]);
    expect((await request("GET /team", { token: usual.token })).status).toBe(200);
  });

  test.each([
    ["an expiry in a year and a day", { expiresAt: () => inDays(366) }, "/expiresAt"],
    ["an expiry in the past", { expiresAt: () => inDays(-1) }, "/expiresAt"],
    ["an expiry that is not a date", { expiresAt: () => "tomorrow" }, "/expiresAt"],
    ["no scopes", { scopes: () => [] }, "/scopes"],
    ["an unknown scope", { scopes: () => ["root"] }, "/scopes/0"],
    ["a blank name", { name: () => " " }, "/name"],
  ])("returns 422 with a pointer for %s", async (_, wrong: Record<string, () => unknown>, pointer) => {
    const ada = await owner();
    const given = Object.fromEntries(Object.entries(wrong).map(([name, value]) => [name, value()]));
    const body = { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId, ...given };
    const answer = await create(ada, body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
  });

  test("returns the same workspace_not_found for another user's workspace and for an unknown one", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const createFor = async (workspaceId: string) =>
      (await create(eve, { name: "CI", scopes: ["read"], workspaceId })).body;
    const { requestId, ...missing } = await createFor("wsp_nothing");
    expect(await createFor(ada.workspaceId)).toMatchObject(missing);
    expect(missing.code).toBe("workspace_not_found");
  });

  test("gives a token no more rights than its owner, and none after the owner is suspended", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = { ...(await colleague(ada)), workspaceId: ada.workspaceId, teamId: ada.teamId };
    const token = await tokenFor(bob, "admin");
    const map = await request("GET /api/v1/security/login-map", { token });
    expect(map.body.code).toBe("insufficient_role");
    await db()
      .updateTable("memberships")
      .set({ status: "suspended" })
      .where("user_id", "=", bob.id)
      .execute();
    expect((await request("GET /team", { token })).body.code).toBe("workspace_not_found");
  });

  test("shows only the token's workspace and its teams in the profile", async () => {
    const ada = await owner();
    await request("POST /workspaces", { token: ada.token, body: { name: "Other" } });
    const { body } = await request("GET /user/profile", { token: await tokenFor(ada, "read") });
    expect(body.workspaces.map(({ id }: { id: string }) => id)).toEqual([ada.workspaceId]);
    expect(body.teams.map(({ id }: { id: string }) => id)).toEqual([ada.teamId]);
  });

  test("returns token_invalid for tokens that were never issued", async () => {
    for (const token of ["svc_pat_", "svc_pat_wrong", `svc_pat_${"A".repeat(43)}`])
      expect((await request("GET /team", { token })).body.code).toBe("token_invalid");
    const { token } = await person();
    expect((await request("GET /user/tokens", { token: `svc_pat_${token}` })).status).toBe(401);
  });
});

describe("API tokens on every route", () => {
  test("allows what the token's scope permits in its own workspace, and nothing that requires a session", async () => {
    const [ada, other] = [await owner("Ada", "ENTERPRISE"), await owner("Other", "ENTERPRISE")];
    // The user is also an admin there, so that a 404 can only come from the token's workspace.
    const joined = { user_id: ada.id, joined_at: new Date() };
    await db()
      .insertInto("memberships")
      .values({ ...joined, workspace_id: other.workspaceId, role: "admin", status: "active" })
      .execute();
    await db()
      .insertInto("team_members")
      .values({ ...joined, team_id: other.teamId })
      .execute();
    const [read, write, admin] = [
      await tokenFor(ada, "read"),
      await tokenFor(ada, "write"),
      await tokenFor(ada, "admin"),
    ];
    const wrong: string[] = [];
    const expectCode = async (route: RouteKey, token: string, code: RegExp, home: Home = ada) => {
      const path = { id: home.teamId, userId: "usr_nothing", invitationId: "inv_nothing" };
      const headers = { "x-workspace-id": home.workspaceId };
      const { status, body } = await request(route, { token, headers, path, body: [] });
      if (!code.test(body?.code ?? "none")) wrong.push(`${route}: ${status} ${body?.code}, not ${code}`);
    };
    const refused = /^insufficient_scope$/;
    const allowed = /^(?!insufficient_scope|session_required|token_)/;
    for (const route of Object.keys(routes) as RouteKey[]) {
      const { caller }: Route = routes[route];
      if (caller === "anyone") continue;
      if (typeof caller === "string") {
        for (const token of [read, write, admin]) await expectCode(route, token, /^session_required$/);
        continue;
      }
      await expectCode(route, read, caller.token === "read" ? allowed : refused);
      await expectCode(route, write, caller.token === "admin" ? refused : allowed);
      const { steps } = (await load<Handler>(routes[route].handler)).contract;
      const inWorkspace = steps.some(({ codes }) => codes?.forbidden?.includes("ip_not_allowed"));
      if (inWorkspace) await expectCode(route, admin, /^(?:workspace|team)_not_found$/, other);
      // Runs last and with an invalid body, because some of these calls would change what the other calls see.
      if (!route.startsWith("DELETE ")) await expectCode(route, admin, allowed);
    }
    expect(wrong).toEqual([]);
  });
});
