import { none as noAvatar } from "@svc/core/avatar/resolve";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { catalog } from "@svc/core/event/catalog";
import * as Event from "@svc/core/event/event";
import { db } from "@svc/core/platform/db/engine";
import { transaction } from "@svc/core/platform/db/transaction";
import { colleague, type Home, owner, type Person } from "@svc/core/testing/people";
import { afterEach, describe, expect, test } from "vitest";
import { routes } from "../../routes.ts";
import { request } from "../../testing/request.ts";

afterEach(() => Clock.reset());

type Row = { id: string; action: string; at: string };

const log = async (token: string, query: Record<string, string> = {}) =>
  request("GET /api/v1/audit-logs", { token, query });
const actions = async (token: string, query: Record<string, string> = {}) =>
  (await log(token, query)).body.data.map(({ action }: Row) => action);

/** Inserts events, one second apart. */
async function insertEvents(
  { id, workspaceId }: Person & Home,
  count: number,
  name = (n: number) => `Thing ${n}`,
): Promise<void> {
  const now = Clock.now();
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(now.getTime() - n * 1000);
    return {
      id: newId("evt", at),
      workspace_id: workspaceId,
      action: "project.updated",
      at,
      actor_type: "user",
      actor_id: id,
      target_type: "project",
      target_id: "prj_x",
      target_name: name(n),
      request_id: "r",
      outcome: "success",
      changes: "{}",
    };
  });
  for (let at = 0; at < count; at += 2000)
    await db()
      .insertInto("events")
      .values(rows.slice(at, at + 2000))
      .execute();
}

describe("GET /api/v1/audit-logs", () => {
  test("returns the actor, action, target, origin and changes of each event, newest first", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const created = await request("POST /api/v1/projects", {
      token: ada.token,
      body: { name: "Engine" },
      ip: "192.0.2.7",
    });
    const changed = await request("PATCH /api/v1/projects/{id}", {
      token: ada.token,
      path: { id: created.body.id },
      body: { name: "Loom" },
      ip: "2001:db8::1",
    });
    const answer = await log(ada.token);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.body.data[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      at: changed.body.updatedAt,
      actor: { type: "user", id: ada.id, name: "Ada", email: ada.email, tokenId: null },
      category: "project",
      action: "project.updated",
      target: { type: "project", id: created.body.id, name: "Loom" },
      ip: "2001:db8::1",
      country: null,
      city: null,
      userAgent: "test",
      requestId: changed.headers["x-request-id"],
      outcome: "success",
      occurrences: 1,
      fields: ["name"],
      changes: { before: { name: "Engine" }, after: { name: "Loom" } },
    });
    expect(await actions(ada.token)).toEqual(["project.updated", "project.created", "workspace.created"]);
  });

  test("filters by actor, action, target, IP address and outcome", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const boss = await colleague(ada, "manager");
    const { body } = await request("POST /api/v1/projects", {
      token: boss.token,
      body: { name: "Engine" },
      ip: "192.0.2.7",
    });
    await request("POST /api/v1/time-entries/start", { token: boss.token, body: {} });
    expect(await actions(ada.token, { actor: boss.id })).toEqual(["time_entry.started", "project.created"]);
    expect(await actions(ada.token, { action: "project." })).toEqual(["project.created"]);
    expect(await actions(ada.token, { action: "time_entry" })).toEqual(["time_entry.started"]);
    expect(await actions(ada.token, { action: "time.entry" })).toEqual([]);
    expect(await actions(ada.token, { action: "project.created" })).toEqual(["project.created"]);
    expect(await actions(ada.token, { target: body.id })).toEqual(["project.created"]);
    expect(await actions(ada.token, { ip: "192.0.2.7" })).toEqual(["project.created"]);
    expect(await actions(ada.token, { outcome: "failure" })).toEqual([]);
    expect(await actions(ada.token, { actor: boss.id, outcome: "success", action: "time_" })).toHaveLength(1);
    expect(await actions(ada.token, { actor: "usr_unknown" })).toEqual([]);
  });

  test("filters by inclusive days in the workspace's time zone", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await db()
      .updateTable("workspaces")
      .set({ timezone: "Europe/Berlin" })
      .where("id", "=", ada.workspaceId)
      .execute();
    const target = { type: "team", id: "team_x", name: "x" } as const;
    const by = { job: "test", requestId: "r" };
    for (const at of ["2026-10-24T21:59:59.999Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59.999Z"])
      await transaction((tx) =>
        Event.record(tx, by, { action: "team.updated", target, workspaceId: ada.workspaceId }, new Date(at)),
      );
    const times = async (query: Record<string, string>) =>
      (await log(ada.token, { action: "team.", ...query })).body.data.map(({ at }: Row) => at);
    expect(await times({ from: "2026-10-25", to: "2026-10-25" })).toEqual([
      "2026-10-25T22:59:59.999Z",
      "2026-10-24T22:00:00.000Z",
    ]);
    expect(await times({ to: "2026-10-24" })).toEqual(["2026-10-24T21:59:59.999Z"]);
    expect(await times({ from: "2026-10-26" })).toEqual([]);
  });

  test("filters by instants, also those within the minute of a counted failure", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { workspaceId } = ada;
    const target = { type: "workspace", id: workspaceId, name: "" } as const;
    const by = { userId: ada.id, ip: "192.0.2.1", userAgent: "", requestId: "r" };
    const failure = { action: "security.access_denied", target, details: {}, workspaceId } as const;
    const at = (seconds: string) => `2026-10-24T12:00:${seconds}Z`;
    await Event.recordFailure(by, failure, new Date(at("30.500")));
    const change = { action: "team.updated", target, workspaceId } as const;
    for (const seconds of ["30.499", "31.000"])
      await transaction((tx) => Event.record(tx, by, change, new Date(at(seconds))));
    const times = async (query: Record<string, string>) =>
      (await log(ada.token, query)).body.data.map(({ at }: Row) => at.slice(17, -1)).sort();
    expect(await times({ from: at("30.500"), to: at("31.000") })).toEqual(["30.500"]);
    expect(await times({ from: at("30.500"), to: at("31.001") })).toEqual(["30.500", "31.000"]);
    expect(await times({ from: "2026-10-24", to: at("30.500") })).toEqual(["30.499"]);
    expect(await times({ from: "2026-10-24T14:00:31+02:00", to: "2026-10-24" })).toEqual(["31.000"]);
  });

  test.each([
    { from: "2026-10-25", to: "2026-10-24" },
    { from: "2026-10-24T12:00:00Z", to: "2026-10-24T12:00:00Z" },
    { from: "2026-10-24T12:00:00Z", to: "2026-10-24T13:00:00+02:00" },
    { from: "2026-10-25T00:00:00Z", to: "2026-10-24" },
  ])("returns 422 before_from for $from to $to", async (range) => {
    const { token } = await owner("Ada", "ENTERPRISE");
    const { status, body } = await log(token, range);
    expect([status, body.errors]).toMatchObject([422, [{ parameter: "to", code: "before_from" }]]);
  });

  test.each([
    ["actor", "a b"],
    ["action", "Project%"],
    ["target", "../x"],
    ["ip", "192.0.2.999"],
    ["from", "yesterday"],
    ["from", "2026-01-31T12:00:00"],
    ["from", "0001-01-31T12:00:00Z"],
    ["to", "2026-01-31T12:00:00 02:00"],
    ["to", "2026-02-30"],
    ["outcome", "maybe"],
    ["include", "everything"],
    ["format", "xml"],
    ["limit", "201"],
    ["cursor", "nonsense"],
    ["cursor", Buffer.from('["\\u0000"]').toString("base64url")],
  ])("returns 422 and names the parameter for %s=%j", async (name, value) => {
    const ada = await owner("Ada", "ENTERPRISE");
    const answer = await log(ada.token, { [name]: value });
    expect([answer.status, answer.body.errors[0].parameter]).toEqual([422, name]);
  });

  test("checks the plan, then the role, then the input", async () => {
    const [free, rich] = [await owner(), await owner("Ada", "ENTERPRISE")];
    const [admin, boss] = [await colleague(rich, "admin"), await colleague(rich, "manager")];
    const replyTo = async (token: string) => {
      const { status, body } = await log(token, { limit: "0" });
      return [status, body.code];
    };
    expect(await replyTo(free.token)).toEqual([403, "plan_upgrade_required"]);
    expect(await replyTo((await colleague(free)).token)).toEqual([403, "plan_upgrade_required"]);
    expect(await replyTo(boss.token)).toEqual([403, "insufficient_role"]);
    expect(await replyTo(admin.token)).toEqual([422, "invalid_input"]);
  });

  test("returns no events of other workspaces", async () => {
    const [ada, eve] = [await owner("Ada", "ENTERPRISE"), await owner("Eve", "ENTERPRISE")];
    const { body } = await request("POST /api/v1/projects", { token: eve.token, body: { name: "Secret" } });
    for (const query of [{}, { target: body.id }, { actor: eve.id }])
      expect(JSON.stringify((await log(ada.token, query)).body)).not.toContain(eve.workspaceId);
    expect(await actions(ada.token, { target: body.id })).toEqual([]);
  });

  test("returns avatars on request, jobs by name, and null as the name of a deleted user", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada, "manager");
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${ada.id}/1.webp`, avatar_placeholder: "1:cGFn" })
      .where("id", "=", ada.id)
      .execute();
    await request("POST /api/v1/projects", { token: bob.token, body: { name: "x" } });
    await db().deleteFrom("users").where("id", "=", bob.id).execute();
    await transaction((tx) =>
      Event.publish(
        tx,
        { job: "forecast-budgets", requestId: "run-1" },
        {
          action: "budget.forecast_warning",
          target: { type: "project", id: "prj_x", name: "x" },
          workspaceId: ada.workspaceId,
          data: catalog["budget.forecast_warning"].example,
        },
      ),
    );
    const { data } = (await log(ada.token, { include: "actor" })).body;
    expect(data.map(({ actor }: { actor: object }) => actor)).toEqual([
      {
        type: "job",
        id: "forecast-budgets",
        name: "forecast-budgets",
        email: null,
        tokenId: null,
        ...noAvatar,
      },
      { type: "user", id: bob.id, name: null, email: null, tokenId: null, ...noAvatar },
      {
        type: "user",
        id: ada.id,
        name: "Ada",
        email: ada.email,
        tokenId: null,
        avatar: expect.stringContaining(`/avatars/${ada.id}/1.webp?`),
        avatarSmall: expect.stringContaining(`/avatars-small/${ada.id}/1.webp?`),
        avatarPlaceholder: "cGFn",
      },
    ]);
    expect(data[0]).toMatchObject({ ip: null, userAgent: null, requestId: "run-1" });
  });

  test("masks secrets in changes, in the list and in exports", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    await transaction((tx) =>
      Event.record(
        tx,
        { job: "test", requestId: "r" },
        {
          action: "workspace.created",
          target: { type: "workspace", id: ada.workspaceId, name: "x" },
          workspaceId: ada.workspaceId,
          changes: {
            passwordHash: { before: "$argon2id$a", after: "$argon2id$b" },
            url: { before: null, after: `https://x.test/?X-Amz-Signature=${"f".repeat(64)}` },
            endpoint: { before: null, after: { note: secret, token: "t0ken-of-old" } },
            name: { before: "a", after: "b" },
          },
        },
      ),
    );
    for (const query of [{}, { format: "csv" }, { format: "ndjson" }]) {
      const text = JSON.stringify((await log(ada.token, query)).body);
      expect(text).not.toMatch(/argon2id|f{64}|MfKQ9r8G|t0ken-of-old/);
      expect(text).toContain("[masked]");
    }
    const [{ changes }] = (await log(ada.token)).body.data;
    expect(changes).toMatchObject({ before: { url: null, name: "a" }, after: { name: "b" } });
  });

  test("continues from the cursor while events are added", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await insertEvents(ada, 7);
    const first = await log(ada.token, { limit: "4", action: "project." });
    await insertEvents(ada, 1);
    const second = await log(ada.token, {
      limit: "4",
      action: "project.",
      cursor: first.body.meta.nextCursor,
    });
    expect([first.body.data.length, second.body.data.length, second.body.meta.nextCursor]).toEqual([
      4,
      3,
      null,
    ]);
    const ids = [...first.body.data, ...second.body.data].map(({ id }: Row) => id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  test("has no route that changes or deletes events", () => {
    const paths = Object.keys(routes).filter((key) => key.includes("/audit-logs"));
    expect(paths).toEqual(["GET /api/v1/audit-logs", "GET /api/v1/audit-logs/checkpoint"]);
  });
});

describe("GET /api/v1/audit-logs with a format", () => {
  test("exports CSV with one line per event and no cell that starts a formula", async () => {
    const ada = await owner("=cmd|' /C calc'!A0", "ENTERPRISE");
    await request("POST /api/v1/projects", { token: ada.token, body: { name: '@SUM(1,"2")' } });
    const answer = await log(ada.token, { format: "csv" });
    expect(answer.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="audit-log.csv"',
      "cache-control": "no-store",
    });
    expect(answer.headers).not.toHaveProperty("link");
    const [names, first, second, last] = answer.body.split("\r\n");
    expect(names).toBe(
      "id,at,actor_type,actor_id,actor_name,actor_email,action,target_type,target_id,target_name,ip,user_agent,request_id,outcome,before,after,category,token_id,country,city,occurrences,fields,sequence",
    );
    expect(first).toContain(`,'=cmd|' /C calc'!A0,${ada.email},project.created,project,prj_`);
    expect(first).toContain(`,"'@SUM(1,""2"")",127.0.0.1,test,`);
    expect([second.split(",")[6], last]).toEqual(["workspace.created", ""]);
  });

  test("exports NDJSON with one document per line, equal to those of the list", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await insertEvents(ada, 3);
    const answer = await log(ada.token, { format: "ndjson" });
    expect(answer.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    const lines = (answer.body as string).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual((await log(ada.token)).body.data);
  });

  test("links to the next file in the Link header after ten thousand rows", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await insertEvents(ada, 10_002);
    const query = { format: "ndjson", action: "project." };
    const first = await log(ada.token, query);
    expect(first.body.split("\n")).toHaveLength(10_001);
    const target = /^<(\/api\/v1\/audit-logs\?[^>]+)>; rel="next"$/.exec(first.headers.link ?? "")?.[1];
    const next = Object.fromEntries(new URL(target ?? "", "http://x").searchParams);
    expect(next).toMatchObject(query);
    const second = await log(ada.token, next);
    // Two entries, and the end of the file.
    expect(second.body.trimEnd().split("\n")).toHaveLength(3);
    expect(second.headers).not.toHaveProperty("link");
    const ids = (text: string) => [...text.matchAll(/"id":"(evt_\w+)"/g)].map(([, id]) => id);
    expect(new Set([...ids(first.body), ...ids(second.body)]).size).toBe(10_002);
  });

  test("ends a file of long rows below the response size limit of a function", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await insertEvents(ada, 3000, () => "ö".repeat(1000));
    const first = await log(ada.token, { format: "csv", action: "project." });
    const bytes = Buffer.byteLength(first.body);
    expect(bytes).toBeGreaterThan(4_900_000);
    expect(bytes).toBeLessThanOrEqual(5_000_000);
    const cursor = new URL(/<([^>]+)>/.exec(first.headers.link ?? "")?.[1] ?? "", "http://x").searchParams;
    const second = await log(ada.token, Object.fromEntries(cursor));
    const rows = (text: string) => text.trimEnd().split("\r\n").length - 1;
    expect(rows(first.body) + rows(second.body)).toBe(3000);
  });
});
