import * as Clock from "@svc/core/base/clock";
import * as Refresh from "@svc/core/money/feeds/refresh";
import { db } from "@svc/core/platform/db/engine";
import { openBanks } from "@svc/core/testing/bank";
import { colleague, type Home, owner, type Person } from "@svc/core/testing/people";
import { clearRates } from "@svc/core/testing/rates";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RouteKey } from "../../routes.ts";
import { request } from "../../testing/request.ts";

const override = "PUT /api/v1/currencies/{code}/override" as const;
const removal = "DELETE /api/v1/currencies/{code}/override" as const;

const enterprise = () => owner("Ada", "ENTERPRISE");
const asUser = (user: Person & Partial<Home>, more: object = {}) => ({ token: user.token, ...more });
const put = (user: Person, code: string, body: object) =>
  request(override, asUser(user, { path: { code }, body }));
const listed = async (user: Person) => (await request("GET /api/v1/currencies", asUser(user))).body;
const one = async (user: Person, wanted: string) =>
  (await listed(user)).data.find(({ code }: { code: string }) => code === wanted);
const eventsOf = async (workspaceId: string) =>
  db()
    .selectFrom("events")
    .select(["action", "target_type", "target_id", "changes", "data", "actor_id"])
    .where("workspace_id", "=", workspaceId)
    .where("action", "in", ["currency.changed", "workspace.updated"])
    .orderBy("id")
    .execute();
/** The status and body without the fields that differ in every response. */
const comparable = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { requestId, instance, ...rest } = body;
  return { status, ...rest };
};

/** Sets the clock to noon of a day. */
function setDay(day: string): void {
  Clock.reset();
  Clock.advance((Date.parse(`${day}T12:00:00Z`) - Date.now()) / 1000);
}

beforeEach(clearRates);
afterEach(() => Clock.reset());

/** Returns an override as events show it. */
const eventOf = ({ version, ...override }: Record<string, unknown>) => override;

describe("GET /api/v1/currencies", () => {
  test("lists every currency with a built-in rate and its document before any bank was reached", async () => {
    const { data, meta } = await listed(await enterprise());
    expect(meta).toEqual({ base: "EUR", count: 79 });
    const byCode = Object.fromEntries(data.map((row: { code: string }) => [row.code, row]));
    const fixed = data.filter(({ rateSource }: { rateSource: string }) => rateSource === "fixed");
    expect(fixed).toHaveLength(22);
    for (const currency of data.filter((one: object) => !fixed.includes(one)))
      expect(currency).toMatchObject({
        replacedBy: null,
        lastDay: null,
        rate: expect.stringMatching(/^\d+(\.\d+)?$/),
        rateSource: expect.stringMatching(/^(ECB|NBP-[AB])$/),
        rateDocument: expect.any(String),
        rateDate: expect.stringMatching(/^2026-03-/),
        overridden: false,
        stale: true,
      });
    expect(byCode.EUR).toMatchObject({
      rate: "1",
      rateSource: "fixed",
      numericCode: "978",
      minorUnits: 2,
      symbol: "€",
      name: "Euro",
    });
    expect([byCode.HUF, byCode.JPY, byCode.KWD].map(({ minorUnits }) => minorUnits)).toEqual([2, 0, 3]);
    expect(byCode.BGN).toMatchObject({
      rate: "1.95583",
      rateSource: "fixed",
      replacedBy: "EUR",
      lastDay: "2025-12-31",
    });
  });

  test("shows fetched rates from the first bank that publishes the currency", async () => {
    setDay("2026-11-18");
    await using _banks = await openBanks({
      ecb: { "2026-11-18": { USD: "1.25", GBP: "0.8" } },
      a: { "2026-11-18": { EUR: "4", USD: "3", CLP: "0.005" } },
      b: { "2026-11-18": { KWD: "12" } },
    });
    await Refresh.refresh({});
    const ada = await enterprise();
    const rates = async () =>
      Object.fromEntries(
        (await listed(ada)).data.map((row: Record<string, unknown>) => [
          row.code,
          [row.rate, row.rateSource, row.rateDate, row.stale],
        ]),
      );
    expect(await rates()).toMatchObject({
      USD: ["1.25", "ECB", "2026-11-18", false],
      CLP: ["800", "NBP-A", "2026-11-18", false],
      KWD: ["0.333333333333333", "NBP-B", "2026-11-18", false],
      UAH: [null, null, null, true],
    });
    await request("PATCH /api/v1/workspace", asUser(ada, { body: { baseCurrency: "USD" } }));
    expect((await listed(ada)).meta.base).toBe("USD");
    expect(await rates()).toMatchObject({
      EUR: ["0.8", "ECB", "2026-11-18", false],
      GBP: ["0.64", "ECB", "2026-11-18", false],
    });
  });

  test("uses today in the workspace's time zone", async () => {
    setDay("2026-11-18");
    await using _banks = await openBanks({
      ecb: { "2026-11-17": { USD: "1.25" }, "2026-11-18": { USD: "1.3" } },
    });
    await Refresh.refresh({});
    const ada = await enterprise();
    const dateIn = async (timezone: string) => {
      await request("PATCH /api/v1/workspace", asUser(ada, { body: { timezone } }));
      return (await one(ada, "USD")).rateDate;
    };
    Clock.advance(-10 * 3600);
    expect([await dateIn("UTC"), await dateIn("America/Los_Angeles"), await dateIn("Asia/Tokyo")]).toEqual([
      "2026-11-18",
      "2026-11-17",
      "2026-11-18",
    ]);
  });
});

describe("GET /api/v1/currencies/{code}/rates", () => {
  const history = async (user: Person, code: string, query: Record<string, string> = {}) =>
    request("GET /api/v1/currencies/{code}/rates", asUser(user, { path: { code }, query }));

  test("returns one rate per published day and the override's rate on each of its days", async () => {
    setDay("2026-11-18");
    await using _banks = await openBanks({
      ecb: { "2026-11-12": { USD: "1.1" }, "2026-11-13": { USD: "1.2" }, "2026-11-16": { USD: "1.3" } },
    });
    await Refresh.refresh({});
    const ada = await enterprise();
    await put(ada, "USD", { rate: "2", validFrom: "2026-11-14", validTo: "2026-11-15", reason: "Agreed" });
    const { body } = await history(ada, "USD", { from: "2026-11-13", to: "2026-11-18" });
    expect(body.meta).toEqual({ base: "EUR", code: "USD", from: "2026-11-13", to: "2026-11-18", count: 4 });
    expect(
      body.data.map((row: Record<string, unknown>) => [
        row.rateDate,
        row.rate,
        row.rateSource,
        row.overridden,
      ]),
    ).toEqual([
      ["2026-11-13", "1.2", "ECB", false],
      ["2026-11-14", "2", "override", true],
      ["2026-11-15", "2", "override", true],
      ["2026-11-16", "1.3", "ECB", false],
    ]);
    expect((await history(ada, "USD")).body.meta).toMatchObject({
      from: "2026-10-20",
      to: "2026-11-18",
      count: 5,
    });
  });

  test.each([
    [{ from: "2026-11-19", to: "2026-11-18" }, "from"],
    [{ from: "2025-11-18", to: "2026-11-19" }, "from"],
    [{ from: "2026-02-30" }, "from"],
    [{ to: "yesterday" }, "to"],
  ])("returns 422 for %j and names the parameter %s", async (query, parameter) => {
    const answer = await history(await enterprise(), "USD", query as unknown as Record<string, string>);
    expect([answer.status, answer.body.errors?.[0].parameter]).toEqual([422, parameter]);
  });

  test("accepts a range of exactly 366 days", async () => {
    const answer = await history(await enterprise(), "USD", { from: "2025-11-18", to: "2026-11-18" });
    expect(answer.status).toBe(200);
  });

  test.each(["XXX", "usd", "../x"])("returns 404 currency_not_found for %s", async (code) => {
    const answer = await history(await enterprise(), code);
    expect([answer.status, answer.body.code]).toEqual([404, "currency_not_found"]);
  });
});

describe("/api/v1/currencies/{code}/override", () => {
  test("applies an override from its first day, records it once and removes it", async () => {
    setDay("2026-11-18");
    const ada = await enterprise();
    const body = { rate: "1.250", reason: "Contract" };
    const created = await put(ada, "USD", body);
    expect(created).toMatchObject({
      status: 200,
      body: {
        currency: "USD",
        base: "EUR",
        rate: "1.25",
        validFrom: "2026-11-18",
        validTo: null,
        reason: "Contract",
      },
    });
    expect(await one(ada, "USD")).toMatchObject({
      rate: "1.25",
      rateSource: "override",
      rateDate: "2026-11-18",
      overridden: true,
      stale: false,
    });
    expect((await put(ada, "USD", { ...body, rate: "1.25" })).status).toBe(200);
    expect(await eventsOf(ada.workspaceId)).toEqual([
      {
        action: "currency.changed",
        target_type: "currency",
        target_id: "USD",
        actor_id: ada.id,
        changes: { override: { before: [], after: [eventOf(created.body)] } },
        data: { changed: "override", currency: "USD", before: [], after: [eventOf(created.body)] },
      },
    ]);
    setDay("2026-11-17");
    expect((await one(ada, "USD")).overridden).toBe(false);
    setDay("2026-11-18");
    Clock.advance(60);
    expect(
      (await request(removal, asUser(ada, { path: { code: "USD" }, query: { all: "true" } }))).status,
    ).toBe(204);
    expect((await one(ada, "USD")).overridden).toBe(false);
    const again = await request(removal, asUser(ada, { path: { code: "USD" }, query: { all: "true" } }));
    expect([again.status, again.body.code]).toEqual([404, "override_not_found"]);
    expect((await eventsOf(ada.workspaceId)).map(({ data }) => data)).toEqual([
      expect.anything(),
      { changed: "override", currency: "USD", before: [eventOf(created.body)], after: [] },
    ]);
  });

  test("replaces an override of the same day, keeps earlier ones and removes a single one", async () => {
    setDay("2026-11-18");
    const ada = await enterprise();
    await put(ada, "USD", { rate: "1", validFrom: "2026-11-01", reason: "a" });
    await put(ada, "USD", { rate: "2", validFrom: "2026-11-10", reason: "b" });
    Clock.advance(60);
    const replaced = await put(ada, "USD", { rate: "3", validFrom: "2026-11-10", reason: "c" });
    const on = async (day: string) =>
      (
        await request(
          "GET /api/v1/currencies/{code}/rates",
          asUser(ada, { path: { code: "USD" }, query: { from: day, to: day } }),
        )
      ).body.data[0]?.rate;
    expect([await on("2026-11-05"), await on("2026-11-10")]).toEqual(["1", "3"]);
    expect((await eventsOf(ada.workspaceId)).at(-1)?.data).toMatchObject({
      before: [{ rate: "2" }],
      after: [eventOf(replaced.body)],
    });
    expect(
      (await request("GET /api/v1/currencies/{code}/rates", asUser(ada, { path: { code: "USD" } }))).body
        .overrides,
    ).toMatchObject([{ rate: "1", validFrom: "2026-11-01", reason: "a" }, replaced.body]);
    const query = { valid_from: "2026-11-10" };
    expect((await request(removal, asUser(ada, { path: { code: "USD" }, query }))).status).toBe(204);
    expect(await on("2026-11-10")).toBe("1");
  });

  test("removes all overrides only with all=true, and asks for one of the two", async () => {
    const ada = await enterprise();
    for (const validFrom of ["2026-11-01", "2026-11-10"])
      await put(ada, "USD", { rate: "1", validFrom, reason: "a" });
    const removed = async (query: Record<string, string>) => {
      const { status, body } = await request(removal, asUser(ada, { path: { code: "USD" }, query }));
      return [status, body?.errors?.[0].parameter];
    };
    const refused = [422, "valid_from"];
    expect(await removed({})).toEqual(refused);
    expect(await removed({ all: "false" })).toEqual(refused);
    expect(await removed({ all: "true", valid_from: "2026-11-01" })).toEqual(refused);
    expect(await removed({ all: "yes" })).toEqual([422, "all"]);
    expect(await removed({ all: "true" })).toEqual([204, undefined]);
    expect(await eventsOf(ada.workspaceId)).toHaveLength(3);
  });

  test.each([
    ["2", "2"],
    ["2.00", "2"],
    ["100", "100"],
    ["007.50", "7.5"],
    ["1.0500", "1.05"],
  ])("stores the rate %s as %s", async (rate, stored) => {
    const { body } = await put(await enterprise(), "USD", { rate, reason: "x" });
    expect(body.rate).toBe(stored);
  });

  test("accepts an override for a single day", async () => {
    const day = { validFrom: "2026-11-10", validTo: "2026-11-10" };
    const answer = await put(await enterprise(), "USD", { rate: "1.5", reason: "x", ...day });
    expect(answer).toMatchObject({ status: 200, body: day });
  });

  test("keeps the overrides of currencies apart when they begin on the same day", async () => {
    const ada = await enterprise();
    const from = { validFrom: "2026-11-10" };
    const pound = await put(ada, "GBP", { rate: "0.8", reason: "Pound", ...from });
    const dollar = await put(ada, "USD", { rate: "1.2", reason: "Dollar", ...from });
    expect((await eventsOf(ada.workspaceId)).map(({ data }) => data)).toMatchObject([
      { currency: "GBP", before: [], after: [eventOf(pound.body)] },
      { currency: "USD", before: [], after: [eventOf(dollar.body)] },
    ]);
    expect(
      (await request(removal, asUser(ada, { path: { code: "USD" }, query: { all: "true" } }))).status,
    ).toBe(204);
    const overrides = async (code: string) =>
      (await request("GET /api/v1/currencies/{code}/rates", asUser(ada, { path: { code } }))).body.overrides;
    expect([await overrides("USD"), await overrides("GBP")]).toEqual([[], [pound.body]]);
  });

  test("stores one row and one event when the same override is sent twenty times at once", async () => {
    const ada = await enterprise();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        put(ada, "USD", { rate: "1.5", validFrom: "2026-11-01", reason: "Same" }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await eventsOf(ada.workspaceId)).toHaveLength(1);
  });

  test.each([
    [{ rate: "0" }, "/rate"],
    [{ rate: "-1" }, "/rate"],
    [{ rate: "1,5" }, "/rate"],
    [{ rate: "1e3" }, "/rate"],
    [{ rate: 1.5 }, "/rate"],
    [{ rate: "1.0000000000001" }, "/rate"],
    [{ reason: "" }, "/reason"],
    [{ validFrom: "2026-02-30" }, "/validFrom"],
    [{ validFrom: "2026-11-10", validTo: "2026-11-09" }, "/validTo"],
  ])("returns 422 for %j with the pointer %s", async (wrong, pointer) => {
    const answer = await put(await enterprise(), "USD", { rate: "1.5", reason: "x", ...wrong });
    expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([422, pointer]);
  });

  test("returns 409 currency_is_base for the base currency", async () => {
    const answer = await put(await enterprise(), "EUR", { rate: "1", reason: "x" });
    expect([answer.status, answer.body.code]).toEqual([409, "currency_is_base"]);
  });

  test("returns 404 currency_not_found for an unknown currency", async () => {
    const ada = await enterprise();
    const body = { rate: "1", reason: "x" };
    for (const code of ["XXX", "BGN", "__proto__"])
      expect((await put(ada, code, body)).body.code).toBe("currency_not_found");
    expect((await request(removal, asUser(ada, { path: { code: "XXX" } }))).body.code).toBe(
      "currency_not_found",
    );
  });

  test("returns 403 insufficient_role to managers and accepts admins", async () => {
    const ada = await enterprise();
    const [boss, admin] = [await colleague(ada, "manager"), await colleague(ada, "admin")];
    const body = { rate: "1.5", reason: "x" };
    expect((await put(boss, "USD", body)).body.code).toBe("insufficient_role");
    expect((await request(removal, asUser(boss, { path: { code: "USD" } }))).body.code).toBe(
      "insufficient_role",
    );
    expect((await put(admin, "USD", body)).status).toBe(200);
    expect((await one(boss, "USD")).rate).toBe("1.5");
  });

  test("applies only in its own workspace", async () => {
    const [ada, eve] = [await enterprise(), await enterprise()];
    await put(ada, "USD", { rate: "9", reason: "x" });
    expect((await one(eve, "USD")).overridden).toBe(false);
    expect(
      (await request(removal, asUser(eve, { path: { code: "USD" }, query: { all: "true" } }))).body.code,
    ).toBe("override_not_found");
    expect((await one(ada, "USD")).rate).toBe("9");
  });
});

const everyRoute: [RouteKey, object][] = [
  ["GET /api/v1/currencies", {}],
  ["GET /api/v1/currencies/{code}/rates", { path: { code: "USD" } }],
  [override, { path: { code: "USD" }, body: { rate: "1", reason: "x" } }],
  [removal, { path: { code: "USD" } }],
];

test.each(everyRoute)("%s returns 403 plan_upgrade_required on FREE and PRO", async (route, more) => {
  for (const plan of ["FREE", "PRO"] as const) {
    const answer = await request(route, asUser(await owner("Fay", plan), more));
    expect([answer.status, answer.body.code, answer.body.requiredPlan]).toEqual([
      403,
      "plan_upgrade_required",
      "ENTERPRISE",
    ]);
  }
});

test.each([
  ...everyRoute,
  ["GET /api/v1/workspace", {}] as [RouteKey, object],
  ["PATCH /api/v1/workspace", { body: { name: "Mine" } }] as [RouteKey, object],
])("%s returns the same 404 for another user's workspace and for an unknown one", async (route, more) => {
  const [ada, eve] = [await enterprise(), await enterprise()];
  const ask = (id: string) => request(route, asUser(eve, { ...more, headers: { "x-workspace-id": id } }));
  const existing = await ask(ada.workspaceId);
  expect(existing.body.code).toBe("workspace_not_found");
  expect(comparable(existing)).toEqual(comparable(await ask("wsp_nothing")));
});

describe("/api/v1/workspace", () => {
  test("allows members to read the workspace and admins to change it, with one event per kind of change", async () => {
    const ada = await owner("Ada", "FREE");
    const [bob, boss] = [await colleague(ada, "member"), await colleague(ada, "manager")];
    expect((await request("GET /api/v1/workspace", asUser(bob))).body).toMatchObject({
      id: ada.workspaceId,
      name: "Home",
      plan: "FREE",
      role: "member",
      baseCurrency: "EUR",
      timezone: "UTC",
      weekStart: 1,
      membersSeeMoney: false,
      requireTwoFactor: false,
    });
    const body = {
      name: "Office",
      baseCurrency: "KWD",
      timezone: "Asia/Kuwait",
      weekStart: 7,
      membersSeeMoney: true,
    };
    expect((await request("PATCH /api/v1/workspace", asUser(boss, { body }))).body.code).toBe(
      "insufficient_role",
    );
    expect((await request("PATCH /api/v1/workspace", asUser(ada, { body }))).body).toMatchObject({
      ...body,
      role: "owner",
    });
    await request("PATCH /api/v1/workspace", asUser(ada, { body }));
    await request("PATCH /api/v1/workspace", asUser(ada, { body: {} }));
    // Both events have the same timestamp, so their order is undefined. Sort them by action.
    const events = (await eventsOf(ada.workspaceId)).sort((x, y) => (x.action < y.action ? -1 : 1));
    expect(events).toMatchObject([
      {
        action: "currency.changed",
        target_type: "workspace",
        changes: { baseCurrency: { before: "EUR", after: "KWD" } },
        data: { changed: "base_currency", currency: "KWD", before: "EUR", after: "KWD" },
      },
      {
        action: "workspace.updated",
        data: null,
        changes: {
          name: { before: "Home", after: "Office" },
          timezone: { before: "UTC", after: "Asia/Kuwait" },
          weekStart: { before: 1, after: 7 },
        },
      },
    ]);
  });

  test.each([
    [{ baseCurrency: "XXX" }, "/baseCurrency", "currency_unsupported"],
    [{ baseCurrency: "BGN" }, "/baseCurrency", "currency_unsupported"],
    [{ baseCurrency: "eur" }, "/baseCurrency", "currency_unsupported"],
    [{ timezone: "Mars/Olympus" }, "/timezone", "invalid_input"],
    [{ weekStart: 0 }, "/weekStart", "invalid_input"],
    [{ weekStart: 8 }, "/weekStart", "invalid_input"],
    [{ name: " " }, "/name", "invalid_input"],
  ])("returns 422 for %j with the pointer %s", async (body, pointer, code) => {
    const answer = await request("PATCH /api/v1/workspace", asUser(await owner(), { body }));
    expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([422, code, pointer]);
  });
});
