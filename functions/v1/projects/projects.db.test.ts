import * as Clock from "@svc/core/base/clock";
import { connect, db } from "@svc/core/platform/db/engine";
import { testPool } from "@svc/core/testing/database";
import { colleague, owner } from "@svc/core/testing/people";
import { countingRoundTrips } from "@svc/core/testing/round-trips";
import { afterEach, describe, expect, test, vi } from "vitest";
import { handler as forecastBudgets } from "../../jobs/forecast-budgets.ts";
import { type RequestOptions, request } from "../../testing/request.ts";

afterEach(() => {
  Clock.reset();
  vi.useRealTimers();
});

/** Freezes the time, so that only Clock.advance moves it. */
const freezeTime = () => vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });

const project = async (token: string, body: object = {}) =>
  (await request("POST /api/v1/projects", { token, body: { name: "Engine", ...body } })).body;
const track = (token: string, projectId: string, startedAt: string, endedAt?: string) =>
  request("POST /api/v1/time-entries", { token, body: { projectId, startedAt, endedAt } });
const daysAgo = (days: number, hour = 9) => {
  const at = new Date(Clock.now().getTime() - days * 86_400_000);
  at.setUTCHours(hour, 0, 0, 0);
  return at.toISOString();
};
const eventsOf = (id: string, action?: string) => {
  let query = db().selectFrom("events").selectAll().where("target_id", "=", id).orderBy("id");
  if (action) query = query.where("action", "=", action);
  return query.execute();
};
const moveTo = (instant: string) => Clock.advance((Date.parse(instant) - Clock.now().getTime()) / 1000);
const runJob = () =>
  forecastBudgets({}, { awsRequestId: "run-1", getRemainingTimeInMillis: () => 900_000 } as never);

describe("/api/v1/projects", () => {
  test("creates, returns, updates and deletes a project, with one audit event each", async () => {
    const ada = await owner();
    const created = await request("POST /api/v1/projects", {
      token: ada.token,
      body: {
        name: " Engine ",
        color: "#AA00ff",
        client: "Royal Society",
        currency: "JPY",
        hourlyRate: "9000",
        billable: false,
        budget: { type: "money", amount: 1_000_000, period: "month" },
      },
    });
    expect(created).toMatchObject({
      status: 201,
      headers: { location: `/api/v1/projects/${created.body.id}` },
      body: {
        name: "Engine",
        color: "#AA00ff",
        client: "Royal Society",
        currency: "JPY",
        hourlyRate: "9000",
        billable: false,
        budget: { type: "money", amount: "1000000", period: "month", alertThresholdPercent: 75 },
        archivedAt: null,
        archivedBy: null,
      },
    });
    const path = { id: created.body.id };
    const got = await request("GET /api/v1/projects/{id}", { token: ada.token, path });
    expect(got.body).toEqual(created.body);
    const patched = await request("PATCH /api/v1/projects/{id}", {
      token: ada.token,
      path,
      body: {
        name: "Mill",
        client: "",
        budget: { type: "hours", amount: "40.5", alertThresholdPercent: 50 },
      },
    });
    expect(patched.body).toMatchObject({
      client: "",
      name: "Mill",
      budget: { type: "hours", amount: "40.50", period: "total", alertThresholdPercent: 50 },
    });
    const same = await request("PATCH /api/v1/projects/{id}", {
      token: ada.token,
      path,
      body: { name: "Mill" },
    });
    expect(same.body).toEqual(patched.body);
    expect((await request("DELETE /api/v1/projects/{id}", { token: ada.token, path })).status).toBe(204);
    expect((await request("GET /api/v1/projects/{id}", { token: ada.token, path })).status).toBe(404);
    const rows = await eventsOf(created.body.id);
    expect(rows.map(({ action }) => action)).toEqual([
      "project.created",
      "project.updated",
      "project.deleted",
    ]);
    expect(rows[1]?.changes).toMatchObject({ client: { before: "Royal Society", after: "" } });
    expect(Object.keys(rows[1]?.changes ?? {}).sort()).toEqual(["budget", "client", "name"]);
  });

  test("uses the workspace's currency and the default terms when none are given", async () => {
    const ada = await owner();
    expect(await project(ada.token)).toMatchObject({
      currency: "EUR",
      hourlyRate: null,
      billable: true,
      budget: null,
    });
  });

  test("allows members to read projects and only managers to change them", async () => {
    const ada = await owner();
    const [boss, bob] = [await colleague(ada, "manager"), await colleague(ada)];
    const { id } = await project(boss.token);
    const path = { id };
    expect((await request("GET /api/v1/projects/{id}", { token: bob.token, path })).status).toBe(200);
    const refused = [
      await request("POST /api/v1/projects", { token: bob.token, body: { name: "" } }),
      await request("PATCH /api/v1/projects/{id}", { token: bob.token, path, body: { name: "x" } }),
      await request("DELETE /api/v1/projects/{id}", { token: bob.token, path }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(Array(3).fill("insufficient_role"));
  });

  test.each([
    [{ name: "" }, "/name"],
    [{ color: "red" }, "/color"],
    [{ hourlyRate: "12,50" }, "/hourlyRate"],
    [{ hourlyRate: -1 }, "/hourlyRate"],
    [{ hourlyRate: 1e21 }, "/hourlyRate"],
    [{ hourlyRate: "1.005" }, "/hourlyRate"],
    [{ hourlyRate: "1.5", currency: "JPY" }, "/hourlyRate"],
    [{ currency: "euro" }, "/currency"],
    [{ currency: "XAU" }, "/currency"],
    [{ budget: { type: "days", amount: "1" } }, "/budget/type"],
    [{ budget: { type: "money", amount: "0" } }, "/budget/amount"],
    [{ budget: { type: "hours", amount: "1.005" } }, "/budget/amount"],
    [{ budget: { type: "hours", amount: "1", alertThresholdPercent: 101 } }, "/budget/alertThresholdPercent"],
  ])("returns 422 and names the field for %j", async (body, pointer) => {
    const ada = await owner();
    const answer = await request("POST /api/v1/projects", { token: ada.token, body: { name: "x", ...body } });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
    if (pointer === "/currency") expect(answer.body.code).toBe("currency_unsupported");
  });

  test("returns 422 for a new currency unless the rate and the budget are sent in it", async () => {
    const ada = await owner();
    const { id } = await project(ada.token, {
      hourlyRate: "80",
      budget: { type: "money", amount: "1000" },
    });
    const change = (body: object) =>
      request("PATCH /api/v1/projects/{id}", { token: ada.token, path: { id }, body });
    const refused = await change({ currency: "KWD" });
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/hourlyRate",
      "/budget",
    ]);
    const unknown = await change({ currency: "XAU", hourlyRate: "80", budget: null });
    expect([unknown.body.code, unknown.body.errors[0].pointer]).toEqual([
      "currency_unsupported",
      "/currency",
    ]);
    const fine = await change({ currency: "KWD", hourlyRate: "27.125", budget: null });
    expect(fine.body).toMatchObject({ currency: "KWD", hourlyRate: "27.125", budget: null });
  });

  test("lists projects by name in pages and includes archived ones only on request", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    for (const name of ["beta", "Alpha", "Gamma", "delta"]) await project(ada.token, { name, client: name });
    const list = async (query: Record<string, string> = {}) =>
      (await request("GET /api/v1/projects", { token: ada.token, query })).body;
    const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    const all = await list();
    expect(names(all)).toEqual(["Alpha", "beta", "delta", "Gamma"]);
    const page = await list({ page: "2", per_page: "3" });
    expect([names(page), page.meta]).toEqual([["Gamma"], { page: 2, perPage: 3, total: 4, totalPages: 2 }]);
    expect(page.links).toEqual({
      self: "/api/v1/projects?page=2&per_page=3",
      first: "/api/v1/projects?page=1&per_page=3",
      prev: "/api/v1/projects?page=1&per_page=3",
      last: "/api/v1/projects?page=2&per_page=3",
    });
    await request("POST /api/v1/projects/{id}/archive", { token: ada.token, path: { id: all.data[0].id } });
    expect(names(await list())).toEqual(["beta", "delta", "Gamma"]);
    expect(names(await list({ archived: "true" }))).toEqual(["Alpha"]);
    expect(names(await list({ archived: "all", q: "A" }))).toEqual(["Alpha", "beta", "delta", "Gamma"]);
    expect(names(await list({ q: "%" }))).toEqual([]);
    expect(names(await list({ client: "delta" }))).toEqual(["delta"]);
    for (const [name, value] of [
      ["archived", "yes"],
      ["per_page", "201"],
      ["q", ""],
    ] as const) {
      const answer = await request("GET /api/v1/projects", { token: ada.token, query: { [name]: value } });
      expect([answer.status, answer.body.errors[0].parameter]).toEqual([422, name]);
    }
  });

  test("returns 409 project_has_entries when deleting a project with entries", async () => {
    const ada = await owner();
    const { id } = await project(ada.token);
    await track(ada.token, id, daysAgo(1, 9), daysAgo(1, 10));
    const answer = await request("DELETE /api/v1/projects/{id}", { token: ada.token, path: { id } });
    expect([answer.status, answer.body.code]).toEqual([409, "project_has_entries"]);
  });

  test("either deletes a project or accepts its first entry when both are requested at once", async () => {
    const ada = await owner();
    const { id } = await project(ada.token);
    const [removed, tracked] = await Promise.all([
      request("DELETE /api/v1/projects/{id}", { token: ada.token, path: { id } }),
      track(ada.token, id, daysAgo(1, 9), daysAgo(1, 10)),
    ]);
    expect([
      [204, 404],
      [409, 201],
    ]).toContainEqual([removed.status, tracked.status]);
  });
});

describe("GET /api/v1/projects/recent", () => {
  test("returns the caller's last ten distinct unarchived projects, latest first", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await project(ada.token, { name: `P${n}` })).id);
    for (const [n, id] of ids.entries()) await track(bob.token, id, daysAgo(20 - n, 9), daysAgo(20 - n, 10));
    await track(bob.token, ids[0] ?? "", daysAgo(1, 9), daysAgo(1, 10));
    await request("POST /api/v1/projects/{id}/archive", { token: ada.token, path: { id: ids[11] ?? "" } });
    const { body } = await request("GET /api/v1/projects/recent", { token: bob.token });
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
      "P0",
      "P10",
      "P9",
      "P8",
      "P7",
      "P6",
      "P5",
      "P4",
      "P3",
      "P2",
    ]);
    expect((await request("GET /api/v1/projects/recent", { token: ada.token })).body.data).toEqual([]);
  });
});

describe("POST /api/v1/projects/{id}/archive and unarchive", () => {
  const archive = (token: string, id: string) =>
    request("POST /api/v1/projects/{id}/archive", { token, path: { id } });

  test("stops the project's timers and emits one event when a project is archived twice", async () => {
    freezeTime();
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada);
    const { id } = await project(ada.token, { hourlyRate: "60" });
    await request("POST /api/v1/time-entries/start", { token: bob.token, body: { projectId: id } });
    Clock.advance(1800);
    const first = await archive(ada.token, id);
    expect(first).toMatchObject({ status: 200, body: { id, archivedBy: ada.id } });
    expect(first.body.archivedAt).toBeTruthy();
    Clock.advance(60);
    expect((await archive(ada.token, id)).body).toEqual(first.body);
    expect((await request("GET /api/v1/time-entries/running", { token: bob.token })).status).toBe(404);
    const { data } = (await request("GET /api/v1/time-entries", { token: bob.token })).body;
    expect(data).toMatchObject([{ durationSeconds: 1800, amount: "30.00" }]);
    const events = await eventsOf(id, "project.archived");
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      workspace_id: ada.workspaceId,
      changes: { archivedAt: { before: null, after: first.body.archivedAt } },
      data: { projectId: id, projectName: "Engine", archivedBy: ada.id, stoppedTimers: 1 },
    });
    expect(await eventsOf(data[0].id, "time_entry.stopped")).toMatchObject([{ actor_id: ada.id }]);
  });

  test("returns 409 project_archived for changes to its entries until the project is restored", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const [{ id }, other] = [await project(ada.token), await project(ada.token)];
    const entry = (await track(ada.token, id, daysAgo(1, 9), daysAgo(1, 10))).body;
    const free = (await track(ada.token, other.id, daysAgo(1, 9), daysAgo(1, 10))).body;
    await archive(ada.token, id);
    const path = { id: entry.id };
    const tries = () => [
      track(ada.token, id, daysAgo(1, 9), daysAgo(1, 10)),
      request("POST /api/v1/time-entries/start", { token: ada.token, body: { projectId: id } }),
      request("PATCH /api/v1/time-entries/{id}", { token: ada.token, path, body: { description: "x" } }),
      request("PATCH /api/v1/time-entries/{id}", {
        token: ada.token,
        path,
        body: { projectId: other.id },
      }),
      request("PATCH /api/v1/time-entries/{id}", {
        token: ada.token,
        path: { id: free.id },
        body: { projectId: id },
      }),
      request("DELETE /api/v1/time-entries/{id}", { token: ada.token, path }),
    ];
    const codes = (await Promise.all(tries())).map(({ status, body }) => [status, body.code]);
    expect(codes).toEqual(Array(6).fill([409, "project_archived"]));
    const opened = await request("POST /api/v1/projects/{id}/unarchive", {
      token: ada.token,
      path: { id },
    });
    expect(opened.body).toMatchObject({ archivedAt: null, archivedBy: null });
    await request("POST /api/v1/projects/{id}/unarchive", { token: ada.token, path: { id } });
    expect(await eventsOf(id, "project.unarchived")).toHaveLength(1);
    expect((await track(ada.token, id, daysAgo(1, 9), daysAgo(1, 10))).status).toBe(201);
  });

  test("leaves no timer running when timers start while the project is archived", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const people = await Promise.all(Array.from({ length: 5 }, () => colleague(ada)));
    const { id } = await project(ada.token);
    const [archived, ...started] = await Promise.all([
      archive(ada.token, id),
      ...people.map(({ token }) =>
        request("POST /api/v1/time-entries/start", { token, body: { projectId: id } }),
      ),
    ]);
    expect(archived.status).toBe(200);
    for (const { status } of started) expect([201, 409]).toContain(status);
    const running = await db()
      .selectFrom("time_entries")
      .select("id")
      .where("project_id", "=", id)
      .where("ended_at", "is", null)
      .execute();
    expect(running).toEqual([]);
  });

  test("emits one event when a project is archived twice at once", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { id } = await project(ada.token);
    await Promise.all([archive(ada.token, id), archive(ada.token, id)]);
    expect(await eventsOf(id, "project.archived")).toHaveLength(1);
  });

  test("checks the plan before the role", async () => {
    const [free, rich] = [await owner(), await owner("Ada", "ENTERPRISE")];
    const [bob, eve] = [await colleague(free), await colleague(rich)];
    const { id } = await project(rich.token);
    for (const token of [free.token, bob.token])
      expect((await archive(token, "prj_x")).body).toMatchObject({
        status: 403,
        code: "plan_upgrade_required",
        requiredPlan: "ENTERPRISE",
      });
    expect((await archive(eve.token, id)).body.code).toBe("insufficient_role");
    expect((await archive(rich.token, "prj_x")).body.code).toBe("project_not_found");
  });

  test("restores a project after the workspace has changed to a smaller plan", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada);
    const { id } = await project(ada.token);
    await archive(ada.token, id);
    await db().updateTable("workspaces").set({ plan: "FREE" }).where("id", "=", ada.workspaceId).execute();
    const unarchive = (token: string) =>
      request("POST /api/v1/projects/{id}/unarchive", { token, path: { id } });
    expect((await unarchive(bob.token)).body.code).toBe("insufficient_role");
    expect(await unarchive(ada.token)).toMatchObject({ status: 200, body: { archivedAt: null } });
    expect((await archive(ada.token, id)).body.code).toBe("plan_upgrade_required");
  });
});

describe("GET /api/v1/projects/{id}/budget and budget warnings", () => {
  const budgetOf = async (token: string, id: string) =>
    (await request("GET /api/v1/projects/{id}/budget", { token, path: { id } })).body;
  const warnings = async (id: string) =>
    (await eventsOf(id, "budget.forecast_warning")).map(({ data }) => data?.reason);

  test("counts billable amounts in the budget's currency, including a running timer, for a money budget", async () => {
    freezeTime();
    const ada = await owner();
    const { id } = await project(ada.token, {
      hourlyRate: "100",
      budget: { type: "money", amount: "100000" },
    });
    await track(ada.token, id, daysAgo(2, 9), daysAgo(2, 11));
    await request("POST /api/v1/time-entries", {
      token: ada.token,
      body: { projectId: id, startedAt: daysAgo(2, 12), endedAt: daysAgo(2, 13), billable: false },
    });
    await request("PATCH /api/v1/projects/{id}", {
      token: ada.token,
      path: { id },
      body: { currency: "USD", hourlyRate: "50", budget: { type: "money", amount: "1000" } },
    });
    await request("POST /api/v1/time-entries/start", { token: ada.token, body: { projectId: id } });
    Clock.advance(7200);
    expect(await budgetOf(ada.token, id)).toMatchObject({
      type: "money",
      currency: "USD",
      amount: "1000.00",
      spent: "100.00",
      percent: 10,
      periodStart: null,
      periodEnd: null,
      notCounted: [{ amount: "200.00", currency: "EUR" }],
    });
  });

  test("counts all time of the month in the workspace's time zone for a monthly hours budget", async () => {
    moveTo("2027-03-16T12:00:00Z");
    const ada = await owner();
    await db()
      .updateTable("workspaces")
      .set({ timezone: "America/New_York" })
      .where("id", "=", ada.workspaceId)
      .execute();
    const { id } = await project(ada.token, {
      billable: false,
      budget: { type: "hours", amount: "10", period: "month" },
    });
    // In New York, the first entry starts on the last day of February.
    await track(ada.token, id, "2027-03-01T04:59:59Z", "2027-03-01T05:59:59Z");
    await track(ada.token, id, "2027-03-01T05:00:00Z", "2027-03-01T07:30:00Z");
    expect(await budgetOf(ada.token, id)).toMatchObject({
      currency: null,
      amount: "10.00",
      spent: "2.50",
      percent: 25,
      periodStart: "2027-03-01",
      periodEnd: "2027-03-31",
      forecastDate: null,
    });
  });

  test("are the same in the list of projects, with as many round trips for one budget as for several", async () => {
    freezeTime();
    moveTo("2027-03-17T12:00:00Z");
    const ada = await owner();
    const { token } = ada;
    const list = async (as: string, more: object = {}) => {
      const pool = countingRoundTrips(testPool());
      connect(pool);
      const query = { include: "budget_status", archived: "all", ...more };
      const { body } = await request("GET /api/v1/projects", { token: as, query });
      connect(testPool());
      return { data: body.data, total: body.meta.total, roundTrips: pool.roundTrips() };
    };
    const terms = { currency: "EUR", hourlyRate: "60" };
    const hours = { type: "hours", amount: "10", period: "total" };
    const first = await project(token, { ...terms, name: "A", budget: hours });
    await track(token, first.id, "2027-01-10T09:00:00Z", "2027-01-10T10:00:00Z");
    const one = await list(token);
    const budgets = [
      { type: "money", amount: "100", period: "month" },
      { type: "hours", amount: "5", period: "month" },
      { type: "money", amount: "900" },
    ];
    for (const [at, budget] of budgets.entries()) {
      const { id } = await project(token, { ...terms, name: `B${at}`, budget });
      await track(token, id, "2027-02-10T09:00:00Z", "2027-02-10T10:30:00Z");
      await track(token, id, "2027-03-10T09:00:00Z", `2027-03-10T1${at}:00:00Z`);
    }
    await project(token, { ...terms, name: "C, without a budget" });
    await track(token, first.id, "2027-03-17T11:00:00Z");
    const all = await list(token);
    expect(all.data.map(({ name }: { name: string }) => name)).toEqual([
      "A",
      "B0",
      "B1",
      "B2",
      "C, without a budget",
    ]);
    for (const { id, budget, budgetStatus } of all.data)
      expect(budgetStatus).toEqual(budget ? await budgetOf(token, id) : null);
    expect(all.data[0].budgetStatus).toMatchObject({ spent: "2.00" });
    expect(all.roundTrips).toBe(one.roundTrips);
    const beyond = await list(token, { page: "9" });
    expect(beyond).toMatchObject({ data: [], total: 5 });

    await db()
      .updateTable("workspaces")
      .set({ members_see_money: false })
      .where("id", "=", ada.workspaceId)
      .execute();
    const hidden = await list((await colleague(ada)).token);
    expect(hidden.data.map(({ budgetStatus }: { budgetStatus: unknown }) => budgetStatus)).toEqual(
      Array(5).fill(null),
    );
  });

  test("records a threshold warning once per month, with the entry that reaches 75 %", async () => {
    moveTo("2027-05-28T12:00:00Z");
    const ada = await owner();
    const { id } = await project(ada.token, { budget: { type: "hours", amount: "8", period: "month" } });
    await track(ada.token, id, "2027-05-03T08:00:00Z", "2027-05-03T13:59:00Z");
    expect(await warnings(id)).toEqual([]);
    await track(ada.token, id, "2027-05-03T14:00:00Z", "2027-05-03T14:01:00Z");
    expect(await warnings(id)).toEqual(["threshold"]);
    await track(ada.token, id, "2027-05-03T15:00:00Z", "2027-05-03T15:30:00Z");
    await runJob();
    await runJob();
    expect(await warnings(id)).toEqual(["threshold"]);
    Clock.advance(86_400 * 21);
    await runJob();
    expect(await warnings(id)).toEqual(["threshold"]);
    // Ada's session has expired by now, so another member tracks the time.
    const bob = await colleague(ada);
    await track(bob.token, id, "2027-06-01T08:00:00Z", "2027-06-01T14:00:00Z");
    const [, second] = await eventsOf(id, "budget.forecast_warning");
    expect(second).toMatchObject({
      actor_type: "user",
      data: {
        projectId: id,
        reason: "threshold",
        thresholdPercent: 75,
        percent: 75,
        period: "2027-06",
        type: "hours",
        amount: "8.00",
        spent: "6.00",
      },
    });
  });

  test("records a forecast warning once, as an event of the job, when the forecast exceeds 100 %", async () => {
    moveTo("2027-08-10T12:00:00Z");
    const ada = await owner();
    const { id } = await project(ada.token, {
      budget: { type: "hours", amount: "40", period: "month", alertThresholdPercent: 90 },
    });
    await request("POST /api/v1/time-entries/start", { token: ada.token, body: { projectId: id } });
    expect(await warnings(id)).toEqual([]);
    Clock.advance(36_000);
    await Promise.all([runJob(), runJob()]);
    const [event, ...more] = await eventsOf(id, "budget.forecast_warning");
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      actor_type: "job",
      actor_id: "forecast-budgets",
      request_id: "run-1",
      data: { reason: "forecast", thresholdPercent: 100, percent: 25 },
    });
    expect(await budgetOf(ada.token, id)).toMatchObject({ percent: 25, forecastDate: "2027-08-31" });
  });

  test("checks the other budgets when one budget fails", async () => {
    const ada = await owner();
    const budget = { type: "hours", amount: "1" };
    const [lost, fine] = [await project(ada.token, { budget }), await project(ada.token, { budget })];
    await db().updateTable("projects").set({ workspace_id: "wsp_gone" }).where("id", "=", lost.id).execute();
    await request("POST /api/v1/time-entries/start", { token: ada.token, body: { projectId: fine.id } });
    Clock.advance(3600);
    const { budgets, failed } = await runJob();
    expect([budgets > 1, failed]).toEqual([true, 1]);
    expect((await warnings(fine.id)).sort()).toEqual(["forecast", "threshold"]);
    await db().deleteFrom("projects").where("id", "=", lost.id).execute();
  });

  test("returns 404 budget_not_found for a project without a budget", async () => {
    const ada = await owner();
    const { id } = await project(ada.token);
    const answer = await request("GET /api/v1/projects/{id}/budget", { token: ada.token, path: { id } });
    expect([answer.status, answer.body.code]).toEqual([404, "budget_not_found"]);
  });

  test("records no warnings for an archived project", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const ask = (id: string): RequestOptions => ({ token: ada.token, path: { id } });
    const spent = await project(ada.token, {});
    await track(ada.token, spent.id, daysAgo(1, 8), daysAgo(1, 16));
    await request("POST /api/v1/projects/{id}/archive", ask(spent.id));
    await request("PATCH /api/v1/projects/{id}", {
      ...ask(spent.id),
      body: { budget: { type: "hours", amount: "1" } },
    });
    await runJob();
    expect(await warnings(spent.id)).toEqual([]);
  });
});
