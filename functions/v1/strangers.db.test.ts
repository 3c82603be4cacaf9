import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { db } from "@svc/core/platform/db/engine";
import { type Home, owner, type Person } from "@svc/core/testing/people";
import { describe, expect, test } from "vitest";
import type { Handler } from "../http/api.ts";
import { load } from "../load.ts";
import { type RouteKey, routes } from "../routes.ts";
import { request } from "../testing/request.ts";

/**
 * One thing of each kind in somebody's workspace, by the part of the path that stands before its id. A new kind of thing
 * under /api/v1 comes in here.
 */
const things: Record<string, (whose: Person & Home) => Promise<string>> = {
  // Currencies belong to nobody: one that does not exist stands for them.
  currencies: async () => "XXX",
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

/** Bodies for routes whose input is judged before the thing that they name. */
const bodies: Partial<Record<RouteKey, (whose: { projects: string }) => object>> = {
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
};

const inWorkspace: RouteKey[] = [];
for (const key of Object.keys(routes) as RouteKey[]) {
  if (!key.includes(" /api/v1/")) continue;
  const { contract } = await load<Handler>(routes[key].handler);
  if (contract.steps.some(({ codes }) => codes?.missing?.includes("workspace_not_found")))
    inWorkspace.push(key);
}

const seen = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { requestId, instance, ...rest } = body;
  return { status, ...rest };
};

/** The id that a path names, as the kind of thing and the name of the parameter. */
const named = (route: RouteKey) =>
  [...route.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, noun = "", name = ""]) => ({ noun, name }));

test("the walk finds the routes of this workspace", () => {
  expect(inWorkspace.length).toBeGreaterThan(15);
  expect(inWorkspace).toContain("GET /api/v1/audit-logs");
});

describe("a stranger who asks in the name of somebody's workspace finds none", () => {
  test.each(inWorkspace)("%s", async (route) => {
    const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
    const ask = (workspaceId: string) =>
      request(route, {
        token: eve.token,
        headers: { "x-workspace-id": workspaceId },
        path: Object.fromEntries(named(route).map(({ name }) => [name, "x"])),
        body: {},
      });
    const there = await ask(ada.workspaceId);
    expect([there.status, there.body.code]).toEqual([404, "workspace_not_found"]);
    expect(seen(there)).toEqual(seen(await ask("wsp_nothing")));
  });
});

describe("somebody else's thing is as unknown as one that is not there", () => {
  test.each(inWorkspace.filter((route) => named(route).length > 0))("%s", async (route) => {
    const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
    const ask = async (whose?: Person & Home) => {
      const id = async (noun: string) => {
        const make = things[noun];
        if (!make) throw new Error(`Say in \`things\` how one of ${noun} is made.`);
        return whose ? make(whose) : "nothing_there";
      };
      const path: Record<string, string> = {};
      for (const { noun, name } of named(route)) path[name] = await id(noun);
      const body = bodies[route]?.({ projects: await id("projects") }) ?? {};
      return request(route, { token: eve.token, path, body });
    };
    const there = await ask(ada);
    expect(there.status).toBe(404);
    expect(seen(there)).toEqual(seen(await ask()));
  });

  test.each([
    "POST /api/v1/time-entries",
    "POST /api/v1/time-entries/start",
    "POST /api/v1/reports/generate",
    "POST /api/v1/reports",
  ] as const)("%s with somebody else's project", async (route) => {
    const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
    const projects = await things.projects?.(ada);
    const ask = (id = "") => request(route, { token: eve.token, body: bodies[route]?.({ projects: id }) });
    const there = await ask(projects);
    expect([there.status, there.body.code]).toEqual([404, "project_not_found"]);
    expect(seen(there)).toEqual(seen(await ask("prj_nothing")));
  });

  test("PATCH /api/v1/time-entries/{id} to somebody else's project", async () => {
    const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
    const id = (await things["time-entries"]?.(eve)) ?? "";
    const ask = (projectId: string) =>
      request("PATCH /api/v1/time-entries/{id}", { token: eve.token, path: { id }, body: { projectId } });
    const there = await ask((await things.projects?.(ada)) ?? "");
    expect([there.status, there.body.code]).toEqual([404, "project_not_found"]);
    expect(seen(there)).toEqual(seen(await ask("prj_nothing")));
  });
});
