import * as XLSX from "@e965/xlsx";
import * as Clock from "@svc/core/base/clock";
import { connect, db } from "@svc/core/platform/db/engine";
import { testPool } from "@svc/core/testing/database";
import { colleague, type Home, owner, type Person } from "@svc/core/testing/people";
import { clearRates } from "@svc/core/testing/rates";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { handler as purgeExpired } from "../../jobs/purge-expired.ts";
import type { RouteKey } from "../../routes.ts";
import { request } from "../../testing/request.ts";

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());
afterEach(() => {
  bucket.fail = undefined;
  connect(testPool());
  Clock.reset();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Freezes the time, so that only Clock.advance moves it. */
const freezeTime = (now: number | string = Date.now()) =>
  vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });

const enterprise = () => owner("Ada", "ENTERPRISE");
const day = "2026-11-20";
const track = async (token: string, startedAt: string, endedAt: string, body: object = {}) =>
  (await request("POST /api/v1/time-entries", { token, body: { startedAt, endedAt, ...body } })).body;
const anHour = (token: string, body: object = {}) =>
  track(token, `${day}T09:00:00Z`, `${day}T10:00:00Z`, body);
const project = async (token: string, body: object = {}) =>
  (await request("POST /api/v1/projects", { token, body: { name: "Engine", ...body } })).body;
const summary = (token: string, query: Record<string, string> = {}) =>
  request("GET /api/v1/reports/summary", { token, query: { from: day, to: day, ...query } });
const custom = (token: string, query: Record<string, string> = {}) =>
  request("GET /api/v1/reports/custom", { token, query: { from: day, to: day, ...query } });
const generate = (token: string, body: object = {}, headers: Record<string, string> = {}) =>
  request("POST /api/v1/reports/generate", {
    token,
    headers,
    body: { type: "detailed", format: "csv", from: day, to: day, ...body },
  });
const fetchReport = (token: string, id: string) =>
  request("GET /api/v1/reports/{id}", { token, path: { id } });
const rowsOf = (workspaceId: string) =>
  db().selectFrom("reports").selectAll().where("workspace_id", "=", workspaceId).execute();
const filesOf = ({ workspaceId }: Home) =>
  bucket.keys("svc-files").filter((key) => key.startsWith(`reports/${workspaceId}/`));

describe("GET /api/v1/reports/summary", () => {
  test("groups by project and covers the last thirty days by default", async () => {
    freezeTime("2026-11-21T12:00:00Z");
    const ada = await enterprise();
    const { id } = await project(ada.token);
    await anHour(ada.token, { projectId: id });
    await anHour(ada.token);
    await track(ada.token, "2026-10-22T23:00:00Z", "2026-10-23T01:00:00Z");
    const { status, body } = await request("GET /api/v1/reports/summary", { token: ada.token });
    expect([status, body.from, body.to, body.timezone]).toEqual([200, "2026-10-23", "2026-11-21", "UTC"]);
    expect(body.groups).toMatchObject([
      { key: id, label: "Engine", durationSeconds: 3600 },
      { key: null, label: "No project", durationSeconds: 3600 },
    ]);
    expect(body).not.toHaveProperty("charts");
    expect(body.totals).not.toHaveProperty("converted");
  });

  test("covers a member's own time, and everyone's for a manager", async () => {
    const ada = await enterprise();
    const [bob, mia] = [await colleague(ada), await colleague(ada, "manager")];
    for (const { token } of [ada, bob, bob]) await anHour(token);
    const seconds = async ({ token }: Person, query = {}) =>
      (await summary(token, query)).body.totals.durationSeconds;
    expect(await seconds(bob)).toBe(7200);
    expect(await seconds(mia)).toBe(3 * 3600);
    expect(await seconds(bob, { user_id: ada.id })).toBe(0);
    expect(await seconds(mia, { user_id: ada.id })).toBe(3600);
  });

  test("counts a running timer until now at its rate", async () => {
    freezeTime("2026-11-20T12:00:00Z");
    const ada = await enterprise();
    const { id } = await project(ada.token, { currency: "USD", hourlyRate: "60" });
    await request("POST /api/v1/time-entries/start", { token: ada.token, body: { projectId: id } });
    Clock.advance(90);
    expect((await summary(ada.token)).body.totals).toMatchObject({
      durationSeconds: 90,
      amounts: [{ amount: "1.50", currency: "USD" }],
    });
    Clock.advance(90);
    expect((await summary(ada.token, { running: "true" })).body.totals.durationSeconds).toBe(180);
    expect((await summary(ada.token, { rounding: "up:1" })).body.totals).toMatchObject({
      durationSeconds: 180,
      amounts: [{ amount: "3.00", currency: "USD" }],
    });
  });

  test("includes the time of archived projects and of deleted users", async () => {
    const ada = await enterprise();
    const { id } = await project(ada.token);
    const bob = await colleague(ada);
    await anHour(bob.token, { projectId: id });
    await request("POST /api/v1/projects/{id}/archive", { token: ada.token, path: { id } });
    await db().deleteFrom("users").where("id", "=", bob.id).execute();
    expect((await summary(ada.token)).body.groups).toMatchObject([
      { label: "Engine", durationSeconds: 3600 },
    ]);
    expect((await summary(ada.token, { group_by: "user" })).body.groups).toMatchObject([
      { key: bob.id, label: "Former member", durationSeconds: 3600 },
    ]);
  });

  test("returns null as the converted total when a rate is missing", async () => {
    const ada = await enterprise();
    const { id } = await project(ada.token, { currency: "USD", hourlyRate: "60" });
    await db()
      .insertInto("rate_feeds")
      .values(
        ["ECB", "NBP-A", "NBP-B"].map((source) => ({
          feed: source,
          source,
          address: "x",
          last_day: day,
          fetched_at: new Date(),
        })),
      )
      .execute();
    await anHour(ada.token, { projectId: id });
    const { body } = await summary(ada.token, { convert_to: "EUR", include_charts: "true" });
    expect(body.totals).toMatchObject({ amounts: [{ amount: "60.00", currency: "USD" }], converted: null });
    expect(body.charts.map(({ id }: { id: string }) => id)).toEqual([
      "duration-over-time",
      "duration-by-project",
      "amount-over-time-USD",
    ]);
    await clearRates();
  });
});

describe("days of reports", () => {
  // Each case: start, end, and the day the entry belongs to.
  const zones: [string, [string, string, string][]][] = [
    [
      "Europe/Berlin",
      [
        ["2026-03-28T22:59:59Z", "2026-03-29T04:00:00Z", "2026-03-28"],
        ["2026-03-28T23:00:00Z", "2026-03-29T00:00:00Z", "2026-03-29"],
        ["2026-03-29T21:59:59Z", "2026-03-29T23:00:00Z", "2026-03-29"],
        ["2026-03-29T22:00:00Z", "2026-03-29T23:00:00Z", "2026-03-30"],
        ["2026-10-24T22:00:00Z", "2026-10-25T01:30:00Z", "2026-10-25"],
        ["2026-10-25T22:59:59Z", "2026-10-26T01:00:00Z", "2026-10-25"],
        ["2026-10-31T23:00:00Z", "2026-11-01T01:00:00Z", "2026-11-01"],
      ],
    ],
    [
      "America/New_York",
      [
        ["2026-03-01T04:59:59Z", "2026-03-01T08:00:00Z", "2026-02-28"],
        ["2026-03-08T05:00:00Z", "2026-03-08T08:00:00Z", "2026-03-08"],
        ["2026-03-09T03:59:59Z", "2026-03-09T05:00:00Z", "2026-03-08"],
        ["2026-11-02T04:59:59Z", "2026-11-02T06:00:00Z", "2026-11-01"],
      ],
    ],
    [
      "Asia/Kathmandu",
      [
        ["2025-12-31T18:14:59Z", "2025-12-31T19:00:00Z", "2025-12-31"],
        ["2025-12-31T18:15:00Z", "2025-12-31T19:00:00Z", "2026-01-01"],
        ["2026-11-19T18:15:00Z", "2026-11-19T19:00:00Z", "2026-11-20"],
      ],
    ],
  ];

  test.each(zones)(
    "uses the days of %s in filters, in every grouping by time and in files",
    async (timezone, cases) => {
      const ada = await enterprise();
      await db().updateTable("workspaces").set({ timezone }).where("id", "=", ada.workspaceId).execute();
      for (const [startedAt, endedAt] of cases) await track(ada.token, startedAt, endedAt);
      const seconds = ([start, end]: [string, string, string]) =>
        (Date.parse(end) - Date.parse(start)) / 1000;
      const expectedBy = (key: (day: string) => string) => {
        const sums: Record<string, number> = {};
        for (const one of cases) sums[key(one[2])] = (sums[key(one[2])] ?? 0) + seconds(one);
        return sums;
      };
      const monday = (of: string) => {
        const date = new Date(of);
        date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
        return date.toISOString().slice(0, 10);
      };
      const keys = {
        day: (of: string) => of,
        week: monday,
        month: (of: string) => of.slice(0, 7),
        year: (of: string) => of.slice(0, 4),
      };
      const span = { from: "2025-12-31", to: "2026-11-30" };
      for (const [unit, key] of Object.entries(keys)) {
        const { body } = await summary(ada.token, { ...span, group_by: unit });
        const got = body.groups.map((group: { key: string; durationSeconds: number }) => [
          group.key,
          group.durationSeconds,
        ]);
        expect(Object.fromEntries(got)).toEqual(expectedBy(key));
      }
      for (const of of new Set(cases.map(([, , of]) => of))) {
        const { body } = await summary(ada.token, { from: of, to: of });
        expect(body.totals.durationSeconds).toBe(expectedBy(keys.day)[of]);
      }
      const { body } = await generate(ada.token, { ...span, type: "summary", groupBy: ["day"] });
      const book = XLSX.read(await (await fetch(body.signedUrl)).text(), { type: "string", raw: true });
      const rows = XLSX.utils.sheet_to_json<Record<string, string>>(book.Sheets.Sheet1 ?? {});
      expect(Object.fromEntries(rows.map((row) => [row.day, Number(row.duration_seconds)]))).toEqual(
        expectedBy(keys.day),
      );
    },
  );

  test.each(zones)("takes days in %s if timezone says so", async (timezone, cases) => {
    const ada = await enterprise();
    for (const [startedAt, endedAt] of cases) await track(ada.token, startedAt, endedAt);
    const sums: Record<string, number> = {};
    for (const [start, end, of] of cases)
      sums[of] = (sums[of] ?? 0) + (Date.parse(end) - Date.parse(start)) / 1000;
    const span = { from: "2025-12-31", to: "2026-11-30", group_by: "day", timezone };
    const { body } = await summary(ada.token, span);
    const got = body.groups.map((group: { key: string; durationSeconds: number }) => [
      group.key,
      group.durationSeconds,
    ]);
    expect([body.timezone, Object.fromEntries(got)]).toEqual([timezone, sums]);
    const { status, body: refused } = await summary(ada.token, { timezone: "Mars/Olympus" });
    expect([status, refused.errors[0].parameter]).toEqual([422, "timezone"]);
  });
});

describe("filters of reports", () => {
  test("matches the same entries as the list of time entries, for combined filters", async () => {
    const ada = await enterprise();
    const bob = await colleague(ada);
    const { id } = await project(ada.token, { currency: "USD", hourlyRate: "10" });
    await anHour(ada.token, { projectId: id, tags: ["a"], description: "one" });
    await anHour(bob.token, { projectId: id, tags: ["a", "b"], billable: false, description: "two" });
    await anHour(bob.token, { tags: ["b"], description: "three" });
    const ids: Record<string, string> = { user_id: bob.id, project_id: id, team_id: ada.teamId };
    for (const query of [
      { tag: "a" },
      { tag: "b", user_id: "" },
      { billable: "true" },
      { project_id: "", tag: "b" },
      { team_id: "", currency: "EUR" },
      { q: "t", user_id: "" },
      { running: "true" },
    ]) {
      const asked = Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, value || (ids[name] ?? "")]),
      );
      const list = await request("GET /api/v1/time-entries", {
        token: ada.token,
        query: { from: day, to: day, ...asked },
      });
      const { body } = await custom(ada.token, { ...asked, columns: "id" });
      expect(body.entries.map(({ id }: { id: string }) => id).sort()).toEqual(
        list.body.data.map(({ id }: { id: string }) => id).sort(),
      );
      expect((await summary(ada.token, asked)).body.totals.entryCount).toBe(list.body.data.length);
    }
  });

  test.each([
    ["summary", { group_by: "x" }, "group_by"],
    ["summary", { sub_group_by: "x" }, "sub_group_by"],
    ["summary", { group_by: "day", sub_group_by: "day" }, "sub_group_by"],
    ["summary", { rounding: "up" }, "rounding"],
    ["summary", { rounding: "up:0" }, "rounding"],
    ["summary", { rounding: "up:241" }, "rounding"],
    ["summary", { include_charts: "yes" }, "include_charts"],
    ["summary", { convert_to: "XXX" }, "convert_to"],
    ["summary", { convert_to: "BGN" }, "convert_to"],
    ["summary", { currency: "XXX" }, "currency"],
    ["summary", { from: "2026-02-30" }, "from"],
    ["summary", { to: "20.11.2026" }, "to"],
    ["summary", { from: "2026-11-21", to: "2026-11-20" }, "to"],
    ["summary", { from: "2016-11-01", to: "2026-11-20" }, "from"],
    ["summary", { billable: "maybe" }, "billable"],
    ["summary", { running: "1" }, "running"],
    ["summary", { updated_since: "yesterday" }, "updated_since"],
    ["summary", { user_id: "../x" }, "user_id"],
    ["custom", { columns: "id,nothing" }, "columns"],
    ["custom", { columns: "id,id" }, "columns"],
    ["custom", { columns: "converted" }, "columns"],
    ["custom", { metrics: "money" }, "metrics"],
    ["custom", { group_by: "day,week,month,year" }, "group_by"],
    ["custom", { group_by: "day,day" }, "group_by"],
    ["custom", { sort: "amounts" }, "sort"],
    ["custom", { tag: "" }, "tag"],
    ["custom", { from: "2026-11-21", to: "2026-11-20" }, "to"],
  ] as const)("names the invalid parameter in %s with %j", async (path, query, parameter) => {
    const { token } = await enterprise();
    const { status, body } = await request(`GET /api/v1/reports/${path}`, { token, query });
    expect([status, body.errors?.[0]]).toMatchObject([422, { parameter }]);
    expect(body.code).toBe(
      ["XXX", "BGN"].some((code) => Object.values(query).includes(code as never))
        ? "currency_unsupported"
        : "invalid_input",
    );
  });

  test.each([
    [{ type: "weekly" }, "/type"],
    [{ format: "doc" }, "/format"],
    [{ from: "x" }, "/from"],
    [{ from: "2026-11-21" }, "/to"],
    [{ from: "2010-01-01" }, "/from"],
    [{ groupBy: ["x"] }, "/groupBy/0"],
    [{ groupBy: "day" }, "/groupBy"],
    [{ type: "summary", groupBy: ["day", "user", "tag"] }, "/groupBy"],
    [{ filters: { projectId: "a b" } }, "/filters/projectId"],
    [{ filters: { billable: "true" } }, "/filters/billable"],
    [{ filters: { currency: "XXX" } }, "/filters/currency"],
    [{ convertTo: "XXX" }, "/convertTo"],
    [{ columns: ["converted"] }, "/columns"],
    [{ rounding: "up:1000" }, "/rounding"],
    [{ includeCharts: "yes" }, "/includeCharts"],
  ])("names the invalid field in the body %j", async (body, pointer) => {
    const { token } = await enterprise();
    const answer = await generate(token, body);
    expect([answer.status, answer.body.errors?.[0]]).toMatchObject([422, { pointer }]);
  });

  test.each([
    ["user_id", "/filters/userId", "user_not_found"],
    ["project_id", "/filters/projectId", "project_not_found"],
    ["team_id", "/filters/teamId", "team_not_found"],
  ])(
    "returns the same 404 for a %s of another workspace and for an unknown one",
    async (parameter, pointer, code) => {
      const [ada, eve] = [await enterprise(), await enterprise()];
      const externalId =
        { user_id: eve.id, project_id: (await project(eve.token)).id, team_id: eve.teamId }[parameter] ?? "";
      const field = pointer.split("/")[2] ?? "";
      for (const id of [externalId, "unknown"]) {
        const missing = { status: 404, body: { code, errors: [{ parameter, code }] } };
        expect(await summary(ada.token, { [parameter]: id })).toMatchObject(missing);
        expect(await custom(ada.token, { [parameter]: id })).toMatchObject(missing);
        expect(await generate(ada.token, { filters: { [field]: id } })).toMatchObject({
          status: 404,
          body: { code, errors: [{ pointer, code }] },
        });
      }
    },
  );
});

describe("plan checks of reports", () => {
  const enterpriseOnly: [RouteKey, object][] = [
    ["GET /api/v1/reports/custom", {}],
    ["GET /api/v1/reports/custom", { query: { columns: "nothing" } }],
    ["GET /api/v1/reports/summary", { query: { currency: "EUR" } }],
    ["GET /api/v1/reports/summary", { query: { convert_to: "nothing" } }],
    ["GET /api/v1/reports/summary", { query: { include_charts: "true" } }],
    ...(["POST /api/v1/reports/generate", "POST /api/v1/reports"] as const).flatMap(
      (route): [RouteKey, object][] => [
        [route, { body: { type: "custom", format: "csv" } }],
        [route, { body: { type: "summary", format: "csv", filters: { currency: "EUR" } } }],
        [route, { body: { type: "summary", format: "csv", convertTo: "EUR" } }],
        [route, { body: { type: "summary", format: "csv", includeCharts: true } }],
        [route, { body: { type: "summary", includeCharts: true } }],
      ],
    ),
  ];

  test.each(enterpriseOnly)(
    "%s with %j returns 403 plan_upgrade_required before the input is validated",
    async (route, ask) => {
      for (const plan of ["FREE", "PRO"] as const) {
        const { token } = await owner("Ada", plan);
        const { status, body } = await request(route, { token, ...ask });
        expect([status, body.code, body.requiredPlan]).toEqual([403, "plan_upgrade_required", "ENTERPRISE"]);
      }
    },
  );

  test("allows the summary without charts and summary and detailed files on FREE", async () => {
    const { token } = await owner();
    await anHour(token);
    expect((await summary(token, { include_charts: "false" })).body.totals.entryCount).toBe(1);
    for (const type of ["summary", "detailed"])
      for (const format of ["json", "csv", "xlsx", "pdf"])
        expect((await generate(token, { type, format, includeCharts: false })).status).toBe(201);
  });
});

describe("POST /api/v1/reports/generate and GET /api/v1/reports/{id}", () => {
  test.each([
    ["json", "application/json"],
    ["csv", "text/csv; charset=utf-8"],
    ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ["pdf", "application/pdf"],
  ])("stores a %s file in the files bucket and records one event", async (format, contentType) => {
    const ada = await enterprise();
    await anHour(ada.token);
    const { status, body, headers } = await generate(ada.token, { format });
    expect([status, headers.location, headers["cache-control"]]).toEqual([
      201,
      `/api/v1/reports/${body.id}`,
      "no-store",
    ]);
    expect(filesOf(ada)).toEqual([`reports/${ada.workspaceId}/${body.id}.${format}`]);
    const file = await fetch(body.signedUrl);
    expect(file.headers.get("content-type")).toBe(contentType);
    expect(file.headers.get("content-disposition")).toBe(
      `attachment; filename="detailed-${day}-${day}.${format}"`,
    );
    expect((await file.arrayBuffer()).byteLength).toBe(body.size);
    const events = await db().selectFrom("events").selectAll().where("target_id", "=", body.id).execute();
    expect(events).toMatchObject([{ action: "report.generated", actor_id: ada.id, target_type: "report" }]);
  });

  test("opens for seven days with the signed URL and not without it", async () => {
    freezeTime();
    const ada = await enterprise();
    await anHour(ada.token);
    const { body } = await generate(ada.token);
    expect(body.expiresAt).toBe(new Date(Date.now() + 7 * 86_400_000).toISOString());
    const link = new URL(body.signedUrl);
    const status = async (url: URL | string) => (await fetch(url)).status;
    expect(await status(link)).toBe(200);
    expect(await status(link.origin + link.pathname)).toBe(403);
    const last = body.signedUrl.at(-1);
    expect(await status(body.signedUrl.slice(0, -1) + (last === "0" ? "1" : "0"))).toBe(403);
    Clock.advance(7 * 86_400 - 1);
    expect(await status(link)).toBe(200);
    Clock.advance(2);
    expect(await status(link)).toBe(403);
    const login = await request("POST /auth/login", {
      body: { email: ada.email, password: "correct horse battery staple" },
    });
    const renewed = await fetchReport(login.body.token, body.id);
    expect(renewed).toMatchObject({ status: 200, body: { id: body.id, format: "csv", size: body.size } });
    expect(await status(renewed.body.signedUrl)).toBe(200);
  });

  test("deletes the report and its file after ninety days, when the last signed URL expires too", async () => {
    freezeTime();
    const ada = await enterprise();
    await anHour(ada.token);
    const { body } = await generate(ada.token);
    const madeAt = Date.now();
    const token = async () =>
      (
        await request("POST /auth/login", {
          body: { email: ada.email, password: "correct horse battery staple" },
        })
      ).body.token;
    Clock.advance(88 * 86_400);
    const late = await fetchReport(await token(), body.id);
    expect(late.body.expiresAt).toBe(new Date(madeAt + 90 * 86_400_000).toISOString());
    await purgeExpired();
    expect(filesOf(ada)).toHaveLength(1);
    Clock.advance(2 * 86_400);
    expect(await fetchReport(await token(), body.id)).toMatchObject({
      status: 404,
      body: { code: "report_not_found" },
    });
    bucket.fail = () => 500;
    await expect(purgeExpired()).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await rowsOf(ada.workspaceId)).toHaveLength(1);
    bucket.fail = undefined;
    expect((await purgeExpired()).reports).toBeGreaterThanOrEqual(1);
    expect([filesOf(ada), await rowsOf(ada.workspaceId)]).toEqual([[], []]);
  });

  test("shows a report to its creator and to managers, and a report on everyone's time to managers only", async () => {
    const ada = await enterprise();
    const [bob, mia, max] = [await colleague(ada), await colleague(ada), await colleague(ada, "manager")];
    const own = (await generate(bob.token)).body.id;
    const all = (await generate(max.token)).body.id;
    const seen = async ({ token }: Person, id: string) => (await fetchReport(token, id)).status;
    expect(await seen(bob, own)).toBe(200);
    expect(await seen(mia, own)).toBe(404);
    expect(await seen(ada, own)).toBe(200);
    expect(await seen(ada, all)).toBe(200);
    expect(await seen(bob, all)).toBe(404);
    await db().updateTable("memberships").set({ role: "member" }).where("user_id", "=", max.id).execute();
    expect(await seen(max, all)).toBe(404);
  });

  test("contains only the member's own time", async () => {
    const ada = await enterprise();
    const bob = await colleague(ada);
    await anHour(ada.token, { description: "secret" });
    await anHour(bob.token, { description: "own" });
    const { body } = await generate(bob.token);
    const text = await (await fetch(body.signedUrl)).text();
    expect(text).toContain("own");
    expect(text).not.toContain("secret");
  });

  test("creates one file for a repeated Idempotency-Key and signs a new URL", async () => {
    freezeTime();
    const ada = await enterprise();
    const headers = { "idempotency-key": "once" };
    const first = await generate(ada.token, {}, headers);
    Clock.advance(60);
    const second = await generate(ada.token, {}, headers);
    expect([second.status, second.body.id, second.headers["idempotency-replayed"]]).toEqual([
      201,
      first.body.id,
      "true",
    ]);
    expect(second.body.signedUrl).not.toBe(first.body.signedUrl);
    expect((await fetch(second.body.signedUrl)).status).toBe(200);
    expect(filesOf(ada)).toHaveLength(1);
    expect(await generate(ada.token, { format: "json" }, headers)).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
  });

  test("returns 502 storage_unavailable without a row when the bucket fails, and a retry succeeds", async () => {
    const ada = await enterprise();
    bucket.fail = ({ method }) => (method === "PUT" ? 503 : undefined);
    const headers = { "idempotency-key": "again" };
    expect(await generate(ada.token, {}, headers)).toMatchObject({
      status: 502,
      body: { code: "storage_unavailable" },
    });
    expect([filesOf(ada), await rowsOf(ada.workspaceId)]).toEqual([[], []]);
    bucket.fail = undefined;
    expect((await generate(ada.token, {}, headers)).status).toBe(201);
    expect([filesOf(ada).length, (await rowsOf(ada.workspaceId)).length]).toEqual([1, 1]);
  });

  test("deletes the file when its row cannot be written", async () => {
    const ada = await enterprise();
    const pool = testPool();
    const refusing = {
      ...pool,
      options: {},
      end: async () => {},
      async connect() {
        const client = await pool.connect();
        const query = (text: string, parameters: readonly unknown[]) =>
          /insert into "reports"/i.test(text)
            ? Promise.reject(new Error("the disk is full"))
            : client.query(text, parameters as never);
        return {
          query,
          release: (broken?: boolean) => (client.release as (broken?: boolean) => void)(broken),
        } as never;
      },
    };
    connect(refusing);
    expect((await generate(ada.token)).status).toBe(503);
    connect(pool);
    expect([filesOf(ada), await rowsOf(ada.workspaceId)]).toEqual([[], []]);
  });

  test.each(["csv", "xlsx"])(
    "writes no cell to a %s file that could be read as a formula",
    async (format) => {
      const ada = await enterprise();
      const formulas = [
        "=1+1",
        "+1",
        "-1",
        "@x",
        '=HYPERLINK("http://x","y")',
        "a\n=1",
        "＝1",
        "＋1",
        "－1",
        "＠x",
      ];
      const { id } = await project(ada.token, { name: "=cmd", client: "@client" });
      for (const description of formulas)
        await anHour(ada.token, { description, projectId: id, tags: ["-tag"] });
      await sql`UPDATE time_entries SET description = E'\\t=1' WHERE id = (SELECT max(id) FROM time_entries
      WHERE workspace_id = ${ada.workspaceId})`.execute(db());
      await sql`UPDATE time_entries SET description = E'\\r=1' WHERE id = (SELECT min(id) FROM time_entries
      WHERE workspace_id = ${ada.workspaceId})`.execute(db());
      const { body } = await generate(ada.token, { format, groupBy: ["client", "tag"] });
      const bytes = Buffer.from(await (await fetch(body.signedUrl)).arrayBuffer());
      const book =
        format === "csv"
          ? XLSX.read(bytes.toString(), { type: "string", raw: true })
          : XLSX.read(bytes, { cellFormula: true, cellNF: true });
      const page = book.Sheets[book.SheetNames[0] ?? ""] ?? {};
      const cells = Object.entries(page).filter(([name]) => !name.startsWith("!"));
      expect(cells.length).toBeGreaterThan(formulas.length * 10);
      for (const [, cell] of cells) {
        expect(cell).not.toHaveProperty("f");
        if (format === "csv") expect(cell.v).not.toMatch(/^[=+\-@＝＋－＠\t\r]/);
        // Text has the type and the format of text.
        else if (typeof cell.v === "string") expect([cell.t, cell.z]).toEqual(["s", "@"]);
      }
      const texts = cells.map(([, cell]) => String(cell.v));
      const prefix = format === "csv" ? "'" : "";
      for (const text of ["=cmd", "@client", "-tag", "+1", "\t=1", "＋1", "－1"])
        expect(texts).toContain(prefix + text);
    },
  );
});

describe("contents of files", () => {
  const download = async (body: { signedUrl: string }) =>
    Buffer.from(await (await fetch(body.signedUrl)).arrayBuffer());
  const inBerlin = async () => {
    const ada = await enterprise();
    await db()
      .updateTable("workspaces")
      .set({ timezone: "Europe/Berlin" })
      .where("id", "=", ada.workspaceId)
      .execute();
    return ada;
  };
  const autumn = { from: "2026-10-25", to: "2026-10-25" };

  test("a detailed CSV has local times, the time zone, h:mm and decimal hours after the columns it has always had", async () => {
    const ada = await inBerlin();
    // Both start at 02:30 local time, an hour apart.
    await track(ada.token, "2026-10-25T00:30:00Z", "2026-10-25T01:45:00Z", { description: "first" });
    await track(ada.token, "2026-10-25T01:30:00Z", "2026-10-25T23:30:00Z", { description: "second" });
    const text = (await download((await generate(ada.token, autumn)).body)).toString();
    const [head, first, second, end] = text.split("\r\n").map((line) => line.split(","));
    expect(text.startsWith("day,")).toBe(true);
    expect(head?.slice(0, 13)).toEqual([
      ...["day", "started_at", "ended_at", "user", "project", "client", "description", "tags", "billable"],
      ...["duration_seconds", "hourly_rate", "amount", "currency"],
    ]);
    const row = (line: string[] | undefined) =>
      Object.fromEntries((head ?? []).map((name, at) => [name, line?.[at]]));
    expect(row(first)).toMatchObject({
      started_at: "2026-10-25T00:30:00.000Z",
      started_local: "2026-10-25 02:30:00",
      ended_local: "2026-10-25 02:45:00",
      timezone: "Europe/Berlin",
      duration: "1:15",
      hours: "1.2500",
      user_id: ada.id,
    });
    expect(row(second)).toMatchObject({
      started_at: "2026-10-25T01:30:00.000Z",
      started_local: "2026-10-25 02:30:00",
      ended_local: "2026-10-26 00:30:00",
      duration: "22:00",
      hours: "22.0000",
    });
    expect(end).toEqual([""]);
  });

  test("a CSV starts with a byte order mark on request", async () => {
    const ada = await enterprise();
    await anHour(ada.token);
    const plain = await download((await generate(ada.token)).body);
    const marked = await download((await generate(ada.token, { bom: true })).body);
    expect(marked).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
  });

  test("the rows of a summary have the ids of their projects and users", async () => {
    const ada = await enterprise();
    const { id } = await project(ada.token);
    await anHour(ada.token, { projectId: id });
    await anHour(ada.token);
    const groupBy = ["project", "user"];
    const { body } = await generate(ada.token, { type: "summary", groupBy });
    const lines = (await download(body)).toString().trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^project,user,currency,duration_seconds,.*,project_id,user_id$/);
    expect(lines.slice(1).map((line) => line.split(",").slice(-2))).toEqual([
      [id, ada.id],
      ["", ada.id],
    ]);
  });

  test("an XLSX has dates, durations and money as numbers with formats, a frozen header, a filter and totals", async () => {
    const ada = await inBerlin();
    const { id } = await project(ada.token, { currency: "JPY", hourlyRate: "1000" });
    await track(ada.token, "2026-10-25T00:30:00Z", "2026-10-25T01:45:15Z", { projectId: id });
    await track(ada.token, "2026-10-25T01:30:00Z", "2026-10-26T04:30:00Z");
    const bytes = await download((await generate(ada.token, { ...autumn, format: "xlsx" })).body);
    const page = XLSX.read(bytes, { cellNF: true, cellStyles: true }).Sheets.Report ?? {};
    const [titles = []] = XLSX.utils.sheet_to_json<string[]>(page, { header: 1 });
    const cell = (title: string, row: number) =>
      page[XLSX.utils.encode_cell({ c: titles.indexOf(title), r: row - 1 })] ?? {};
    const serial = (iso: string) => Date.parse(iso) / 86_400_000 + 25_569;
    expect(cell("Day", 2)).toMatchObject({ t: "n", v: serial("2026-10-25"), z: "yyyy\\-mm\\-dd" });
    expect(cell("Start (Europe/Berlin)", 2)).toMatchObject({ t: "n", w: "2026-10-25 02:30:00" });
    expect(cell("Start (UTC)", 2)).toMatchObject({ t: "n", w: "2026-10-25 00:30:00" });
    expect(cell("End (UTC)", 3)).toMatchObject({ t: "n", w: "2026-10-26 04:30:00" });
    expect(cell("Time", 2)).toMatchObject({ t: "n", v: 4515 / 86_400, z: "[h]:mm", w: "1:15" });
    expect(cell("Time", 3)).toMatchObject({ v: 27 / 24, w: "27:00" });
    expect(cell("Hours", 2)).toMatchObject({ v: 4515 / 3600, z: "#,##0.00" });
    expect(cell("Amount", 2)).toMatchObject({ t: "n", v: 1254, z: "#,##0\\ [$JPY]" });
    expect(cell("Amount", 3)).toMatchObject({ v: 0, z: "#,##0.00\\ [$EUR]" });
    expect(page["!autofilter"]).toEqual({ ref: `A1:${XLSX.utils.encode_col(titles.length - 1)}3` });
    expect(page["!cols"]).toHaveLength(titles.length);
    expect(["Day", "Time", "Amount"].map((title) => [5, 6, 7].map((row) => cell(title, row).w))).toEqual([
      ["Total EUR", "Total JPY", "Total"],
      ["27:00", "1:15", "28:15"],
      ["0.00 EUR", "1,254 JPY", undefined],
    ]);
  });

  test("an XLSX names the workspace, the filters, the time zone and the time of creation", async () => {
    freezeTime("2026-11-21T12:00:00Z");
    const ada = await inBerlin();
    const { id } = await project(ada.token, { name: "=Engine" });
    await anHour(ada.token, { projectId: id });
    const filters = { projectId: id, userId: ada.id, billable: true };
    const { body } = await generate(ada.token, { format: "xlsx", filters, rounding: "up:15" });
    const sheet = XLSX.read(await download(body)).Sheets.Totals ?? {};
    const { name } = await db()
      .selectFrom("workspaces")
      .select("name")
      .where("id", "=", ada.workspaceId)
      .executeTakeFirstOrThrow();
    expect(XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false }).slice(0, 10)).toEqual([
      ["Workspace", name],
      ["Report", "Detailed report"],
      ["From", day],
      ["To", day],
      ["Time zone", "Europe/Berlin"],
      ["Created (UTC)", "2026-11-21 12:00:00"],
      ["Filter: Person", "Ada"],
      ["Filter: Project", "=Engine"],
      ["Filter: Billable", "yes"],
      ["Filter: Rounding", "up to a multiple of 15 minutes"],
    ]);
  });
});

describe("rate limit of reports", () => {
  test.each([
    ["GET /api/v1/reports/summary", {}],
    ["GET /api/v1/reports/custom", {}],
    ["POST /api/v1/reports/generate", { body: { type: "summary", format: "csv" } }],
    ["GET /api/v1/reports/{id}", { path: { id: "rep_1" } }],
  ] as [RouteKey, object][])("applies to %s for each user separately", async (route, ask) => {
    vi.stubEnv("RATE_LIMITS", "reports=1/60");
    freezeTime();
    const ada = await enterprise();
    const bob = await colleague(ada);
    const first = await request(route, { token: ada.token, ...ask });
    expect([first.status === 429, first.headers["ratelimit-policy"]]).toEqual([false, '"reports";q=1;w=60']);
    expect(await request(route, { token: ada.token, ...ask })).toMatchObject({
      status: 429,
      body: { code: "rate_limited" },
    });
    expect((await request(route, { token: bob.token, ...ask })).status).not.toBe(429);
  });

  test("allows sixty calls a minute", async () => {
    const { headers } = await summary((await enterprise()).token);
    expect(headers["ratelimit-policy"]).toBe('"reports";q=60;w=60');
  });
});
