import * as Clock from "@svc/core/base/clock";
import { connect } from "@svc/core/platform/db/engine";
import { wrapConnections } from "@svc/core/platform/db/pool";
import * as Queue from "@svc/core/platform/queue/queue";
import { openBanks } from "@svc/core/testing/bank";
import { testPool } from "@svc/core/testing/database";
import { unlimited } from "@svc/core/testing/dsql";
import { colleague, type Home, owner, type Person, reauthenticated } from "@svc/core/testing/people";
import { sample } from "@svc/core/testing/sample";
import * as Workspace from "@svc/core/workspace/workspace";
import { openMailBox } from "@svc/local/mail-box";
import { startBucket } from "@svc/local/testing/bucket";
import type { PostgresPoolClient } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RouteKey } from "./routes.ts";
import { everyCall } from "./testing/calls.ts";
import { type RequestOptions, request, type TestResponse } from "./testing/request.ts";

const close: (() => unknown)[] = [];
beforeAll(async () => {
  const { SMTP_URL } = process.env;
  const [bucket, mails] = [await startBucket(), await openMailBox({ capacity: 10_000 })];
  process.env.SMTP_URL = mails.url;
  Queue.connect(async () => {});
  const banks = await openBanks({ ecb: { "2026-11-18": { USD: "1.25" } }, a: {}, b: {} });
  close.push(bucket.close, mails.close, () => banks[Symbol.asyncDispose]());
  close.push(() => Queue.connect(undefined));
  close.push(() => {
    process.env.SMTP_URL = SMTP_URL;
  });
});
afterAll(async () => {
  for (const end of close) await end();
});
afterEach(() => {
  connect(testPool());
  Clock.reset();
});

type Admin = Person & Home;
type Options = Pick<RequestOptions, "path" | "query">;

const enterprise = async () => reauthenticated(await owner("Ada", "ENTERPRISE"));
const as = ({ token }: Person, options: RequestOptions = {}): RequestOptions => ({ token, ...options });

async function bodyOf(route: RouteKey, options: RequestOptions) {
  const { status, body } = await request(route, options);
  if (status >= 300) throw new Error(`${route} responded with ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** How to create, read and change a resource. `create` returns its path, and the query that its removal needs. Each call of `edit` returns a body that changes something else. */
type Resource = {
  get?: RouteKey;
  change: RouteKey;
  remove?: RouteKey;
  stored: "never-stored" | "revalidated";
  create: (admin: Admin) => Promise<Options>;
  edit: (n: number) => object;
};

const byId = (route: RouteKey, body: object) => async (admin: Admin) => ({
  path: { id: (await bodyOf(route, as(admin, { body }))).id as string },
});
const hour = { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };
const description = (n: number) => ({ description: `Change ${n}` });
const name = (n: number) => ({ name: `Name ${n}` });

const resources: Record<string, Resource> = {
  "a finished entry": {
    get: "GET /api/v1/time-entries/{id}",
    change: "PATCH /api/v1/time-entries/{id}",
    remove: "DELETE /api/v1/time-entries/{id}",
    stored: "never-stored",
    create: byId("POST /api/v1/time-entries", hour),
    edit: description,
  },
  "a running entry": {
    get: "GET /api/v1/time-entries/{id}",
    change: "PATCH /api/v1/time-entries/{id}",
    remove: "DELETE /api/v1/time-entries/{id}",
    stored: "never-stored",
    create: byId("POST /api/v1/time-entries/start", {}),
    edit: description,
  },
  "a project": {
    get: "GET /api/v1/projects/{id}",
    change: "PATCH /api/v1/projects/{id}",
    remove: "DELETE /api/v1/projects/{id}",
    stored: "revalidated",
    create: byId("POST /api/v1/projects", {
      name: "Engine",
      currency: "EUR",
      hourlyRate: "80.50",
      budget: { type: "money", amount: "1000", period: "month", alertThresholdPercent: 80 },
    }),
    edit: name,
  },
  "the workspace": {
    get: "GET /api/v1/workspace",
    change: "PATCH /api/v1/workspace",
    stored: "revalidated",
    create: async () => ({}),
    edit: name,
  },
  "a team": {
    get: "GET /team/{id}",
    change: "PATCH /team/{id}",
    remove: "DELETE /team/{id}",
    stored: "revalidated",
    create: byId("POST /team", { name: "Weavers" }),
    edit: name,
  },
  "the profile": {
    get: "GET /user/profile",
    change: "PATCH /user/profile",
    stored: "never-stored",
    create: async () => ({}),
    edit: (n) => ({ title: `Title ${n}` }),
  },
  "a webhook": {
    get: "GET /api/v1/webhooks/{id}",
    change: "PATCH /api/v1/webhooks/{id}",
    remove: "DELETE /api/v1/webhooks/{id}",
    stored: "revalidated",
    create: byId("POST /api/v1/webhooks", {
      url: "https://93.184.216.34/hook",
      events: ["project.archived"],
      headers: { "X-Token": "secret" },
    }),
    edit: description,
  },
  "the allowlist": {
    get: "GET /api/v1/security/ip-allowlist",
    change: "PUT /api/v1/security/ip-allowlist",
    stored: "revalidated",
    create: async () => ({}),
    edit: (n) => ({ enabled: false, entries: [{ cidr: `192.0.2.${n}`, label: "Office" }] }),
  },
  "an override": {
    change: "PUT /api/v1/currencies/{code}/override",
    remove: "DELETE /api/v1/currencies/{code}/override",
    stored: "never-stored",
    async create(admin) {
      const path = { code: "USD" };
      const body = { rate: "1.5", reason: "Agreed", validFrom: "2026-11-01" };
      await bodyOf("PUT /api/v1/currencies/{code}/override", as(admin, { path, body }));
      return { path, query: { valid_from: body.validFrom } };
    },
    edit: (n) => ({ rate: `2.${n}`, reason: "Agreed", validFrom: "2026-11-01" }),
  },
};
const each = Object.entries(resources);

async function created(resource: Resource) {
  const admin = await enterprise();
  const { path, query } = await resource.create(admin);
  const ask = (route: RouteKey, body?: object, headers: Record<string, string> = {}) => {
    const named = { ...(path && { path }), ...(query && route === resource.remove && { query }) };
    return request(route, as(admin, { ...named, headers, ...(body && { body }) }));
  };
  const change = (body: object, ifMatch?: string) =>
    ask(resource.change, body, ifMatch === undefined ? {} : { "if-match": ifMatch });
  /** Without a GET, a change that changes nothing returns the resource. */
  const get = async () =>
    resource.get ? ask(resource.get) : change({ rate: "1.5", reason: "Agreed", validFrom: "2026-11-01" });
  return { admin, ask, change, get };
}

/** Returns the test's database with transactions of another isolation level. */
function readCommitted() {
  const pool = testPool() as Parameters<typeof wrapConnections<PostgresPoolClient>>[0];
  const begin = "begin isolation level read committed";
  return wrapConnections(pool, (client) => ({
    query: (sql, parameters) => client.query(sql === "begin" ? begin : sql, [...parameters]),
  }));
}

const etagOf = ({ headers }: TestResponse): string => headers.etag ?? "none";

/** Removes what is signed again for each response, and what counts until now. */
function stable(body: Record<string, unknown>) {
  const { avatar, avatarSmall, durationSeconds, amount, user, updater, workspaces, teams, ...others } = body;
  const { droppedHeaders, ...rest } = others;
  return rest;
}

describe.each(each)("%s", (_, resource) => {
  test("has an ETag that changes with each change, and refuses a change of another version", async () => {
    const { change, get } = await created(resource);
    const first = await get();
    expect(etagOf(first)).toBe(`"${first.body.version}"`);
    const second = await change(resource.edit(1), etagOf(first));
    expect([second.status, etagOf(second)]).toEqual([200, `"${second.body.version}"`]);
    expect(etagOf(second)).not.toBe(etagOf(first));
    expect(etagOf(await change(resource.edit(1)))).toBe(etagOf(second));
    const late = await change(resource.edit(2), etagOf(first));
    expect([late.status, late.body.code]).toEqual([412, "changed_meanwhile"]);
    expect(stable(late.body.current)).toEqual(stable(second.body));
    // The same change again is late as well: the caller has not seen the version that it would keep.
    expect((await change(resource.edit(1), etagOf(first))).status).toBe(412);
    expect((await change(resource.edit(2))).status).toBe(200);
  });

  test("compares If-Match strongly, and takes lists and *", async () => {
    const { change, get } = await created(resource);
    const etag = etagOf(await get());
    expect((await change(resource.edit(1), `W/${etag}`)).status).toBe(412);
    expect((await change(resource.edit(1), '"other", ,W/"x,y"')).status).toBe(412);
    expect((await change(resource.edit(1), `"other",${etag}`)).status).toBe(200);
    expect((await change(resource.edit(2), "*")).status).toBe(200);
    for (const malformed of ["", etag.replaceAll('"', ""), `${etag} ${etag}`, `*, ${etag}`, '"a', "w/*"]) {
      const answer = await change(resource.edit(3), malformed);
      expect([malformed, answer.status, answer.body.code]).toEqual([malformed, 400, "if_match_malformed"]);
    }
  });

  test("is changed by exactly one of eight changes of the same version at once", async () => {
    const { change, get } = await created(resource);
    const before = etagOf(await get());
    const edits = Array.from({ length: 8 }, (_, n) => change(resource.edit(n + 1), before));
    expect((await Promise.all(edits)).map(({ status }) => status).sort()).toEqual([
      200,
      ...Array(7).fill(412),
    ]);
  });

  // Such a server does not report write conflicts itself.
  test("is changed by exactly one of eight on a server with READ COMMITTED", async () => {
    const { change, get } = await created(resource);
    const before = etagOf(await get());
    connect(readCommitted());
    const edits = () => Array.from({ length: 8 }, (_, n) => change(resource.edit(n + 1), before));
    const answers = await unlimited(() => Promise.all(edits()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
  });

  test.skipIf(!resource.get)("is accepted as GET returns it, and stays the same", async () => {
    const { ask, change, get } = await created(resource);
    const first = await get();
    const answer = await change(first.body, etagOf(first));
    expect(answer.status).toBe(200);
    expect(stable(answer.body)).toEqual(stable(first.body));
    expect(stable((await ask(resource.get as RouteKey)).body)).toEqual(stable(first.body));
  });

  test.skipIf(!resource.remove)("is deleted only in the version that the caller has seen", async () => {
    const { ask, change, get } = await created(resource);
    const remove = resource.remove as RouteKey;
    const first = etagOf(await get());
    const second = etagOf(await change(resource.edit(1)));
    const late = await ask(remove, undefined, { "if-match": first });
    expect([late.status, late.body.code]).toEqual([412, "changed_meanwhile"]);
    expect((await ask(remove, undefined, { "if-match": second })).status).toBe(204);
  });

  test.skipIf(!resource.get)("is revalidated unless its response is signed", async () => {
    const { ask, get } = await created(resource);
    const first = await get();
    const etag = etagOf(first);
    const known = (header: string) => ask(resource.get as RouteKey, undefined, { "if-none-match": header });
    if (resource.stored === "never-stored") {
      expect(first.headers["cache-control"]).toBe("no-store");
      for (const header of [etag, "*"]) expect((await known(header)).status).toBe(200);
      return;
    }
    expect(first.headers).toMatchObject({
      "cache-control": "private, no-cache",
      vary: "Origin, Authorization, Cookie, X-Workspace-Id",
    });
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await known(header);
      expect([answer.status, answer.body, etagOf(answer)]).toEqual([304, undefined, etag]);
      expect(answer.headers["cache-control"]).toBe("private, no-cache");
    }
    for (const header of ['"other"', etag.slice(1), "", "a b"])
      expect((await known(header)).status).toBe(200);
  });
});

test("an override that does not exist is not created with If-Match", async () => {
  const admin = await enterprise();
  const body = { rate: "1.5", reason: "Agreed" };
  const put = (headers: Record<string, string>) =>
    request("PUT /api/v1/currencies/{code}/override", as(admin, { path: { code: "USD" }, body, headers }));
  expect(await put({ "if-match": "*" })).toMatchObject({ status: 412, body: { current: null } });
  expect((await put({})).status).toBe(200);
});

test("an override that was deleted and set again has another version", async () => {
  const admin = await enterprise();
  const path = { code: "USD" };
  const body = { rate: "1.5", reason: "Agreed", validFrom: "2026-11-01" };
  const put = () => request("PUT /api/v1/currencies/{code}/override", as(admin, { path, body }));
  const first = etagOf(await put());
  const query = { valid_from: body.validFrom };
  await bodyOf("DELETE /api/v1/currencies/{code}/override", as(admin, { path, query }));
  expect(etagOf(await put())).not.toBe(first);
});

test("the removal of all overrides of a currency names each of them in If-Match", async () => {
  const admin = await enterprise();
  const path = { code: "USD" };
  const put = async (validFrom: string) =>
    etagOf(
      await request(
        "PUT /api/v1/currencies/{code}/override",
        as(admin, { path, body: { rate: "1.5", reason: "Agreed", validFrom } }),
      ),
    );
  const [one, two] = [await put("2026-11-01"), await put("2026-11-10")];
  const remove = async (ifMatch: string) =>
    (
      await request(
        "DELETE /api/v1/currencies/{code}/override",
        as(admin, { path, query: { all: "true" }, headers: { "if-match": ifMatch } }),
      )
    ).status;
  expect(await remove(one)).toBe(412);
  expect(await remove(`${one}, ${two}`)).toBe(204);
});

test("a finished entry is not started again by a body without an end", async () => {
  const admin = await enterprise();
  const { id } = await bodyOf("POST /api/v1/time-entries", as(admin, { body: hour }));
  const answer = await request(
    "PATCH /api/v1/time-entries/{id}",
    as(admin, { path: { id }, body: { endedAt: null } }),
  );
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: "already_stopped" }] } });
});

test("the version that one reader knows is no 304 for another, who sees something else", async () => {
  const admin = await enterprise();
  const member = await colleague(admin, "member");
  const body = { name: "Engine", currency: "EUR", hourlyRate: "80" };
  const { id } = await bodyOf("POST /api/v1/projects", as(admin, { body }));
  for (const [route, options] of [
    ["GET /api/v1/projects/{id}", { path: { id } }],
    ["GET /api/v1/workspace", {}],
  ] as [RouteKey, RequestOptions][]) {
    const etag = etagOf(await request(route, as(admin, options)));
    const known = { ...options, headers: { "if-none-match": etag } };
    expect((await request(route, as(member, known))).status).toBe(200);
    expect((await request(route, as(admin, known))).status).toBe(304);
  }
  // A user who may read nothing gets no 304 either.
  const stranger = await enterprise();
  const any = { path: { id }, headers: { "if-none-match": "*" } };
  expect((await request("GET /api/v1/projects/{id}", as(stranger, any))).status).toBe(404);
});

test("two workspaces without a change have different ETags", async () => {
  const etags = await Promise.all(
    [await enterprise(), await enterprise()].flatMap((admin) =>
      (["GET /api/v1/workspace", "GET /api/v1/security/ip-allowlist"] as const).map(async (route) =>
        etagOf(await request(route, as(admin))),
      ),
    ),
  );
  expect(etags[0]).not.toBe(etags[2]);
  expect(etags[1]).not.toBe(etags[3]);
});

test("a change of the plan by an operator changes the ETag of the workspace", async () => {
  const admin = await enterprise();
  const before = etagOf(await request("GET /api/v1/workspace", as(admin)));
  await Workspace.setPlan("test", { workspaceId: admin.workspaceId, plan: "PRO" });
  expect(etagOf(await request("GET /api/v1/workspace", as(admin)))).not.toBe(before);
});

const lists: [list: RouteKey, get: RouteKey][] = [
  ["GET /team", "GET /team/{id}"],
  ["GET /api/v1/projects", "GET /api/v1/projects/{id}"],
  ["GET /api/v1/time-entries", "GET /api/v1/time-entries/{id}"],
  ["GET /api/v1/webhooks", "GET /api/v1/webhooks/{id}"],
];
const singles: RouteKey[] = [
  "GET /user/profile",
  "GET /api/v1/workspace",
  "GET /api/v1/security/ip-allowlist",
];

/** Reads everything with an ETag that a caller may read: what their request can have changed. */
async function snapshot(caller: RequestOptions): Promise<Map<string, [etag: string, body: string]>> {
  const { token = "", ip = "127.0.0.1", headers = {} } = caller;
  const workspace = headers["x-workspace-id"];
  const asCaller = { token, ip, headers: workspace ? { "x-workspace-id": workspace } : {} };
  const seen = new Map<string, [string, string]>();
  const read = async (route: RouteKey, path?: Record<string, string>) => {
    const answer = await request(route, { ...asCaller, ...(path && { path }) });
    const { version, ...body } = stable(answer.body ?? {});
    if (answer.status === 200) seen.set(`${route} ${path?.id ?? ""}`, [etagOf(answer), JSON.stringify(body)]);
  };
  for (const route of singles) await read(route);
  for (const [list, get] of lists) {
    const query = list.includes("projects") ? { archived: "all" } : undefined;
    const { body } = await request(list, { ...asCaller, ...(query && { query }) });
    for (const { id } of body.data ?? []) await read(get, { id });
  }
  return seen;
}

const writes = everyCall.filter(([, key]) => !/^(?:GET |\$default)/.test(key));

test.each(sample(writes, 8))("%s changes no representation without its ETag", async (_, key, make) => {
  const options = await make();
  const before = options.token ? await snapshot(options) : new Map();
  Clock.advance(1);
  expect((await request(key, { ip: "127.0.0.1", ...options })).status).toBeLessThan(300);
  const after = options.token ? await snapshot(options) : new Map();
  for (const [resource, [etag, body]] of before) {
    const [etagNow, bodyNow] = after.get(resource) ?? [];
    if (bodyNow !== undefined && bodyNow !== body)
      expect({ resource, etag: etagNow, bodyNow }).not.toEqual({ resource, etag, bodyNow });
  }
});
