import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person, reauthenticated } from "@svc/core/testing/people";
import { clearRates } from "@svc/core/testing/rates";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RouteKey } from "../../routes.ts";
import { request } from "../../testing/request.ts";

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());
afterEach(() => Clock.reset());

/** The last locked day. It ends at 22:00 UTC in Berlin. */
const lastDay = "2026-06-30";
const locked = { startedAt: "2026-06-30T21:00:00Z", endedAt: "2026-06-30T23:30:00Z" };
const open = { startedAt: "2026-06-30T22:00:00Z", endedAt: "2026-06-30T23:00:00Z" };

const bodyOf = async (key: RouteKey, { token }: Person, body: object, path = {}) => {
  const answer = await request(key, { token, body, path });
  expect([200, 201]).toContain(answer.status);
  return answer.body;
};
const change = (user: Person, body: object) =>
  request("PATCH /api/v1/workspace", { token: user.token, body });
const lock = (user: Person, lockedUntil: string | null = lastDay) => change(user, { lockedUntil });
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code];
const done = (status: number) => [status, undefined];
const refused = [409, "period_locked"];
const overridden = (user: Person, code: string, body: object) =>
  bodyOf("PUT /api/v1/currencies/{code}/override", user, { reason: "Agreed", ...body }, { code });

async function enterprise(): Promise<Person & Home> {
  const ada = await reauthenticated(await owner("Ada", "ENTERPRISE"));
  await change(ada, { timezone: "Europe/Berlin" });
  return ada;
}

/** Sets when the rate of a bank was recorded, with one in use for each later day. */
async function publish(rate: string, day: string, recordedAt: string) {
  const fetched = { day, document: `ECB ${day}`, fetched_at: new Date(recordedAt) };
  await db()
    .insertInto("rates")
    .values({ source: "ECB", code: "USD", rate, ...fetched })
    .execute();
}

/** A locked workspace with an entry, a project and overrides on locked days, and some that are open. */
async function scene() {
  const ada = await enterprise();
  const bob = await colleague(ada, "member", "Bob");
  const { id: projectId } = await bodyOf("POST /api/v1/projects", ada, {
    name: "Engine",
    currency: "USD",
    hourlyRate: "80",
  });
  const own = (await bodyOf("POST /api/v1/time-entries", ada, { ...locked, projectId })).id as string;
  const bobs = (await bodyOf("POST /api/v1/time-entries", bob, { ...locked, projectId })).id as string;
  const later = (await bodyOf("POST /api/v1/time-entries", ada, { ...open, projectId })).id as string;
  await overridden(ada, "USD", { rate: "1.25", validFrom: "2026-06-01" });
  await overridden(ada, "USD", { rate: "1.30", validFrom: "2026-07-01" });
  await overridden(ada, "GBP", { rate: "0.8", validFrom: "2026-06-01", validTo: "2026-06-10" });
  const home = { ...ada, projectId, own, bobs, later, bob };
  expect(outcome(await lock(ada))).toEqual(done(200));
  return home;
}
type Scene = Awaited<ReturnType<typeof scene>>;

type Attempt = [name: string, key: RouteKey, send: (home: Scene) => { by?: Person } & object];

const entry = "/api/v1/time-entries/{id}";
const override = "/api/v1/currencies/{code}/override";
const usd = { code: "USD" };
const attempts: Attempt[] = [
  ["an entry on a locked day", "POST /api/v1/time-entries", () => ({ body: locked })],
  [
    "an entry on a locked day for another user",
    "POST /api/v1/time-entries",
    ({ bob }) => ({ body: { ...locked, userId: bob.id } }),
  ],
  [
    "a member's own entry on a locked day",
    "POST /api/v1/time-entries",
    ({ bob }) => ({ by: bob, body: locked }),
  ],
  [
    "a running timer that started on a locked day",
    "POST /api/v1/time-entries",
    () => ({ body: { startedAt: locked.startedAt } }),
  ],
  ["a description", `PATCH ${entry}`, ({ own }) => ({ path: { id: own }, body: { description: "x" } })],
  ["an end", `PATCH ${entry}`, ({ own }) => ({ path: { id: own }, body: { endedAt: open.endedAt } })],
  ["a project", `PATCH ${entry}`, ({ own }) => ({ path: { id: own }, body: { projectId: null } })],
  ["billable", `PATCH ${entry}`, ({ own }) => ({ path: { id: own }, body: { billable: false } })],
  ["tags", `PATCH ${entry}`, ({ own }) => ({ path: { id: own }, body: { tags: ["x"] } })],
  ["a move out of the period", `PATCH ${entry}`, ({ own }) => ({ path: { id: own }, body: open })],
  ["a move into the period", `PATCH ${entry}`, ({ later }) => ({ path: { id: later }, body: locked })],
  [
    "a correction of another user's entry",
    `PATCH ${entry}`,
    ({ bobs }) => ({ path: { id: bobs }, body: { description: "x" } }),
  ],
  [
    "a member's change",
    `PATCH ${entry}`,
    ({ bob, bobs }) => ({ by: bob, path: { id: bobs }, body: { description: "x" } }),
  ],
  [
    "a split",
    `POST ${entry}/split`,
    ({ own }) => ({ path: { id: own }, body: { at: "2026-06-30T22:30:00Z" } }),
  ],
  ["a copy", `POST ${entry}/duplicate`, ({ own }) => ({ path: { id: own } })],
  [
    "a change of several entries",
    "PATCH /api/v1/time-entries",
    ({ later, own }) => ({ body: { ids: [later, own], changes: { description: "x" } } }),
  ],
  [
    "the deletion of several entries",
    "POST /api/v1/time-entries/delete",
    ({ later, own }) => ({ body: { ids: [later, own] } }),
  ],
  ["the deletion of an entry", `DELETE ${entry}`, ({ own }) => ({ path: { id: own } })],
  ["the deletion of another user's entry", `DELETE ${entry}`, ({ bobs }) => ({ path: { id: bobs } })],
  [
    "another rate of an override",
    `PUT ${override}`,
    () => ({ path: usd, body: { rate: "2", validFrom: "2026-06-01", reason: "x" } }),
  ],
  [
    "a new override from a locked day on",
    `PUT ${override}`,
    () => ({ path: usd, body: { rate: "2", validFrom: lastDay, reason: "x" } }),
  ],
  [
    "an override that ends on a locked day",
    `PUT ${override}`,
    () => ({
      path: usd,
      body: { rate: "1.25", validFrom: "2026-06-01", validTo: "2026-06-29", reason: "x" },
    }),
  ],
  [
    "the removal of an override of locked days",
    `DELETE ${override}`,
    () => ({ path: { code: "GBP" }, query: { valid_from: "2026-06-01" } }),
  ],
  [
    "the removal of all overrides, one of them of locked days",
    `DELETE ${override}`,
    () => ({ path: usd, query: { all: "true" } }),
  ],
  ["another time zone", "PATCH /api/v1/workspace", () => ({ body: { timezone: "UTC" } })],
  ["another base currency", "PATCH /api/v1/workspace", () => ({ body: { baseCurrency: "CHF" } })],
  [
    "another time zone beside an earlier lock",
    "PATCH /api/v1/workspace",
    () => ({ body: { timezone: "UTC", lockedUntil: "2026-06-01" } }),
  ],
];

/** Returns what reports say about the locked days: the JSON of two reports and of the entries, and a CSV and a JSON file. */
async function reports({ token }: Person): Promise<string[]> {
  const period = { from: "2026-06-01", to: lastDay, convert_to: "EUR" };
  const texts: string[] = [];
  for (const [key, query] of [
    ["GET /api/v1/reports/summary", { ...period, group_by: "user", sub_group_by: "project" }],
    ["GET /api/v1/reports/summary", { ...period, group_by: "day", convert_to: "GBP" }],
    ["GET /api/v1/time-entries", period],
  ] as const) {
    const answer = await request(key, { token, query });
    expect(answer.status).toBe(200);
    // Each response signs the pictures' URLs again.
    texts.push(JSON.stringify(answer.body, (name, value) => (name.startsWith("avatar") ? "" : value)));
  }
  for (const format of ["csv", "json"]) {
    const body = { type: "detailed", format, from: period.from, to: period.to, convertTo: "EUR" };
    const generated = await request("POST /api/v1/reports/generate", { token, body });
    expect(generated.status).toBe(201);
    const text = await (await fetch(generated.body.signedUrl)).text();
    texts.push(text.replace(/"(createdAt|generatedAt)": ?"[^"]*"/g, ""));
  }
  return texts;
}

describe("a locked period", () => {
  it("refuses every kind of write that changes a locked day, and reports stay equal to the byte", async () => {
    const home = await scene();
    const before = await reports(home);
    expect(before.join()).toContain('"rateSource":"override"');
    const outcomes = [];
    for (const [name, key, send] of attempts) {
      const { by = home, ...sent } = send(home);
      outcomes.push([name, ...outcome(await request(key, { token: by.token, ...sent }))]);
    }
    expect(outcomes).toEqual(attempts.map(([name]) => [name, ...refused]));
    expect(outcomes.length).toBeGreaterThanOrEqual(20);
    expect(await reports(home)).toEqual(before);
  });

  it("leaves what changes no locked day, and reports of locked days stay equal to the byte", async () => {
    const home = await scene();
    const before = await reports(home);
    const { token } = home;
    const patched = (id: string, body: object) => request(`PATCH ${entry}`, { token, path: { id }, body });
    const put = (body: object) => request(`PUT ${override}`, { token, path: usd, body });
    const [july, june] = ["2026-07-01", "2026-06-01"];
    const longer = { rate: "1.25", validFrom: june, validTo: "2026-07-31", reason: "Ends" };
    const answers = [
      await request("POST /api/v1/time-entries", { token, body: open }),
      await patched(home.later, { description: "x" }),
      await put({ rate: "9", validFrom: july, reason: "x" }),
      await put(longer),
      await request(`DELETE ${override}`, { token, path: usd, query: { valid_from: july } }),
      await request("PATCH /api/v1/projects/{id}", {
        token,
        path: { id: home.projectId },
        body: { hourlyRate: "500" },
      }),
      await change(home, { weekStart: 7, name: "Renamed" }),
    ];
    expect(answers.map(outcome)).toEqual([201, 200, 200, 200, 204, 200, 200].map(done));
    expect(await reports(home)).toEqual(before);
  });

  it("keeps the rates that were recorded before the lock, also when it moves", async () => {
    await clearRates();
    const ada = await enterprise();
    const { id: projectId } = await bodyOf("POST /api/v1/projects", ada, {
      name: "Engine",
      currency: "USD",
      hourlyRate: "100",
    });
    for (const day of ["2026-05-20", "2026-06-20"])
      await bodyOf("POST /api/v1/time-entries", ada, {
        projectId,
        startedAt: `${day}T10:00:00Z`,
        endedAt: `${day}T11:00:00Z`,
      });
    const amounts = async () => {
      const query = { convert_to: "EUR", sort: "started_at" };
      const { data } = (await request("GET /api/v1/time-entries", { token: ada.token, query })).body;
      return data.map(({ converted }: { converted: { amount: string } | null }) => converted?.amount ?? null);
    };
    const now = Clock.now().toISOString();
    // A source that was fetched replaces the rates that ship with the code.
    const state = {
      source: "ECB",
      address: "https://bank.test",
      last_day: "2026-06-20",
      fetched_at: Clock.now(),
    };
    for (const [feed, source] of [
      ["eurofxref-daily", "ECB"],
      ["nbp-a", "NBP-A"],
      ["nbp-b", "NBP-B"],
    ] as const)
      await db()
        .insertInto("rate_feeds")
        .values({ ...state, feed, source })
        .execute();
    await publish("1.25", "2026-05-19", now);
    expect(await amounts()).toEqual(["80.00", null]);
    Clock.advance(60);
    expect(outcome(await lock(ada, "2026-05-31"))).toEqual(done(200));
    Clock.advance(60);
    const later = Clock.now().toISOString();
    await publish("2", "2026-05-20", later);
    await publish("2", "2026-06-20", later);
    expect(await amounts()).toEqual(["80.00", "50.00"]);
    Clock.advance(60);
    expect(outcome(await lock(ada, "2026-06-30"))).toEqual(done(200));
    Clock.advance(60);
    await db()
      .updateTable("rates")
      .set({ fetched_at: Clock.now() })
      .where("day", "=", "2026-06-20")
      .execute();
    expect(await amounts()).toEqual(["80.00", null]);
    // The bank corrects the rate of the earlier day.
    const correction = { rate: "1.6", previous_rate: "1.25", revision: 1, workspaces_told: null };
    const corrected = { source: "ECB", code: "USD", day: "2026-05-19", document: "ECB 2026-05-19" };
    await db()
      .insertInto("rate_corrections")
      .values({ ...corrected, ...correction, fetched_at: Clock.now() })
      .execute();
    expect(await amounts()).toEqual(["80.00", null]);
    expect(outcome(await lock(ada, "2026-05-25"))).toEqual(done(200));
    expect(await amounts()).toEqual(["80.00", "50.00"]);
    expect(outcome(await lock(ada, null))).toEqual(done(200));
    expect(await amounts()).toEqual(["50.00", "50.00"]);
  });

  it("is set and moved by admins of the ENTERPRISE plan, and audited", async () => {
    const ada = await enterprise();
    const [boss, admin] = [await colleague(ada, "manager"), await colleague(ada, "admin")];
    expect(outcome(await lock(boss))).toEqual([403, "insufficient_role"]);
    expect((await lock(admin)).body.lockedUntil).toBe(lastDay);
    expect((await lock(ada, "2026-06-15")).body.lockedUntil).toBe("2026-06-15");
    expect((await lock(ada, null)).body.lockedUntil).toBeNull();
    const events = await db()
      .selectFrom("events")
      .select("changes")
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "=", "workspace.updated")
      .orderBy("id")
      .execute();
    expect(events.slice(1).map(({ changes }) => changes)).toEqual([
      { lockedUntil: { before: null, after: lastDay } },
      { lockedUntil: { before: lastDay, after: "2026-06-15" } },
      { lockedUntil: { before: "2026-06-15", after: null } },
    ]);
    const free = await owner("Eve");
    expect(outcome(await lock(free))).toEqual([403, "plan_upgrade_required"]);
    expect(outcome(await lock(free, null))).toEqual(done(200));
  });

  it("covers only days that have ended, and none of a running timer", async () => {
    const ada = await enterprise();
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" }).format(Clock.now());
    for (const day of [today, "2099-01-01"]) {
      const { status, body } = await lock(ada, day);
      expect([status, body.errors?.[0].pointer]).toEqual([422, "/lockedUntil"]);
    }
    expect((await lock(ada, "2026-02-30")).status).toBe(422);
    const { id } = await bodyOf("POST /api/v1/time-entries", ada, { startedAt: locked.startedAt });
    expect(outcome(await lock(ada))).toEqual([409, "timer_running"]);
    expect((await lock(ada, "2026-06-29")).status).toBe(200);
    await bodyOf(`PATCH ${entry}`, ada, { endedAt: locked.endedAt }, { id });
    expect((await lock(ada)).status).toBe(200);
  });

  it("binds only while the workspace is on the ENTERPRISE plan", async () => {
    const home = await scene();
    const plan = (name: string) =>
      db().updateTable("workspaces").set({ plan: name }).where("id", "=", home.workspaceId).execute();
    const describeAs = async (description: string) =>
      outcome(
        await request(`PATCH ${entry}`, { token: home.token, path: { id: home.own }, body: { description } }),
      );
    await plan("PRO");
    expect(await describeAs("Changed")).toEqual(done(200));
    expect(outcome(await change(home, { timezone: "UTC" }))).toEqual(done(200));
    await plan("ENTERPRISE");
    expect(await describeAs("Changed again")).toEqual(refused);
  });

  it("does not keep a member from leaving or deleting their account", async () => {
    const home = await scene();
    const bob = await reauthenticated(home.bob);
    expect((await request("DELETE /user", { token: bob.token })).status).toBe(204);
    const query = { user_id: bob.id };
    const { data } = (await request("GET /api/v1/time-entries", { token: home.token, query })).body;
    expect(data).toMatchObject([{ user: { name: "Deleted user" }, amount: "200.00" }]);
  });
});
