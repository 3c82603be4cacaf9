import { none as noAvatar } from "@svc/core/avatar/resolve";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { db } from "@svc/core/platform/db/engine";
import { colleague, owner, type Person, person, reauthenticated } from "@svc/core/testing/people";
import { long } from "@svc/core/testing/sample";
import * as Member from "@svc/core/workspace/members/member";
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Handler } from "../http/api.ts";
import { load } from "../load.ts";
import { type RouteKey, routes } from "../routes.ts";
import { event, request } from "../testing/request.ts";

/** The status and body without the fields that differ in every response. */
const comparable = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { requestId, instance, ...rest } = body;
  return { status, ...rest };
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("/team", () => {
  test("allows managers to create and rename teams and admins to delete them, and lists teams by name", async () => {
    const ada = await owner();
    const boss = await colleague(ada, "manager");
    const headers = { "x-workspace-id": ada.workspaceId };
    const created = await request("POST /team", {
      token: boss.token,
      headers,
      body: { name: " Analytical " },
    });
    expect(created).toMatchObject({
      status: 201,
      body: { name: "Analytical", memberCount: 1, workspaceId: ada.workspaceId },
    });
    expect(created.headers.location).toBe(`/team/${created.body.id}`);
    const list = await request("GET /team", { token: ada.token, headers });
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(["Analytical", "General"]);
    const path = { id: created.body.id };
    const renamed = await request("PATCH /team/{id}", { token: boss.token, path, body: { name: "Engines" } });
    expect([renamed.status, renamed.body.name]).toEqual([200, "Engines"]);
    expect((await request("DELETE /team/{id}", { token: boss.token, path })).body.code).toBe(
      "insufficient_role",
    );
    expect((await request("DELETE /team/{id}", { token: ada.token, path })).status).toBe(204);
    expect((await request("GET /team/{id}", { token: ada.token, path })).status).toBe(404);
    const actions = await db()
      .selectFrom("events")
      .select("action")
      .where("target_id", "=", created.body.id)
      .orderBy("id")
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(["team.created", "team.updated", "team.deleted"]);
  });

  test("returns 403 insufficient_role when a member creates or renames a team", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const path = { id: ada.teamId };
    expect((await request("GET /team/{id}", { token: bob.token, path })).status).toBe(200);
    expect(
      (await request("PATCH /team/{id}", { token: bob.token, path, body: { name: "Mine" } })).body.code,
    ).toBe("insufficient_role");
    const created = await request("POST /team", { token: bob.token, body: { name: "Mine" } });
    expect([created.status, created.body.code]).toEqual([403, "insufficient_role"]);
  });

  test("checks the role before the input", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const answer = await request("PATCH /team/{id}", {
      token: bob.token,
      path: { id: ada.teamId },
      body: { name: "" },
    });
    expect(answer.status).toBe(403);
  });

  test("returns 409 last_team when deleting the only team of a workspace", async () => {
    const ada = await owner();
    const answer = await request("DELETE /team/{id}", { token: ada.token, path: { id: ada.teamId } });
    expect([answer.status, answer.body.code]).toEqual([409, "last_team"]);
  });

  test("keeps one team when the last two are deleted at once", async () => {
    const ada = await owner();
    const second = await request("POST /team", { token: ada.token, body: { name: "Second" } });
    const remove = (id: string) => request("DELETE /team/{id}", { token: ada.token, path: { id } });
    const statuses = (await Promise.all([remove(ada.teamId), remove(second.body.id)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([204, 409]);
  });

  test("returns the same 404 for another user's workspace and for an unknown one in X-Workspace-Id", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const ask = (id: string) => request("GET /team", { token: eve.token, headers: { "x-workspace-id": id } });
    expect(comparable(await ask(ada.workspaceId))).toEqual(comparable(await ask("wsp_nothing")));
    expect((await ask(ada.workspaceId)).body.code).toBe("workspace_not_found");
    expect(
      (
        await request("GET /team", {
          token: eve.token,
          cookies: [`svc_current_workspace=${ada.workspaceId}`],
        })
      ).status,
    ).toBe(404);
    expect((await request("GET /team", { token: (await person()).token })).body.code).toBe(
      "workspace_not_found",
    );
  });
});

describe("team routes for a user of another workspace", () => {
  const calls: [RouteKey, object][] = [
    ["GET /team/{id}", {}],
    ["PATCH /team/{id}", { body: { name: "Mine" } }],
    ["DELETE /team/{id}", {}],
    ["GET /team/{id}/members", {}],
    ["POST /team/{id}/members", { body: { userId: "usr_x" } }],
    ["PATCH /team/{id}/members/{userId}", { body: { role: "admin" } }],
    ["DELETE /team/{id}/members/{userId}", {}],
  ];
  test.each(calls)(
    "%s returns the same 404 for an existing team and for an unknown one",
    async (route, ask) => {
      const [ada, eve] = [await owner(), await owner()];
      const existing = await request(route, {
        ...ask,
        token: eve.token,
        path: { id: ada.teamId, userId: ada.id },
      });
      const unknown = await request(route, {
        ...ask,
        token: eve.token,
        path: { id: "team_nothing", userId: "usr_nothing" },
      });
      expect(existing.status).toBe(404);
      expect(comparable(existing)).toEqual(comparable(unknown));
    },
  );

  test("returns 404 for a malformed team id", async () => {
    const ada = await owner();
    for (const id of ["\u0000", "../x", "a b", "x".repeat(300), "'; DROP TABLE teams"])
      expect((await request("GET /team/{id}", { token: ada.token, path: { id } })).status).toBe(404);
  });
});

/** Adds people with pictures and long names to a workspace and its team. */
async function fillWorkspace(
  { workspaceId, teamId }: Awaited<ReturnType<typeof owner>>,
  count: number,
): Promise<void> {
  const now = Clock.now();
  const ids = Array.from({ length: count }, () => newId("usr", now));
  for (let at = 0; at < ids.length; at += 1000) {
    const some = ids.slice(at, at + 1000);
    const users = some.map((id) => ({
      ...{
        id,
        name: `${id} Maximiliane Freifrau von Ötingen-Würzburg`,
        title: "Director of Engineering, Zürich",
      },
      ...{
        email: `${id}@department.people.test`,
        email_key: id,
        password_hash: "",
        created_at: now,
        updated_at: now,
      },
      avatar: `objstore:avatars/${id}/${now.getTime()}.webp`,
      avatar_placeholder: `${now.getTime()}:${"A".repeat(34)}`,
    }));
    await db().insertInto("users").values(users).execute();
    const membership = { workspace_id: workspaceId, role: "member", status: "active", joined_at: now };
    await db()
      .insertInto("memberships")
      .values(some.map((user_id) => ({ ...membership, user_id })))
      .execute();
    const teamMember = { team_id: teamId, joined_at: now };
    await db()
      .insertInto("team_members")
      .values(some.map((user_id) => ({ ...teamMember, user_id })))
      .execute();
  }
}

describe("/team/{id}/members", () => {
  test("lists members by name with their role and a signed avatar URL instead of the object key", async () => {
    const ada = await owner("Zoe");
    const bob = await colleague(ada, "member", "bob");
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${bob.id}/1.webp`, avatar_placeholder: "1:cGFn", title: "Cook" })
      .where("id", "=", bob.id)
      .execute();
    const answer = await request("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId } });
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.body.data).toMatchObject([
      { userId: bob.id, name: "bob", role: "member", title: "Cook", status: "active" },
      { userId: ada.id, name: "Zoe", role: "owner", ...noAvatar },
    ]);
    expect(answer.body.data[0].avatar).toMatch(
      /^http:\/\/127\.0\.0\.1:1\/svc-avatars\/avatars\/.+X-Amz-Signature=[0-9a-f]{64}/,
    );
    expect(answer.body.data[0].avatarSmall).toContain("/svc-avatars/avatars-small/");
    expect(answer.body.data[0].avatarPlaceholder).toBe("cGFn");
    expect(JSON.stringify(answer.body)).not.toContain("objstore:");
    expect(answer.body.meta).toEqual({ page: 1, perPage: 2, total: 2, totalPages: 1 });
  });

  test.each([
    "",
    "https://gravatar.example/a.png",
    "x.png",
    "objstore:",
    "objstore:../secret",
    "objstore:avatars/../1.webp",
    "objstore:reports/a/1.webp",
  ])("shows no avatar for the stored value %j", async (avatar) => {
    const ada = await owner();
    const values = { avatar, avatar_placeholder: "1:cGFn" };
    await db().updateTable("users").set(values).where("id", "=", ada.id).execute();
    const members = await request("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId } });
    const me = await request("GET /auth/me", { token: ada.token });
    for (const shown of [members.body.data[0], me.body]) expect(shown).toMatchObject(noAvatar);
  });

  test("pages the list on request and returns the total on a page past the end", async () => {
    const ada = await owner("A");
    for (const name of ["B", "C", "D", "E"]) await colleague(ada, "member", name);
    const page = async (query: Record<string, string>) =>
      (await request("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId }, query })).body;
    const second = await page({ page: "2", per_page: "2" });
    expect(second.data.map(({ name }: { name: string }) => name)).toEqual(["C", "D"]);
    expect(second.meta).toEqual({ page: 2, perPage: 2, total: 5, totalPages: 3 });
    expect(await page({ page: "9", per_page: "2" })).toEqual({
      data: [],
      meta: { page: 9, perPage: 2, total: 5, totalPages: 3 },
    });
    expect((await page({ page: "1" })).meta.perPage).toBe(50);
  });

  test.runIf(long)(
    "returns 4,000 members at once, and the first page of a larger list, each below the limit of Lambda",
    async () => {
      // The names of a deployed stage, which are longer than the local ones.
      vi.stubEnv("STORAGE_ENDPOINT", "https://s3.eu-central-2.amazonaws.com");
      vi.stubEnv("STORAGE_BUCKET_AVATARS", "svc-avatars-production-111111111111");
      const ada = await owner("Ada Adams");
      await fillWorkspace(ada, Member.maxUnpaged - 1);
      const list = async (route: "GET /team/{id}/members" | "GET /api/v1/workspace/members", query = {}) => {
        const { status, body } = await request(route, { token: ada.token, path: { id: ada.teamId }, query });
        expect(status).toBe(200);
        // The body is a string in the response of the function, of which Lambda accepts 6 MB.
        expect(Buffer.byteLength(JSON.stringify(JSON.stringify(body)))).toBeLessThan(6 * 1024 * 1024);
        return body;
      };
      for (const route of ["GET /team/{id}/members", "GET /api/v1/workspace/members"] as const) {
        const { data, meta } = await list(route);
        expect([data.length, meta.totalPages]).toEqual([4000, 1]);
      }
      await colleague(ada);
      for (const route of ["GET /team/{id}/members", "GET /api/v1/workspace/members"] as const) {
        const first = await list(route);
        expect([first.data.length, first.meta]).toEqual([
          200,
          { page: 1, perPage: 200, total: 4001, totalPages: 21 },
        ]);
        const last = await list(route, { page: "21", per_page: "200" });
        expect(last.data).toHaveLength(1);
      }
    },
  );

  test.each([
    ["per_page", "201"],
    ["per_page", "0"],
    ["page", "-1"],
    ["page", "one"],
    ["page", "1.5"],
  ])("returns 422 and names the parameter for %s=%s", async (name, value) => {
    const ada = await owner();
    const answer = await request("GET /team/{id}/members", {
      token: ada.token,
      path: { id: ada.teamId },
      query: { [name]: value },
    });
    expect([answer.status, answer.body.errors[0].parameter]).toEqual([422, name]);
  });

  test("loads the whole list with one statement", async () => {
    const ada = await owner();
    for (let n = 0; n < 5; n++) await colleague(ada);
    await request("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId } });
    const statements: string[] = [];
    const before = db().getExecutor().executeQuery;
    const executor = db().getExecutor();
    Object.defineProperty(executor, "executeQuery", {
      configurable: true,
      value(query: { sql: string }, ...rest: unknown[]) {
        statements.push(query.sql);
        return Reflect.apply(before, executor, [query, ...rest]);
      },
    });
    await request("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId } });
    Reflect.deleteProperty(executor, "executeQuery");
    expect(statements.filter((text) => text.includes('"team_members"'))).toHaveLength(1);
  });

  test("adds a member of the workspace once and removes them again", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const { body: team } = await request("POST /team", { token: ada.token, body: { name: "Second" } });
    const path = { id: team.id };
    const add = () =>
      request("POST /team/{id}/members", { token: ada.token, path, body: { userId: bob.id } });
    expect(await add()).toMatchObject({ status: 200, body: { userId: bob.id } });
    expect((await add()).status).toBe(200);
    const recorded = await db()
      .selectFrom("events")
      .select("id")
      .where("action", "=", "team.member_added")
      .where("target_id", "=", bob.id)
      .execute();
    expect(recorded).toHaveLength(1);
    const out = await request("DELETE /team/{id}/members/{userId}", {
      token: bob.token,
      path: { ...path, userId: bob.id },
    });
    expect(out.status).toBe(204);
    const again = await request("DELETE /team/{id}/members/{userId}", {
      token: ada.token,
      path: { ...path, userId: bob.id },
    });
    expect(again.body.code).toBe("member_not_found");
  });

  test("returns 404 member_not_found when adding a user from outside the workspace", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const answer = await request("POST /team/{id}/members", {
      token: ada.token,
      path: { id: ada.teamId },
      body: { userId: eve.id },
    });
    expect([answer.status, answer.body.code]).toEqual([404, "member_not_found"]);
  });

  test("returns 403 insufficient_role when a member removes someone else", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    const answer = await request("DELETE /team/{id}/members/{userId}", {
      token: bob.token,
      path: { id: ada.teamId, userId: ada.id },
    });
    expect(answer.body.code).toBe("insufficient_role");
  });

  test("allows managers to remove members and managers from a team, and themselves, but no higher role", async () => {
    const ada = await owner();
    const [admin, boss, peer, bob] = [
      await colleague(ada, "admin"),
      await colleague(ada, "manager"),
      await colleague(ada, "manager"),
      await colleague(ada),
    ];
    const remove = async ({ token }: Person, { id: userId }: Person) => {
      const path = { id: ada.teamId, userId };
      const { status, body } = await request("DELETE /team/{id}/members/{userId}", { token, path });
      return body?.code ?? status;
    };
    expect(await remove(boss, ada)).toBe("insufficient_role");
    expect(await remove(boss, admin)).toBe("insufficient_role");
    expect(await remove(admin, ada)).toBe("insufficient_role");
    expect([await remove(boss, peer), await remove(boss, bob), await remove(boss, boss)]).toEqual([
      204, 204, 204,
    ]);
    expect([await remove(ada, admin), await remove(ada, ada)]).toEqual([204, 204]);
  });

  test("allows admins to change only lower roles and never changes the owner's role", async () => {
    const ada = await owner();
    const [admin, peer, bob] = [
      await reauthenticated(await colleague(ada, "admin")),
      await colleague(ada, "admin"),
      await colleague(ada),
    ];
    const set = async (token: string, userId: string, body: object) => {
      const answer = await request("PATCH /team/{id}/members/{userId}", {
        token,
        path: { id: ada.teamId, userId },
        body,
      });
      return answer.body.code ?? answer.body.role;
    };
    expect(await set(admin.token, bob.id, { role: "manager" })).toBe("manager");
    expect(await set(admin.token, bob.id, { role: "admin" })).toBe("insufficient_role");
    expect(await set(admin.token, peer.id, { status: "suspended" })).toBe("insufficient_role");
    expect(await set(admin.token, ada.id, { role: "member" })).toBe("owner_is_fixed");
    expect(await set(ada.token, bob.id, { role: "owner" })).toBe("owner_is_fixed");
    expect(await set(ada.token, bob.id, { role: "admin" })).toBe("admin");
    expect(await set(bob.token, bob.id, { role: "owner" })).toBe("owner_is_fixed");
  });

  test("keeps a suspended member in the list but without access to the workspace", async () => {
    const ada = await reauthenticated(await owner());
    const bob = await colleague(ada);
    const path = { id: ada.teamId, userId: bob.id };
    await request("PATCH /team/{id}/members/{userId}", {
      token: ada.token,
      path,
      body: { status: "suspended" },
    });
    expect((await request("GET /team/{id}", { token: bob.token, path })).body.code).toBe("team_not_found");
    expect((await request("GET /auth/me", { token: bob.token })).body).toMatchObject({
      workspaces: [],
      teams: [],
    });
    const list = await request("GET /team/{id}/members", { token: ada.token, path });
    expect(list.body.data.find(({ userId }: { userId: string }) => userId === bob.id).status).toBe(
      "suspended",
    );
  });
});

describe("POST /workspaces", () => {
  test("creates a FREE workspace with the caller as its owner and a first team", async () => {
    const ada = await owner();
    const created = await request("POST /workspaces", { token: ada.token, body: { name: "Second" } });
    expect(created).toMatchObject({ status: 201, body: { name: "Second", plan: "FREE", role: "owner" } });
    const list = await request("GET /workspaces", { token: ada.token });
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([ada.workspaceId, created.body.id]);
    const teams = await request("GET /team", {
      token: ada.token,
      headers: { "x-workspace-id": created.body.id },
    });
    expect(teams.body.data).toMatchObject([{ memberCount: 1 }]);
  });
});

describe("Idempotency-Key", () => {
  const make = (token: string, key: string, name: string) =>
    request("POST /workspaces", { token, headers: { "idempotency-key": key }, body: { name } });
  const workspacesOf = async (token: string) =>
    (await request("GET /workspaces", { token })).body.data.length;

  test("replays the response for a repeated call", async () => {
    const ada = await person();
    const first = await make(ada.token, "k1", "Once");
    const again = await make(ada.token, "k1", "Once");
    expect(again.body).toEqual(first.body);
    expect([first.headers["idempotency-replayed"], again.headers["idempotency-replayed"]]).toEqual([
      undefined,
      "true",
    ]);
    expect(await workspacesOf(ada.token)).toBe(1);
  });

  test("returns a replay with the same bytes", async () => {
    const ada = await owner();
    const send = async (route: "POST /team" | "POST /api/v1/projects", body: object) => {
      const handler = await load<Handler>(routes[route].handler);
      const headers = { "idempotency-key": route.replace(/\W+/g, "-") };
      const sent = await event(route, { token: ada.token, headers, body });
      return (await handler(sent, { getRemainingTimeInMillis: () => 30_000 } as never)).body;
    };
    for (const route of ["POST /team", "POST /api/v1/projects"] as const) {
      const first = await send(route, { name: "Works" });
      expect(first).toContain('"Works"');
      expect(await send(route, { name: "Works" })).toBe(first);
    }
  });

  test("returns 422 idempotency_key_reused for the same key with another body", async () => {
    const ada = await person();
    await make(ada.token, "k1", "One");
    const other = await make(ada.token, "k1", "Two");
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  });

  test("does not share keys between users", async () => {
    const [ada, eve] = [await person(), await person()];
    await make(ada.token, "k1", "One");
    expect((await make(eve.token, "k1", "Two")).status).toBe(201);
  });

  test("runs a call once when it is sent ten times at once", async () => {
    const ada = await person();
    const answers = await Promise.all(Array.from({ length: 10 }, () => make(ada.token, "race", "Race")));
    expect(new Set(answers.map(({ status }) => status)).has(500)).toBe(false);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await workspacesOf(ada.token)).toBe(1);
  });

  test("accepts the key again after a failed call", async () => {
    const ada = await owner();
    const add = (userId: string) =>
      request("POST /team/{id}/members", {
        token: ada.token,
        path: { id: ada.teamId },
        headers: { "idempotency-key": "retry" },
        body: { userId },
      });
    const bob = await person();
    expect((await add(bob.id)).status).toBe(404);
    await db()
      .insertInto("memberships")
      .values({
        workspace_id: ada.workspaceId,
        user_id: bob.id,
        role: "member",
        status: "active",
        joined_at: new Date(),
      })
      .execute();
    expect((await add(bob.id)).status).toBe(200);
  });

  test.each(["", "with blank", "ü", "x".repeat(256)])(
    "returns 422 idempotency_key_invalid for the key %j",
    async (key) => {
      const answer = await make((await person()).token, key, "X");
      expect([answer.status, answer.body.code]).toEqual([422, "idempotency_key_invalid"]);
    },
  );

  test("frees the key of an interrupted call after a minute", async () => {
    const ada = await person();
    await make(ada.token, "dead", "Dead");
    await db()
      .updateTable("idempotent_calls")
      .set({ completed_at: null, result: null })
      .where("user_id", "=", ada.id)
      .execute();
    expect((await make(ada.token, "dead", "Dead")).body.code).toBe("idempotency_in_progress");
    await sql`UPDATE idempotent_calls SET started_at = started_at - interval '61 seconds' WHERE user_id = ${ada.id}`.execute(
      db(),
    );
    expect((await make(ada.token, "dead", "Dead")).status).toBe(201);
  });
});
