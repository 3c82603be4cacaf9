import { describe, expect, it, vi } from "vitest";
import { type ClientOptions, createClient, Problem, type TimeEntry } from "./client.ts";

type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown };

/** A client whose requests get these responses in order; an error stands for a connection that broke. */
function clientFor(responses: readonly (Response | Error)[], options: ClientOptions = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const queue = [...responses];
  const svc = createClient({
    async fetch(url, init) {
      sent.push({ url, ...init } as Sent);
      const next = queue.shift();
      if (!next) throw new Error("There is no response for another request.");
      if (next instanceof Error) throw next;
      return next;
    },
    async wait(ms) {
      waits.push(ms);
    },
    ...options,
  });
  return { svc, sent, waits, keys: () => sent.map(({ headers }) => headers["idempotency-key"]) };
}

const ok = (body: unknown = {}) => Response.json(body);
const broken = () => new TypeError("fetch failed");

function problem(status: number, code: string, headers: Record<string, string> = {}, more = {}): Response {
  const body = {
    type: "about:blank",
    title: "x",
    status,
    code,
    detail: `About ${code}.`,
    requestId: "req_1",
  };
  return Response.json({ ...body, ...more }, { status, headers });
}

async function failure(call: Promise<unknown>): Promise<Problem> {
  const error = await call.then(
    () => new Error("It succeeded."),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

const created = { body: { name: "Website" } };

describe("a request", () => {
  it("has the method, path, query and JSON body of the call, and returns the body of the response", async () => {
    const { svc, sent } = clientFor([ok({ id: "prj_1" })], { baseUrl: "https://api.test/" });
    const project = await svc.patch("/api/v1/projects/{id}", {
      path: { id: "prj_1" },
      body: { name: "Website" },
      ifMatch: "ver_1",
    });
    expect(project).toEqual({ id: "prj_1" });
    expect(sent).toMatchObject([
      {
        url: "https://api.test/api/v1/projects/prj_1",
        method: "PATCH",
        body: '{"name":"Website"}',
        headers: { accept: "application/json", "content-type": "application/json", "if-match": '"ver_1"' },
      },
    ]);
  });

  it("goes to the origin of the page without a base URL, and has no content type without a body", async () => {
    const { svc, sent } = clientFor([new Response(null, { status: 204 })]);
    expect(await svc.delete("/user/avatar")).toBeUndefined();
    expect(sent).toMatchObject([{ url: "/user/avatar", method: "DELETE", headers: {} }]);
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(["accept"]);
  });

  it("has the token and the workspace, which functions can return", async () => {
    let token = "first";
    const { svc, sent } = clientFor([ok(), ok()], {
      token: async () => token,
      workspaceId: () => "wsp_1",
    });
    await svc.get("/auth/me");
    token = "second";
    await svc.get("/api/v1/workspace", { workspaceId: "wsp_2" });
    expect(sent.map(({ headers }) => [headers.authorization, headers["x-workspace-id"]])).toEqual([
      ["Bearer first", "wsp_1"],
      ["Bearer second", "wsp_2"],
    ]);
  });

  it("returns status and headers from send, and no data after 304", async () => {
    const { svc, sent } = clientFor([new Response(null, { status: 304, headers: { etag: '"ver_1"' } })]);
    const answer = await svc.send("get", "/api/v1/workspace", { ifNoneMatch: "ver_1" });
    expect(sent[0]?.headers["if-none-match"]).toBe('"ver_1"');
    expect([answer.status, answer.data, answer.headers.get("etag")]).toEqual([304, undefined, '"ver_1"']);
  });

  it("is not sent when the signal is aborted already", async () => {
    const { svc, sent } = clientFor([ok()]);
    await expect(svc.get("/auth/me", { signal: AbortSignal.abort("stopped") })).rejects.toBe("stopped");
    expect(sent).toEqual([]);
  });
});

describe("types of calls", () => {
  it("accept what the OpenAPI document describes, and nothing else", () => {
    const { svc } = clientFor([]);
    const calls = () => [
      svc.get("/api/v1/projects/{id}", { path: { id: "prj_1" } }),
      // @ts-expect-error: there is no such path.
      svc.get("/api/v1/projekts"),
      // @ts-expect-error: the path has no DELETE.
      svc.delete("/auth/me"),
      // @ts-expect-error: the path has a parameter.
      svc.get("/api/v1/projects/{id}"),
      // @ts-expect-error: the parameter has another name.
      svc.get("/api/v1/projects/{id}", { path: { projectId: "prj_1" } }),
      // @ts-expect-error: the query has no such parameter.
      svc.get("/api/v1/time-entries", { query: { projects: "prj_1" } }),
      // @ts-expect-error: the body is required.
      svc.post("/auth/login"),
      // @ts-expect-error: the password is required.
      svc.post("/auth/login", { body: { email: "owner@demo.test" } }),
      // @ts-expect-error: devices have no version.
      svc.patch("/user/devices/{id}", { path: { id: "dev_1" }, body: { name: "x" }, ifMatch: "ver_1" }),
      // @ts-expect-error: the response is not a list.
      svc.each("/auth/me"),
      svc.patch("/api/v1/projects/{id}", { path: { id: "" }, body: { client: undefined }, ifMatch: "ver_1" }),
    ];
    expect(calls).toBeTypeOf("function");
  });
});

describe("a problem", () => {
  it("has the members of the problem document", async () => {
    const errors = [{ pointer: "/name", code: "too_short", detail: "Name is required." }];
    const { svc } = clientFor([problem(422, "invalid_input", {}, { errors, current: { id: "prj_1" } })]);
    const thrown = await failure(svc.post("/api/v1/projects", { body: { name: "" } }));
    expect(thrown).toMatchObject({
      status: 422,
      code: "invalid_input",
      message: "About invalid_input.",
      requestId: "req_1",
      errors,
    });
    expect(thrown.body.current).toEqual({ id: "prj_1" });
  });

  it.each([
    [413, "The request is too large."],
    [429, "Too many requests. Wait a moment and try again."],
    [500, "Something went wrong. Try again in a moment."],
  ])(
    "of status %i without a problem document has the code unknown and a message for people",
    async (status, message) => {
      for (const body of ["", "<html>", "[]", "null", '{"message":"Too big"}']) {
        const { svc } = clientFor([new Response(body, { status })], { retries: 0 });
        expect(await failure(svc.get("/auth/me"))).toMatchObject({ status, code: "unknown", message });
      }
    },
  );

  it("is unexpected_response when another server answers with a page", async () => {
    const { svc } = clientFor([new Response("<html>Sign in to the Wi-Fi", { status: 200 })]);
    expect(await failure(svc.get("/auth/me"))).toMatchObject({ status: 200, code: "unexpected_response" });
  });

  it("is passed to onProblem once, after the last attempt", async () => {
    const onProblem = vi.fn();
    const { svc } = clientFor([broken(), problem(401, "session_ended")], { onProblem });
    const thrown = await failure(svc.get("/auth/me"));
    expect(onProblem.mock.calls).toEqual([[thrown]]);
  });

  it("is not thrown when recover returns true and the same request then succeeds", async () => {
    const onProblem = vi.fn();
    let token = "old";
    const recover = vi.fn(async () => {
      token = "new";
      return true;
    });
    const responses = [problem(401, "session_ended"), ok({ id: "prj_1" })];
    const { svc, sent, keys } = clientFor(responses, { onProblem, recover, token: () => token });
    expect(await svc.post("/api/v1/projects", created)).toEqual({ id: "prj_1" });
    expect(recover.mock.calls).toEqual([
      [expect.objectContaining({ code: "session_ended" }), { method: "POST", path: "/api/v1/projects" }],
    ]);
    expect(keys()).toEqual([keys()[0], keys()[0]]);
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
    expect(sent[1]?.body).toBe(sent[0]?.body);
    expect(onProblem).not.toHaveBeenCalled();
  });

  it("is thrown when recover returns false, and after a second failure", async () => {
    const ended = () => problem(401, "session_ended");
    const first = clientFor([ended()], { recover: () => false });
    await failure(first.svc.get("/auth/me"));
    expect(first.sent).toHaveLength(1);
    const recover = vi.fn(() => true);
    const second = clientFor([ended(), ended()], { recover });
    await failure(second.svc.get("/auth/me"));
    expect(recover).toHaveBeenCalledOnce();
  });

  it("has the cause of a broken connection", async () => {
    const cause = broken();
    const { svc } = clientFor([cause], { retries: 0 });
    expect(await failure(svc.get("/auth/me"))).toMatchObject({ status: 0, code: "no_answer", cause });
  });
});

describe("retries", () => {
  it("repeat a read twice, then throw the last problem", async () => {
    const { svc, sent, waits } = clientFor([broken(), problem(503, "database_unavailable"), broken(), ok()]);
    expect(await failure(svc.get("/auth/me"))).toMatchObject({ code: "no_answer" });
    expect(sent).toHaveLength(3);
    expect(waits[0]).toBeGreaterThanOrEqual(500);
    expect(waits[1]).toBeGreaterThanOrEqual(1000);
  });

  it("wait as Retry-After says", async () => {
    const { svc, waits } = clientFor([problem(429, "rate_limited", { "retry-after": "9" }), ok()]);
    await svc.put("/user/password", { body: { currentPassword: "a", newPassword: "b" } });
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(9000);
    expect(waits[0]).toBeLessThanOrEqual(9250);
  });

  it("do not wait longer than maxWaitMs", async () => {
    const { svc, waits } = clientFor([problem(429, "rate_limited", { "retry-after": "61" })]);
    expect(await failure(svc.get("/auth/me"))).toMatchObject({ status: 429, retryAfterSeconds: 61 });
    expect(waits).toEqual([]);
  });

  it("do not repeat a change that could be made twice", async () => {
    const { svc, sent } = clientFor([broken(), broken(), broken()]);
    await failure(svc.patch("/user/profile", { body: { name: "x" } }));
    await failure(svc.delete("/user/avatar"));
    await failure(svc.post("/api/v1/webhooks", { body: { url: "https://a.test", events: ["*"] } }));
    expect(sent).toHaveLength(3);
  });

  it("can be set for one request", async () => {
    const { svc, sent } = clientFor([broken(), ok()]);
    await failure(svc.get("/auth/me", { retries: 0 }));
    expect(sent).toHaveLength(1);
  });

  it("end when the signal is aborted while they wait", async () => {
    const controller = new AbortController();
    let requests = 0;
    const svc = createClient({
      async fetch() {
        requests += 1;
        setImmediate(() => controller.abort("stopped"));
        throw broken();
      },
    });
    await expect(svc.get("/auth/me", { signal: controller.signal })).rejects.toBe("stopped");
    expect(requests).toBe(1);
  });
});

describe("idempotency keys", () => {
  it("are new for each POST that supports them, and the same in each attempt", async () => {
    const { svc, keys } = clientFor([broken(), problem(409, "idempotency_in_progress"), ok(), ok()]);
    await svc.post("/api/v1/projects", created);
    await svc.post("/api/v1/projects", created);
    const [first, second, third, fourth] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toBe(first);
  });

  it("are not sent to operations that ignore them, nor with other methods", async () => {
    const { svc, keys } = clientFor([ok(), ok(), ok()]);
    await svc.post("/auth/logout");
    await svc.patch("/user/profile", { body: {} });
    await svc.get("/auth/me");
    expect(keys()).toEqual([undefined, undefined, undefined]);
  });

  it("can be chosen by the caller, and are in the problem", async () => {
    const { svc, keys } = clientFor([problem(422, "invalid_input")]);
    const thrown = await failure(svc.post("/api/v1/projects", { ...created, idempotencyKey: "import-7" }));
    expect([keys(), thrown.idempotencyKey]).toEqual([["import-7"], "import-7"]);
  });

  it.each([
    ["no response", broken],
    ["502", () => problem(502, "storage_unavailable")],
    ["a gateway's 504", () => new Response("", { status: 504 })],
  ])("are reused when the caller repeats a request that got %s", async (_, failed) => {
    const { svc, keys } = clientFor([failed(), ok(), ok()], { retries: 0 });
    const thrown = await failure(svc.post("/api/v1/projects", created));
    await svc.post("/api/v1/projects", created);
    await svc.post("/api/v1/projects", created);
    const [first, second, third] = keys();
    expect([thrown.idempotencyKey, second]).toEqual([first, first]);
    expect(third).not.toBe(first);
  });

  it.each([
    ["after another change", async ({ svc }: ReturnType<typeof clientFor>) => svc.delete("/user/avatar")],
    ["after two minutes", async () => vi.setSystemTime(Date.now() + 120_000)],
  ])("are new when the caller makes an equal request %s", async (_, between) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const client = clientFor([broken(), ok(), ok()], { retries: 0 });
      await failure(client.svc.post("/api/v1/projects", created));
      await between(client);
      await client.svc.post("/api/v1/projects", created);
      expect(client.keys().at(-1)).not.toBe(client.keys()[0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["another body", { body: { name: "Other" } }],
    ["another workspace", { ...created, workspaceId: "wsp_2" }],
  ])("are new for %s", async (_, other) => {
    const { svc, keys } = clientFor([broken(), ok()], { retries: 0 });
    await failure(svc.post("/api/v1/projects", created));
    await svc.post("/api/v1/projects", other);
    expect(keys()[1]).not.toBe(keys()[0]);
  });

  it("are new after a response that says that nothing was done", async () => {
    const { svc, keys } = clientFor([problem(422, "invalid_input"), ok()]);
    await failure(svc.post("/api/v1/projects", created));
    await svc.post("/api/v1/projects", created);
    expect(keys()[1]).not.toBe(keys()[0]);
  });
});

describe("lists", () => {
  const entries = (...ids: string[]) => ids.map((id) => ({ id })) as TimeEntry[];

  async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  }

  it("follow cursors, with the other parameters on each page", async () => {
    const { svc, sent } = clientFor([
      ok({ data: entries("a", "b"), meta: { nextCursor: "next/1" } }),
      ok({ data: entries("c"), meta: { nextCursor: null } }),
    ]);
    const items = await collect(svc.each("/api/v1/time-entries", { query: { tag: "x", cursor: undefined } }));
    expect(items.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(sent.map(({ url }) => url)).toEqual([
      "/api/v1/time-entries?tag=x",
      "/api/v1/time-entries?tag=x&cursor=next%2F1",
    ]);
  });

  it("follow page numbers, with the page size of the first response", async () => {
    const { svc, sent } = clientFor([
      ok({ data: [{ id: "a" }], meta: { page: 1, perPage: 1, total: 2, totalPages: 2 } }),
      ok({ data: [{ id: "b" }], meta: { page: 2, perPage: 1, total: 2, totalPages: 2 } }),
    ]);
    expect(await collect(svc.each("/api/v1/projects"))).toMatchObject([{ id: "a" }, { id: "b" }]);
    expect(sent.map(({ url }) => url)).toEqual(["/api/v1/projects", "/api/v1/projects?page=2&per_page=1"]);
  });

  it("end after one response without pages, and after an empty page", async () => {
    expect(await collect(clientFor([ok({ data: [{ id: "a" }] })]).svc.each("/api/v1/webhooks"))).toHaveLength(
      1,
    );
    const empty = ok({ data: [], meta: { page: 1, perPage: 50, total: 0, totalPages: 0 } });
    expect(await collect(clientFor([empty]).svc.each("/api/v1/projects"))).toEqual([]);
  });

  it("load no page before it is needed", async () => {
    const { svc, sent } = clientFor([ok({ data: entries("a", "b"), meta: { nextCursor: "n" } })]);
    for await (const entry of svc.each("/api/v1/time-entries")) if (entry.id === "b") break;
    expect(sent).toHaveLength(1);
  });

  it("follow the links of a file's parts, on the same path only", async () => {
    const link = '<https://evil.test/api/v1/other?format=csv&cursor=2>; rel="next"';
    const { svc, sent } = clientFor([
      new Response("id\r\na\r\n", { headers: { link } }),
      new Response("id\r\nb\r\n"),
    ]);
    const parts = await collect(
      svc.pages("/api/v1/audit-logs", { accept: "text/csv", query: { format: "csv" } }),
    );
    expect(parts).toEqual(["id\r\na\r\n", "id\r\nb\r\n"]);
    expect(sent.map(({ url, headers }) => [url, headers.accept])).toEqual([
      ["/api/v1/audit-logs?format=csv", "text/csv"],
      ["/api/v1/audit-logs?format=csv&cursor=2", "text/csv"],
    ]);
  });
});
