import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person, reauthenticated } from "@svc/core/testing/people";
import { describe, expect, test } from "vitest";
import type { Handler } from "../http/api.ts";
import { load } from "../load.ts";
import { type RouteKey, routes } from "../routes.ts";
import { request } from "../testing/request.ts";

/**
 * Creates one resource of each kind and returns its id. The key is the path segment in front of the id. Add every new
 * kind of resource under /api/v1 here.
 */
const resources: Record<string, (owner: Person & Home) => Promise<string>> = {
  // Currencies belong to no workspace, so this test uses an unknown code instead.
  currencies: async () => "XXX",
  members: async (home) => (await colleague(home)).id,
  projects: async ({ token }) =>
    (await request("POST /api/v1/projects", { token, body: { name: "Engine" } })).body.id,
  reports: async ({ id: user_id, workspaceId: workspace_id }) => {
    const id = newId("rep");
    const about = { type: "summary", format: "csv", size_bytes: 1, everybodys: true };
    const times = { created_at: new Date(), expires_at: new Date(Date.now() + 86_400_000) };
    await db()
      .insertInto("reports")
      .values({ id, workspace_id, user_id, ...about, ...times })
      .execute();
    return id;
  },
  "time-entries": async ({ token }) =>
    (
      await request("POST /api/v1/time-entries", {
        token,
        body: { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" },
      })
    ).body.id,
  webhooks: async ({ token }) => webhook(token),
  deliveries: async ({ token }) => {
    const path = { id: await webhook(token) };
    await request("POST /api/v1/webhooks/{id}/test", { token, path, body: {} });
    return (await request("GET /api/v1/webhooks/{id}/deliveries", { token, path })).body.data[0].id;
  },
};

async function webhook(token: string): Promise<string> {
  const body = { url: "https://1.1.1.1/hook", events: ["*"] };
  return (await request("POST /api/v1/webhooks", { token, body })).body.id;
}

/** Valid bodies for routes that validate the input before they load the resource. */
const bodies: Partial<Record<RouteKey, (ids: { projects: string }) => object>> = {
  "PUT /api/v1/currencies/{code}/override": () => ({ rate: "1.5", reason: "x" }),
  "POST /api/v1/projects": () => ({ name: "x" }),
  "PATCH /api/v1/projects/{id}": () => ({}),
  "POST /api/v1/reports/generate": ({ projects }) => ({
    type: "summary",
    format: "csv",
    filters: { projectId: projects },
  }),
  "POST /api/v1/reports": ({ projects }) => ({
    type: "summary",
    format: "csv",
    filters: { projectId: projects },
  }),
  "POST /api/v1/time-entries": ({ projects }) => ({
    projectId: projects,
    startedAt: "2026-11-20T09:00:00Z",
    endedAt: "2026-11-20T10:00:00Z",
  }),
  "POST /api/v1/time-entries/start": ({ projects }) => ({ projectId: projects }),
  "POST /api/v1/webhooks/{id}/recover": () => ({
    since: new Date(Clock.now().getTime() - 60_000).toISOString(),
  }),
  "PATCH /api/v1/time-entries/{id}": ({ projects }) => ({ projectId: projects }),
  "POST /api/v1/time-entries/{id}/split": () => ({ at: "2026-11-20T09:20:00Z" }),
};

const inWorkspace: RouteKey[] = [];
for (const key of Object.keys(routes) as RouteKey[]) {
  if (!key.includes(" /api/v1/")) continue;
  const { contract } = await load<Handler>(routes[key].handler);
  if (contract.steps.some(({ codes }) => codes?.missing?.includes("workspace_not_found")))
    inWorkspace.push(key);
}

/** The status and body without the fields that differ in every response. */
const comparable = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { requestId, instance, ...rest } = body;
  return { status, ...rest };
};

/** The ids in a path, each as the kind of resource and the name of the parameter. */
const idsIn = (route: RouteKey) =>
  [...route.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, noun = "", name = ""]) => ({ noun, name }));

test("the routes under test include those that need a workspace", () => {
  expect(inWorkspace.length).toBeGreaterThan(15);
  expect(inWorkspace).toContain("GET /api/v1/audit-logs");
});

describe("a request with another user's workspace id", () => {
  test.each(inWorkspace)(
    "%s returns the same workspace_not_found as for an unknown workspace",
    async (route) => {
      const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
      const ask = (workspaceId: string) =>
        request(route, {
          token: eve.token,
          headers: { "x-workspace-id": workspaceId },
          path: Object.fromEntries(idsIn(route).map(({ name }) => [name, "x"])),
          body: {},
        });
      const existing = await ask(ada.workspaceId);
      expect([existing.status, existing.body.code]).toEqual([404, "workspace_not_found"]);
      expect(comparable(existing)).toEqual(comparable(await ask("wsp_nothing")));
    },
  );
});

describe("a request with an id of another workspace", () => {
  test.each(inWorkspace.filter((route) => idsIn(route).length > 0))(
    "%s returns the same 404 as for an unknown id",
    async (route) => {
      const ada = await owner("Ada", "ENTERPRISE");
      const eve = await reauthenticated(await owner("Eve", "ENTERPRISE"));
      const ask = async (owner?: Person & Home) => {
        const id = async (noun: string) => {
          const create = resources[noun];
          if (!create) throw new Error(`Add a function to \`resources\` that creates one of ${noun}.`);
          return owner ? create(owner) : "nothing_there";
        };
        const path: Record<string, string> = {};
        for (const { noun, name } of idsIn(route)) path[name] = await id(noun);
        const body = bodies[route]?.({ projects: await id("projects") }) ?? {};
        return request(route, { token: eve.token, path, body });
      };
      const existing = await ask(ada);
      expect(existing.status).toBe(404);
      expect(comparable(existing)).toEqual(comparable(await ask()));
    },
  );

  test.each([
    "POST /api/v1/time-entries",
    "POST /api/v1/time-entries/start",
    "POST /api/v1/reports/generate",
    "POST /api/v1/reports",
  ] as const)("%s returns project_not_found for a project of another workspace", async (route) => {
    const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
    const projects = await resources.projects?.(ada);
    const ask = (id = "") => request(route, { token: eve.token, body: bodies[route]?.({ projects: id }) });
    const existing = await ask(projects);
    expect([existing.status, existing.body.code]).toEqual([404, "project_not_found"]);
    expect(comparable(existing)).toEqual(comparable(await ask("prj_nothing")));
  });

  test("PATCH /api/v1/time-entries/{id} returns project_not_found for a project of another workspace", async () => {
    const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
    const id = (await resources["time-entries"]?.(eve)) ?? "";
    const ask = (projectId: string) =>
      request("PATCH /api/v1/time-entries/{id}", { token: eve.token, path: { id }, body: { projectId } });
    const existing = await ask((await resources.projects?.(ada)) ?? "");
    expect([existing.status, existing.body.code]).toEqual([404, "project_not_found"]);
    expect(comparable(existing)).toEqual(comparable(await ask("prj_nothing")));
  });
});
