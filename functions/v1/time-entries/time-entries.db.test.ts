import * as Clock from "@svc/core/base/clock";
import * as Refresh from "@svc/core/money/feeds/refresh";
import { db } from "@svc/core/platform/db/engine";
import { openBanks } from "@svc/core/testing/bank";
import { colleague, owner, type Person } from "@svc/core/testing/people";
import { clearRates } from "@svc/core/testing/rates";
import { afterEach, describe, expect, test, vi } from "vitest";
import { request } from "../../testing/request.ts";

afterEach(() => {
  Clock.reset();
  vi.useRealTimers();
});

/** Freezes the time, so that only Clock.advance moves it. */
const freezeTime = () => vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });

type Entry = { id: string; description: string; user: { id: string } };

const project = async (token: string, body: object = {}): Promise<string> =>
  (await request("POST /api/v1/projects", { token, body: { name: "Engine", ...body } })).body.id;
const track = async (token: string, startedAt: string, endedAt: string, body: object = {}) =>
  (await request("POST /api/v1/time-entries", { token, body: { startedAt, endedAt, ...body } })).body;
const start = (token: string, body: object = {}) =>
  request("POST /api/v1/time-entries/start", { token, body });
const stop = (token: string) => request("POST /api/v1/time-entries/stop", { token });
const list = async (token: string, query: Record<string, string> = {}) =>
  (await request("GET /api/v1/time-entries", { token, query })).body;
const descriptionsOf = ({ data }: { data: Entry[] }) => data.map(({ description }) => description);
const actionsOf = async (id: string) =>
  (await db().selectFrom("events").select("action").where("target_id", "=", id).orderBy("id").execute()).map(
    ({ action }) => action,
  );

describe("/api/v1/time-entries", () => {
  test("creates an entry with the project's rate, then updates and deletes it, with one audit event each", async () => {
    const ada = await owner("Ada");
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${ada.id}/1.webp`, avatar_placeholder: "1:cGFn" })
      .where("id", "=", ada.id)
      .execute();
    const projectId = await project(ada.token, { hourlyRate: "79.99", currency: "CHF" });
    const created = await request("POST /api/v1/time-entries", {
      token: ada.token,
      body: {
        projectId,
        description: " Bernoulli\nnumbers ",
        startedAt: "2026-11-20T10:00:00.900+01:00",
        endedAt: "2026-11-20T10:20:00Z",
        tags: ["maths", "note g", "maths"],
      },
    });
    expect(created).toMatchObject({
      status: 201,
      headers: { location: `/api/v1/time-entries/${created.body.id}`, "cache-control": "no-store" },
      body: {
        userId: ada.id,
        user: {
          id: ada.id,
          name: "Ada",
          avatar: expect.stringContaining(`/avatars/${ada.id}/1.webp?`),
          avatarSmall: expect.stringContaining(`/avatars-small/${ada.id}/1.webp?`),
          avatarPlaceholder: "cGFn",
        },
        projectId,
        description: "Bernoulli\nnumbers",
        startedAt: "2026-11-20T09:00:00.000Z",
        endedAt: "2026-11-20T10:20:00.000Z",
        durationSeconds: 4800,
        billable: true,
        hourlyRate: "79.99",
        amount: "106.65",
        currency: "CHF",
        tags: ["maths", "note g"],
      },
    });
    expect(created.body).not.toHaveProperty("converted");
    const path = { id: created.body.id };
    const ask = { token: ada.token, path };
    expect((await request("GET /api/v1/time-entries/{id}", ask)).body.amount).toBe("106.65");
    await request("PATCH /api/v1/projects/{id}", {
      token: ada.token,
      path: { id: projectId },
      body: { hourlyRate: "200" },
    });
    const longer = await request("PATCH /api/v1/time-entries/{id}", {
      ...ask,
      body: { endedAt: "2026-11-20T11:00:00Z" },
    });
    expect(longer.body).toMatchObject({ hourlyRate: "79.99", amount: "159.98", durationSeconds: 7200 });
    const moved = await request("PATCH /api/v1/time-entries/{id}", {
      ...ask,
      body: { projectId: await project(ada.token, { hourlyRate: "1000", currency: "JPY" }) },
    });
    expect(moved.body).toMatchObject({ hourlyRate: "1000", amount: "2000", currency: "JPY" });
    const unpaid = await request("PATCH /api/v1/time-entries/{id}", { ...ask, body: { billable: false } });
    expect(unpaid.body).toMatchObject({ hourlyRate: "1000", amount: "0" });
    const free = await request("PATCH /api/v1/time-entries/{id}", { ...ask, body: { projectId: null } });
    expect(free.body).toMatchObject({ projectId: null, hourlyRate: null, currency: "EUR", amount: "0.00" });
    await request("PATCH /api/v1/time-entries/{id}", { ...ask, body: { billable: false } });
    expect((await request("DELETE /api/v1/time-entries/{id}", ask)).status).toBe(204);
    expect((await request("GET /api/v1/time-entries/{id}", ask)).status).toBe(404);
    expect(await actionsOf(created.body.id)).toEqual([
      "time_entry.created",
      ...Array(4).fill("time_entry.updated"),
      "time_entry.deleted",
    ]);
  });

  test.each([
    [{ startedAt: "yesterday" }, "/startedAt"],
    [{ startedAt: "2026-11-20" }, "/startedAt"],
    [{ startedAt: "0001-01-01T00:00:00Z" }, "/startedAt"],
    [{ startedAt: "2099-01-01T00:00:00Z" }, "/startedAt"],
    [{ startedAt: "2026-11-20T10:00:00Z", endedAt: "2026-11-20T09:59:59Z" }, "/endedAt"],
    [{ startedAt: "2020-01-01T00:00:00Z", endedAt: "2026-01-01T00:00:00Z" }, "/endedAt"],
    [{ startedAt: "2026-11-20T10:00:00Z", tags: [""] }, "/tags/0"],
    [{ startedAt: "2026-11-20T10:00:00Z", tags: Array(21).fill("x") }, "/tags"],
    [{ startedAt: "2026-11-20T10:00:00Z", description: "\u0000" }, "/description"],
    [{ startedAt: "2026-11-20T10:00:00Z", projectId: "../x" }, "/projectId"],
  ])("returns 422 and names the field for %j", async (body, pointer) => {
    const ada = await owner();
    const answer = await request("POST /api/v1/time-entries", { token: ada.token, body });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
  });

  test("shows members only their own entries, and managers all entries", async () => {
    const ada = await owner();
    const [boss, bob, eve] = [await colleague(ada, "manager"), await colleague(ada), await colleague(ada)];
    const bobs = await track(bob.token, "2026-11-20T09:00:00Z", "2026-11-20T10:00:00Z");
    await track(eve.token, "2026-11-20T09:00:00Z", "2026-11-20T10:00:00Z");
    const path = { id: bobs.id };
    expect((await list(bob.token)).data.map(({ userId }: { userId: string }) => userId)).toEqual([bob.id]);
    expect((await list(boss.token)).data).toHaveLength(2);
    expect((await list(bob.token, { user_id: eve.id })).data).toEqual([]);
    const seen = async (token: string) =>
      (await request("GET /api/v1/time-entries/{id}", { token, path })).body;
    expect([(await seen(boss.token)).id, (await seen(eve.token)).code]).toEqual([
      bobs.id,
      "time_entry_not_found",
    ]);
  });

  test("still returns the entries of a deleted user, without a name", async () => {
    const ada = await owner();
    const bob = await colleague(ada);
    await track(bob.token, "2026-11-20T09:00:00Z", "2026-11-20T10:00:00Z");
    await db().deleteFrom("users").where("id", "=", bob.id).execute();
    expect((await list(ada.token)).data).toMatchObject([{ user: { id: bob.id, name: "", avatar: "" } }]);
  });

  test("creates one entry for a repeated Idempotency-Key and signs new URLs in the replayed response", async () => {
    const ada = await owner();
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${ada.id}/1.webp` })
      .where("id", "=", ada.id)
      .execute();
    const send = () =>
      request("POST /api/v1/time-entries", {
        token: ada.token,
        headers: { "idempotency-key": "once" },
        body: { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" },
      });
    const first = await send();
    Clock.advance(10);
    const second = await send();
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    expect(second.body.user.avatar).not.toBe(first.body.user.avatar);
    expect((await list(ada.token)).data).toHaveLength(1);
  });
});

describe("/api/v1/time-entries/start, running and stop", () => {
  test("starts a timer that counts until now, and stops it", async () => {
    freezeTime();
    const ada = await owner();
    const projectId = await project(ada.token, { hourlyRate: "60" });
    const started = await start(ada.token, { projectId, description: "Loom" });
    expect(started).toMatchObject({ status: 201, body: { endedAt: null, amount: "0.00" } });
    Clock.advance(90 * 60);
    const running = await request("GET /api/v1/time-entries/running", { token: ada.token });
    expect(running.body).toMatchObject({ id: started.body.id, durationSeconds: 5400, amount: "90.00" });
    expect((await list(ada.token, { running: "true" })).data).toMatchObject([{ durationSeconds: 5400 }]);
    const stopped = await stop(ada.token);
    expect(stopped).toMatchObject({ status: 200, body: { durationSeconds: 5400, amount: "90.00" } });
    expect(stopped.body.endedAt).not.toBeNull();
    expect((await list(ada.token, { running: "true" })).data).toEqual([]);
    expect(await actionsOf(started.body.id)).toEqual(["time_entry.started", "time_entry.stopped"]);
  });

  test("returns timer_not_running as 404 from running and as 409 from stop when no timer is running", async () => {
    const ada = await owner();
    const seen = await request("GET /api/v1/time-entries/running", { token: ada.token });
    const stopped = await stop(ada.token);
    expect([seen.status, seen.body.code, stopped.status, stopped.body.code]).toEqual([
      404,
      "timer_not_running",
      409,
      "timer_not_running",
    ]);
  });

  test("allows one running timer per user and workspace, however it was started", async () => {
    const ada = await owner();
    await start(ada.token);
    const again = await start(ada.token);
    expect([again.status, again.body.code]).toEqual([409, "timer_already_running"]);
    const byHand = await request("POST /api/v1/time-entries", {
      token: ada.token,
      body: { startedAt: "2026-11-20T09:00:00Z" },
    });
    expect(byHand.body.code).toBe("timer_already_running");
    const { body } = await request("POST /workspaces", { token: ada.token, body: { name: "Second" } });
    const elsewhere = await request("POST /api/v1/time-entries/start", {
      token: ada.token,
      headers: { "x-workspace-id": body.id },
      body: {},
    });
    expect(elsewhere.status).toBe(201);
  });

  test("starts one timer when it is started twenty times at once", async () => {
    const ada = await owner();
    const projectId = await project(ada.token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(ada.token, { projectId })));
    const codes = answers.map(({ status, body }) => [status, body.code]);
    expect(codes.filter(([status]) => status === 201)).toHaveLength(1);
    expect(codes.filter(([, code]) => code === "timer_already_running")).toHaveLength(19);
    const started = await db()
      .selectFrom("events")
      .select("id")
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "=", "time_entry.started")
      .execute();
    expect(started).toHaveLength(1);
  });

  test("stops a timer once when it is stopped twice at once", async () => {
    const ada = await owner();
    const { body } = await start(ada.token);
    const statuses = (await Promise.all([stop(ada.token), stop(ada.token)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect(await actionsOf(body.id)).toEqual(["time_entry.started", "time_entry.stopped"]);
  });

  test("stops the timer when its entry gets an end", async () => {
    const ada = await owner();
    const { body } = await start(ada.token);
    Clock.advance(600);
    const ended = await request("PATCH /api/v1/time-entries/{id}", {
      token: ada.token,
      path: { id: body.id },
      body: { endedAt: new Date(Date.parse(body.startedAt) + 300_000).toISOString() },
    });
    expect(ended.body.durationSeconds).toBe(300);
    expect((await stop(ada.token)).status).toBe(409);
  });
});

describe("days of GET /api/v1/time-entries", () => {
  const zones: [string, [string, string, string][]][] = [
    // Each case: start, end, and the day the entry belongs to.
    [
      "Europe/Berlin",
      [
        ["2026-03-28T22:59:59Z", "2026-03-29T04:00:00Z", "2026-03-28"],
        ["2026-03-28T23:00:00Z", "2026-03-29T00:00:00Z", "2026-03-29"],
        ["2026-03-29T21:59:59Z", "2026-03-29T23:00:00Z", "2026-03-29"],
        ["2026-03-29T22:00:00Z", "2026-03-29T23:00:00Z", "2026-03-30"],
        ["2026-10-24T22:00:00Z", "2026-10-25T01:30:00Z", "2026-10-25"],
        ["2026-10-25T22:59:59Z", "2026-10-26T01:00:00Z", "2026-10-25"],
      ],
    ],
    [
      "America/New_York",
      [
        ["2026-03-08T04:59:59Z", "2026-03-08T08:00:00Z", "2026-03-07"],
        ["2026-03-08T05:00:00Z", "2026-03-08T08:00:00Z", "2026-03-08"],
        ["2026-03-09T03:59:59Z", "2026-03-09T05:00:00Z", "2026-03-08"],
        ["2026-11-02T04:59:59Z", "2026-11-02T06:00:00Z", "2026-11-01"],
      ],
    ],
    [
      "Asia/Kathmandu",
      [
        ["2026-11-19T18:14:59Z", "2026-11-19T19:00:00Z", "2026-11-19"],
        ["2026-11-19T18:15:00Z", "2026-11-19T19:00:00Z", "2026-11-20"],
      ],
    ],
  ];

  test.each(zones)("assigns an entry to the day on which it starts in %s", async (timezone, cases) => {
    const ada = await owner();
    await db().updateTable("workspaces").set({ timezone }).where("id", "=", ada.workspaceId).execute();
    for (const [startedAt, endedAt] of cases)
      await track(ada.token, startedAt, endedAt, { description: startedAt });
    for (const day of new Set(cases.map(([, , day]) => day))) {
      const found = descriptionsOf(await list(ada.token, { from: day, to: day, sort: "started_at" }));
      expect(found).toEqual(
        cases.filter(([, , expected]) => expected === day).map(([startedAt]) => startedAt),
      );
    }
    const all = await list(ada.token, { from: cases[0]?.[2] ?? "", to: cases.at(-1)?.[2] ?? "" });
    expect(all.data).toHaveLength(cases.length);
  });

  test.each(zones)("takes days in %s if timezone says so", async (timezone, cases) => {
    const ada = await owner();
    for (const [startedAt, endedAt] of cases)
      await track(ada.token, startedAt, endedAt, { description: startedAt });
    for (const day of new Set(cases.map(([, , day]) => day))) {
      const found = await list(ada.token, { from: day, to: day, sort: "started_at", timezone });
      expect(descriptionsOf(found)).toEqual(
        cases.filter(([, , expected]) => expected === day).map(([startedAt]) => startedAt),
      );
    }
  });

  test("counts the time that passed as the duration across midnight and clock changes", async () => {
    const ada = await owner();
    const night = async (startedAt: string, endedAt: string) =>
      (await track(ada.token, startedAt, endedAt)).durationSeconds / 3600;
    expect(await night("2026-03-28T22:00:00+01:00", "2026-03-29T06:00:00+02:00")).toBe(7);
    expect(await night("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00")).toBe(9);
  });
});

describe("filters of GET /api/v1/time-entries", () => {
  async function createEntries() {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada);
    const second = await request("POST /team", { token: ada.token, body: { name: "Second" } });
    const [euro, dollar] = [
      await project(ada.token, { hourlyRate: "50" }),
      await project(ada.token, { currency: "USD", billable: false }),
    ];
    const at = (day: number) => [`2026-11-${day}T09:00:00Z`, `2026-11-${day}T10:00:00Z`] as const;
    await track(ada.token, ...at(10), { description: "A 100% loom", projectId: euro, tags: ["x", "y"] });
    await track(ada.token, ...at(11), { description: "B engine", projectId: dollar, tags: ["y"] });
    await track(bob.token, ...at(12), { description: "C Engine", projectId: euro });
    await track(bob.token, ...at(13), { description: "D" });
    await start(bob.token, { description: "E", projectId: euro, tags: ["x"] });
    return { ada, bob, euro, dollar, teamId: ada.teamId, second: second.body.id as string };
  }

  test("returns the matching entries for single and combined filters", async () => {
    const { ada, bob, euro, dollar, teamId, second } = await createEntries();
    const find = async (query: Record<string, string>) =>
      descriptionsOf(await list(ada.token, { sort: "started_at", ...query }))
        .map((text) => text[0])
        .join("");
    expect(await find({})).toBe("ABCDE");
    expect(await find({ user_id: bob.id })).toBe("CDE");
    expect(await find({ project_id: euro })).toBe("ACE");
    expect(await find({ project_id: dollar })).toBe("B");
    expect(await find({ team_id: teamId })).toBe("ABCDE");
    expect(await find({ team_id: second })).toBe("AB");
    expect(await find({ tag: "y" })).toBe("AB");
    expect(await find({ tag: "Y" })).toBe("");
    expect(await find({ billable: "true" })).toBe("ACE");
    expect(await find({ billable: "false" })).toBe("BD");
    expect(await find({ running: "true" })).toBe("E");
    expect(await find({ running: "false" })).toBe("ABCD");
    expect(await find({ from: "2026-11-11", to: "2026-11-12" })).toBe("BC");
    expect(await find({ from: "2026-11-13" })).toBe("DE");
    expect(await find({ to: "2026-11-10" })).toBe("A");
    expect(await find({ q: "engine" })).toBe("BC");
    expect(await find({ q: "0% l" })).toBe("A");
    expect(await find({ q: "_" })).toBe("");
    expect(await find({ currency: "USD" })).toBe("B");
    expect(await find({ currency: "EUR" })).toBe("ACDE");
    expect(await find({ currency: "PLN" })).toBe("");
    expect(await find({ user_id: bob.id, project_id: euro, running: "false", currency: "EUR" })).toBe("C");
    expect(await find({ page: "1" })).toBe("ABCDE");
    const { updatedAt } = (await list(ada.token, { running: "true" })).data[0];
    expect(await find({ updated_since: updatedAt, running: "true" })).toBe("E");
    expect(await find({ updated_since: "2099-01-01T00:00:00Z" })).toBe("");
  });

  test("returns 422 unknown_parameter for a misspelt filter, but not at the deprecated path", async () => {
    const { ada } = await createEntries();
    const query = { form: "2026-11-13", running: "maybe" };
    const { status, body } = await request("GET /api/v1/time-entries", { token: ada.token, query });
    expect([status, body.code]).toEqual([422, "unknown_parameter"]);
    expect(body.errors).toMatchObject([{ parameter: "form", code: "unknown_parameter" }]);
    const old = await request("GET /api/v1/entries", { token: ada.token, query: { form: "2026-11-13" } });
    expect([old.status, old.body.data.length]).toEqual([200, 5]);
  });

  test.each([
    ["user_id", "a b"],
    ["project_id", "\u0000"],
    ["team_id", "x".repeat(65)],
    ["tag", ""],
    ["tag", "x".repeat(51)],
    ["billable", "yes"],
    ["running", "1"],
    ["from", "2026-02-30"],
    ["from", "21.11.2026"],
    ["to", "today"],
    ["q", ""],
    ["q", "\u0000"],
    ["updated_since", "2026-11-21"],
    ["currency", "euro"],
    ["currency", "eur"],
    ["currency", "XAU"],
    ["convert_to", "eur"],
    ["convert_to", "HRK"],
    ["sort", "amount"],
    ["limit", "201"],
    ["limit", "0"],
    ["cursor", "nonsense"],
    ["cursor", Buffer.from('["-started_at",1e300,"tim_1"]').toString("base64url")],
    ["cursor", Buffer.from('["-started_at",1,"\\u0000"]').toString("base64url")],
    ["cursor", Buffer.from('["-started_at","1","tim_1"]').toString("base64url")],
    ["cursor", Buffer.from('["-started_at",-1,"tim_1"]').toString("base64url")],
    ["cursor", Buffer.from('["-started_at",4102444800000,"tim_1"]').toString("base64url")],
    ["page", "0"],
    ["page", "201"],
    ["per_page", "201"],
  ])("returns 422 and names the parameter for %s=%j", async (name, value) => {
    const ada = await owner("Ada", "ENTERPRISE");
    const answer = await request("GET /api/v1/time-entries", { token: ada.token, query: { [name]: value } });
    expect([answer.status, answer.body.errors[0].parameter]).toEqual([422, name]);
    if (/^c(?:urrency|onvert)/.test(name)) expect(answer.body.code).toBe("currency_unsupported");
    if (value === "201" && name === "page") expect(answer.body.code).toBe("page_too_deep");
  });

  test("returns 422 for filters that contradict each other", async () => {
    const ada = await owner();
    const errorFor = async (query: Record<string, string>) => {
      const answer = await request("GET /api/v1/time-entries", { token: ada.token, query });
      return [answer.status, answer.body.errors[0].parameter];
    };
    expect(await errorFor({ from: "2026-11-02", to: "2026-11-01" })).toEqual([422, "to"]);
    expect(await errorFor({ page: "1", limit: "10" })).toEqual([422, "page"]);
    const cursor = Buffer.from('["-started_at",0,"tim_1"]').toString("base64url");
    expect(await errorFor({ page: "1", cursor })).toEqual([422, "page"]);
    expect((await list(ada.token, { cursor })).data).toEqual([]);
  });

  test("returns the same 404 for an id of another workspace and for an unknown id, and names the parameter", async () => {
    const [ada, eve] = [await owner(), await owner()];
    const externalIds = { user_id: eve.id, project_id: await project(eve.token), team_id: eve.teamId };
    for (const [name, id] of Object.entries(externalIds)) {
      const answers = [id, "x_1"].map(async (value) => {
        const { status, body } = await request("GET /api/v1/time-entries", {
          token: ada.token,
          query: { [name]: value },
        });
        return { status, code: body.code, detail: body.detail, errors: body.errors };
      });
      const [existing, unknown] = await Promise.all(answers);
      expect(existing).toMatchObject({ status: 404, errors: [{ parameter: name }] });
      expect(existing).toEqual(unknown);
    }
  });

  test.each(["currency", "convert_to"])(
    "%s requires the ENTERPRISE plan, which is checked before its value",
    async (name) => {
      for (const plan of ["FREE", "PRO"] as const) {
        const ada = await owner("Ada", plan);
        const answer = await request("GET /api/v1/time-entries", {
          token: ada.token,
          query: { [name]: "nonsense", limit: "0" },
        });
        expect([answer.status, answer.body.code]).toEqual([403, "plan_upgrade_required"]);
      }
    },
  );
});

describe("convert_to of GET /api/v1/time-entries", () => {
  test("adds the amount converted at the rate of the entry's day and leaves the entry unchanged", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const override = await request("PUT /api/v1/currencies/{code}/override", {
      token: ada.token,
      path: { code: "USD" },
      body: { rate: "1.25", validFrom: "2026-11-10", reason: "contract" },
    });
    expect(override.status).toBe(200);
    const projectId = await project(ada.token, { currency: "USD", hourlyRate: "100" });
    await track(ada.token, "2026-11-12T09:00:00Z", "2026-11-12T09:20:00Z", { projectId });
    await track(ada.token, "2026-11-11T09:00:00Z", "2026-11-11T10:00:00Z");
    const { data } = await list(ada.token, { convert_to: "EUR" });
    expect(data).toMatchObject([
      {
        amount: "33.33",
        currency: "USD",
        converted: {
          amount: "26.66",
          currency: "EUR",
          rate: "0.8",
          rateDate: "2026-11-10",
          rateSource: "override",
        },
      },
      { amount: "0.00", currency: "EUR", converted: { amount: "0.00", currency: "EUR", rate: "1" } },
    ]);
    expect((await list(ada.token)).data[0]).not.toHaveProperty("converted");
    expect((await list(ada.token, { convert_to: "EUR", q: "nothing" })).data).toEqual([]);
  });
});

test("amounts are converted at the rates of the workspace's days, also with another timezone", async () => {
  const ada = await owner("Ada", "ENTERPRISE");
  for (const [validFrom, rate] of [
    ["2026-11-01", "1.6"],
    ["2026-11-18", "1.25"],
  ])
    await request("PUT /api/v1/currencies/{code}/override", {
      token: ada.token,
      path: { code: "USD" },
      body: { rate, validFrom, reason: "contract" },
    });
  const projectId = await project(ada.token, { currency: "USD", hourlyRate: "100" });
  // 18 November in UTC, the workspace's time zone, and the 17th in Los Angeles.
  await track(ada.token, "2026-11-18T05:00:00Z", "2026-11-18T06:00:00Z", { projectId });
  const days = { from: "2026-11-17", to: "2026-11-17", timezone: "America/Los_Angeles", convert_to: "EUR" };
  expect((await list(ada.token, days)).data).toMatchObject([{ converted: { amount: "80.00" } }]);
  const { body } = await request("GET /api/v1/reports/summary", {
    token: ada.token,
    query: { ...days, group_by: "day" },
  });
  expect(body).toMatchObject({
    timezone: "America/Los_Angeles",
    groups: [{ key: "2026-11-17", durationSeconds: 3600 }],
    totals: { converted: { amount: "80.00", currency: "EUR" } },
  });
});

test("convert_to names the currencies and days without a rate, as reports do", async () => {
  await clearRates();
  await using _banks = await openBanks({ ecb: { "2026-11-18": { USD: "1.25", GBP: "0.8" } } });
  await Refresh.refresh({}, {}, new Date("2026-11-18T17:00:00Z"));
  const ada = await owner("Ada", "ENTERPRISE");
  for (const [currency, days] of Object.entries({ USD: ["18", "03", "01"], GBP: ["02"] })) {
    const projectId = await project(ada.token, { currency, hourlyRate: "100" });
    for (const day of days)
      await track(ada.token, `2026-11-${day}T09:00:00Z`, `2026-11-${day}T10:00:00Z`, { projectId });
    await track(ada.token, "2026-11-01T12:00:00Z", "2026-11-01T13:00:00Z", { projectId, billable: false });
  }
  const missingRates = [
    { currency: "GBP", from: "2026-11-02", to: "2026-11-02", entries: 1 },
    { currency: "USD", from: "2026-11-01", to: "2026-11-03", entries: 2 },
  ];
  expect((await list(ada.token, { convert_to: "EUR" })).meta.missingRates).toEqual(missingRates);
  expect((await list(ada.token, { convert_to: "EUR", from: "2026-11-18" })).meta.missingRates).toEqual([]);
  expect((await list(ada.token)).meta).not.toHaveProperty("missingRates");
  const { body } = await request("GET /api/v1/reports/summary", {
    token: ada.token,
    query: { from: "2026-11-01", to: "2026-11-18", convert_to: "EUR", group_by: "currency" },
  });
  expect(body.missingRates).toEqual(missingRates);
  expect(body.totals).toMatchObject({
    converted: null,
    convertedKnown: { amount: "80.00", currency: "EUR" },
    complete: false,
  });
  expect(body.groups.map(({ complete }: { complete: boolean }) => complete)).toEqual([false, false]);
});

describe("a project in a currency that the euro replaced", () => {
  test("accepts entries until its last day, and converts them at the fixed rate", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const projectId = await project(ada.token, { currency: "HRK", hourlyRate: "75.34" });
    await track(ada.token, "2022-12-31T09:00:00Z", "2022-12-31T10:00:00Z", { projectId });
    const { data, meta } = await list(ada.token, { convert_to: "EUR", from: "2022-12-01" });
    expect(data[0]).toMatchObject({
      currency: "HRK",
      converted: { amount: "10.00", rate: "0.132722808414626", rateSource: "fixed" },
    });
    expect(meta.missingRates).toEqual([]);
  });

  test("returns 422 currency_ended for entries after its last day, new, moved or as a timer", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { token } = ada;
    const projectId = await project(token, { currency: "HRK", hourlyRate: "75" });
    const times = { startedAt: "2023-01-01T09:00:00Z", endedAt: "2023-01-01T10:00:00Z" };
    const before = { startedAt: "2022-12-31T09:00:00Z", endedAt: "2022-12-31T10:00:00Z" };
    const [inKuna, inEuro] = [
      await request("POST /api/v1/time-entries", { token, body: { ...before, projectId } }),
      await request("POST /api/v1/time-entries", { token, body: times }),
    ];
    const refused = [
      await request("POST /api/v1/time-entries", { token, body: { ...times, projectId } }),
      await request("PATCH /api/v1/time-entries/{id}", {
        token,
        path: { id: inEuro.body.id },
        body: { projectId },
      }),
      await request("PATCH /api/v1/time-entries/{id}", { token, path: { id: inKuna.body.id }, body: times }),
      await request("POST /api/v1/time-entries/start", { token, body: { projectId } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.errors[0].code, body.errors[0].pointer])).toEqual([
      [422, "currency_ended", "/projectId"],
      [422, "currency_ended", "/projectId"],
      [422, "currency_ended", "/startedAt"],
      [422, "currency_ended", "/projectId"],
    ]);
    const edited = await request("PATCH /api/v1/time-entries/{id}", {
      token,
      path: { id: inKuna.body.id },
      body: { description: "Kuna" },
    });
    expect(edited.status).toBe(200);
  });
});

test("convert_to loads the rates of all days of a page, in every order of its entries", async () => {
  await clearRates();
  await using _banks = await openBanks({
    ecb: { "2026-11-02": { USD: "1.25" }, "2026-11-10": { USD: "1.4" }, "2026-11-18": { USD: "1.6" } },
  });
  await Refresh.refresh({}, {}, new Date("2026-11-18T17:00:00Z"));
  const ada = await owner("Ada", "ENTERPRISE");
  const projectId = await project(ada.token, { currency: "USD", hourlyRate: "100" });
  for (const day of ["10", "18", "02"])
    await track(ada.token, `2026-11-${day}T09:00:00Z`, `2026-11-${day}T10:00:00Z`, { projectId });
  const amounts = async (sort: string) =>
    (await list(ada.token, { convert_to: "EUR", sort })).data.map(
      ({ converted }: { converted: { amount: string } | null }) => converted?.amount,
    );
  expect(await amounts("started_at")).toEqual(["80.00", "71.43", "62.50"]);
  expect(await amounts("-started_at")).toEqual(["62.50", "71.43", "80.00"]);
  expect((await amounts("updated_at")).sort()).toEqual(["62.50", "71.43", "80.00"]);
});

describe("pagination of GET /api/v1/time-entries", () => {
  async function ownerWithEntries(count: number): Promise<Person> {
    const ada = await owner();
    for (let n = 0; n < count; n++) {
      // Pairs of entries start in the same second.
      const minute = String(10 + Math.floor(n / 2)).padStart(2, "0");
      await track(ada.token, `2026-11-20T09:${minute}:00Z`, `2026-11-20T10:${minute}:00Z`, {
        description: String(n),
      });
    }
    return ada;
  }

  test.each(["-started_at", "started_at", "-updated_at", "updated_at"])(
    "returns every entry once by cursor in the order of %s while entries are added and deleted",
    async (sort) => {
      const ada = await ownerWithEntries(11);
      const all = (await list(ada.token, { sort })).data as Entry[];
      const got: string[] = [];
      let query: Record<string, string> = { sort, limit: "3" };
      for (let turn = 0; ; turn++) {
        const { data, meta, links } = await list(ada.token, query);
        got.push(...data.map(({ id }: Entry) => id));
        if (turn === 0) {
          await track(ada.token, "2026-11-20T08:00:00Z", "2026-11-20T08:30:00Z");
          await track(ada.token, "2026-11-20T23:00:00Z", "2026-11-20T23:30:00Z");
          await request("DELETE /api/v1/time-entries/{id}", {
            token: ada.token,
            path: { id: data.at(-1).id },
          });
        }
        if (meta.nextCursor === null) {
          expect(links).not.toHaveProperty("next");
          break;
        }
        query = Object.fromEntries(new URL(links.next, "http://x").searchParams);
        expect(query).toEqual({ sort, limit: "3", cursor: meta.nextCursor });
      }
      const known = new Set(all.map(({ id }) => id));
      expect(got.filter((id) => known.has(id))).toEqual(all.map(({ id }) => id));
      expect(new Set(got).size).toBe(got.length);
    },
  );

  test("returns 422 for a cursor of another sort order", async () => {
    const ada = await ownerWithEntries(3);
    const { meta } = await list(ada.token, { limit: "1" });
    const answer = await request("GET /api/v1/time-entries", {
      token: ada.token,
      query: { cursor: meta.nextCursor, sort: "started_at" },
    });
    expect([answer.status, answer.body.errors[0].parameter]).toEqual([422, "cursor"]);
  });

  test("returns pages with a total, up to the first ten thousand entries", async () => {
    const ada = await ownerWithEntries(5);
    const page = await list(ada.token, { page: "2", per_page: "2" });
    expect(descriptionsOf(page)).toEqual(["2", "1"]);
    expect(page.meta).toEqual({ page: 2, perPage: 2, total: 5, totalPages: 3 });
    expect((await list(ada.token, { page: "200" })).data).toEqual([]);
    const first = await db()
      .selectFrom("time_entries")
      .selectAll()
      .where("user_id", "=", ada.id)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 10_001 }, (_, n) => ({
      ...first,
      id: `tim_filler${n}`,
      tags: JSON.stringify(first.tags),
    }));
    for (let at = 0; at < more.length; at += 2000)
      await db()
        .insertInto("time_entries")
        .values(more.slice(at, at + 2000))
        .execute();
    const deep = await list(ada.token, { page: "50", per_page: "200" });
    expect([deep.data.length, deep.meta.total, deep.meta.totalPages]).toEqual([200, 10_000, 50]);
    const cut = await list(ada.token, { page: "67", per_page: "150" });
    expect([cut.data.length, cut.meta.total]).toEqual([100, 10_000]);
    const tooDeep = await request("GET /api/v1/time-entries", {
      token: ada.token,
      query: { page: "51", per_page: "200" },
    });
    expect([tooDeep.status, tooDeep.body.code]).toEqual([422, "page_too_deep"]);
  });
});
