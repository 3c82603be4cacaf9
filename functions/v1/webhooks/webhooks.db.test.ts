import { db } from "@svc/core/platform/db/engine";
import type { QueueMessage } from "@svc/core/platform/queue/message";
import * as Queue from "@svc/core/platform/queue/queue";
import { colleague, owner } from "@svc/core/testing/people";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { emit, subscriber } from "@svc/core/testing/webhooks";
import { consume } from "@svc/core/webhook/consume";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RouteKey } from "../../routes.ts";
import { request } from "../../testing/request.ts";

let target: Receiver;
let sent: QueueMessage[];

beforeAll(async () => {
  target = await receiver();
});
afterAll(() => target.close());
beforeEach(() => {
  sent = [];
  target.received.length = 0;
  target.answer = () => 204;
  Queue.connect(async (messages) => void sent.push(...messages));
});
afterEach(() => Queue.connect(undefined));

const consumeSent = () => consume(sent.splice(0).map(({ body }, n) => ({ messageId: String(n), body })));
const webhooks = "/api/v1/webhooks";
const create = (token: string, body: object = {}) =>
  request("POST /api/v1/webhooks", { token, body: { url: target.url, events: ["*"], ...body } });
/** The status and body without the fields that differ in every response. */
const comparable = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { requestId, instance, ...rest } = body;
  return { status, ...rest };
};

describe("/api/v1/webhooks", () => {
  test("allows an admin to create, list, update, disable, enable and delete a webhook, and shows its secret once", async () => {
    const { token, membership } = await subscriber();
    const admin = await colleague({ workspaceId: membership.workspaceId, teamId: "team_none" }, "admin");
    const headers = { "X-Team": "a", "X-Api-Key": "hunter2" };
    const created = await create(admin.token, {
      events: ["project.archived", "project.archived"],
      description: " Mine ",
      headers,
    });
    expect(created.status).toBe(201);
    expect(created.headers).toMatchObject({
      location: `${webhooks}/${created.body.id}`,
      "cache-control": "no-store",
    });
    const { secret, ...view } = created.body;
    expect(secret).toMatch(/^whsec_/);
    expect(view).toMatchObject({
      url: `${target.url}/`,
      events: ["project.archived"],
      description: "Mine",
      headers: { "X-Team": "[masked]", "X-Api-Key": "[masked]" },
      enabled: true,
      disabledReason: null,
    });
    const path = { id: created.body.id };
    expect((await request("GET /api/v1/webhooks", { token })).body.data).toEqual([view]);
    expect((await request("GET /api/v1/webhooks/{id}", { token, path })).body).toEqual(view);

    const change = (body: object) => request("PATCH /api/v1/webhooks/{id}", { token, path, body });
    const off = await change({ enabled: false, events: ["*", "currency.changed"], headers: view.headers });
    expect(off.body).toMatchObject({ enabled: false, disabledReason: "manual", events: ["*"] });
    expect(off.body.disabledAt).not.toBeNull();
    expect((await change({ enabled: true })).body).toMatchObject({ enabled: true, disabledReason: null });
    // Header values that were sent back masked are unchanged.
    await request("POST /api/v1/webhooks/{id}/test", { token, path, body: {} });
    await consumeSent();
    expect(target.received[0]?.headers).toMatchObject({ "x-team": "a", "x-api-key": "hunter2" });

    expect((await request("DELETE /api/v1/webhooks/{id}", { token, path })).status).toBe(204);
    expect((await request("GET /api/v1/webhooks/{id}", { token, path })).body.code).toBe("webhook_not_found");
    const events = await db()
      .selectFrom("events")
      .select("action")
      .where("target_id", "=", created.body.id)
      .orderBy("id")
      .execute();
    expect(events.map(({ action }) => action)).toEqual([
      "webhook.created",
      "webhook.updated",
      "webhook.updated",
      "webhook.test_sent",
      "webhook.deleted",
    ]);
  });

  test.each([{}, { "if-match": "*" }])(
    "deletes a webhook whose stored headers cannot be decrypted, with the headers %j",
    async (headers: Record<string, string>) => {
      const { token } = await subscriber();
      const path = { id: (await create(token)).body.id };
      await db()
        .updateTable("webhook_endpoints")
        .set({ headers: "unreadable" })
        .where("id", "=", path.id)
        .execute();
      const deleted = await request("DELETE /api/v1/webhooks/{id}", { token, path, headers });
      expect(deleted.status).toBe(204);
    },
  );

  test("returns 409 webhook_limit_reached beyond 20 webhooks, also for concurrent calls", async () => {
    const { token } = await subscriber();
    const answers = await Promise.all(Array.from({ length: 23 }, () => create(token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("webhook_limit_reached");
    const { data } = (await request("GET /api/v1/webhooks", { token })).body;
    await request("DELETE /api/v1/webhooks/{id}", { token, path: { id: data[7].id } });
    expect((await create(token)).status).toBe(201);
  });

  test.each([
    "http://hooks.example.com/",
    "https://user:word@8.8.8.8/",
    "https://8.8.8.8:8443/",
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://169.254.169.254/latest/meta-data",
    "ftp://8.8.8.8/",
  ])("returns 422 url_not_allowed for %s when creating and updating", async (url) => {
    const { token } = await subscriber();
    const answer = await create(token, { url });
    expect([answer.status, answer.body.code]).toEqual([422, "url_not_allowed"]);
    expect(answer.body.errors).toMatchObject([{ pointer: "/url", code: "url_not_allowed" }]);
    const path = { id: (await create(token)).body.id };
    const changed = await request("PATCH /api/v1/webhooks/{id}", { token, path, body: { url } });
    expect([changed.status, changed.body.code]).toEqual([422, "url_not_allowed"]);
  });

  test.each([
    [{ url: "not a url" }, "/url"],
    [{ url: 7 }, "/url"],
    [{ events: [] }, "/events"],
    [{ events: ["user.avatar_changed"] }, "/events/0"],
    [{ events: "*" }, "/events"],
    [{ description: "x".repeat(501) }, "/description"],
    [{ headers: { "webhook-signature": "v1,x" } }, "/headers/webhook-signature"],
    [{ headers: { Host: "evil.test" } }, "/headers/Host"],
    [{ headers: { "Transfer-Encoding": "chunked" } }, "/headers/Transfer-Encoding"],
    [{ headers: { Connection: "close" } }, "/headers/Connection"],
    [{ headers: { "Content-Length": "1" } }, "/headers/Content-Length"],
    [{ headers: { "a b": "x" } }, "/headers/a b"],
    [{ headers: { "x-a": "one\r\nx-b: two" } }, "/headers/x-a"],
    [{ headers: { "x-a": "[masked]" } }, "/headers/x-a"],
  ])("returns 422 for %j with the pointer %s", async (body, pointer) => {
    const { token } = await subscriber();
    const answer = await create(token, body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
  });

  test("changes, adds, keeps and removes single headers", async () => {
    const { token } = await subscriber();
    const headers = { "X-A": "1", "X-B": "2", "X-C": "3" };
    const path = { id: (await create(token, { headers })).body.id };
    const change = (changes: object) =>
      request("PATCH /api/v1/webhooks/{id}", { token, path, body: { headers: changes } });
    const changed = await change({ "x-a": "4", "X-B": null, "X-D": "5" });
    expect(changed.body).toMatchObject({ droppedHeaders: [] });
    expect(changed.body.headers).toEqual({ "x-a": "[masked]", "X-C": "[masked]", "X-D": "[masked]" });
    await request("POST /api/v1/webhooks/{id}/test", { token, path, body: {} });
    await consumeSent();
    expect(target.received[0]?.headers).toMatchObject({ "x-a": "4", "x-c": "3", "x-d": "5" });
    expect(target.received[0]?.headers).not.toHaveProperty("x-b");
    const unknown = await change({ "X-E": "[masked]" });
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, "/headers/X-E"]);
  });

  test("explains why a reserved header name is rejected", async () => {
    const { token } = await subscriber();
    const { body } = await create(token, { headers: { Host: "evil.test" } });
    expect(body.errors).toMatchObject([{ pointer: "/headers/Host", detail: "This header cannot be set." }]);
  });

  test("shows a rotated secret once, with Cache-Control: no-store", async () => {
    const { token } = await subscriber();
    const created = await create(token);
    const path = { id: created.body.id };
    const rotated = await request("POST /api/v1/webhooks/{id}/rotate-secret", { token, path });
    expect([rotated.status, rotated.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(created.body.secret);
    const shown = await request("GET /api/v1/webhooks/{id}", { token, path });
    expect(shown.body.previousSecretUntil).not.toBeNull();
    expect(JSON.stringify(shown.body)).not.toContain("whsec_");
  });

  test("lists the event types", async () => {
    const { token } = await subscriber();
    const { body } = await request("GET /api/v1/webhooks/events", { token });
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
      "project.archived",
      "currency.changed",
      "budget.forecast_warning",
      "security.suspicious_login",
    ]);
  });
});

describe("/api/v1/webhooks/{id}/deliveries, test and recover", () => {
  test("sends a marked and signed test event and logs its request and response", async () => {
    const { token } = await subscriber();
    const { id, secret } = (await create(token, { events: ["currency.changed"] })).body;
    target.answer = () => (response) => response.writeHead(200, { "x-answer": "a" }).end("fine");
    const response = await request("POST /api/v1/webhooks/{id}/test", { token, path: { id }, body: {} });
    expect(response).toMatchObject({ status: 202, body: { type: "currency.changed", status: "pending" } });
    await consumeSent();
    const [received] = target.received;
    if (!received) throw new Error("nothing received");
    const content = new Webhook(secret).verify(received.body, received.headers);
    expect(content).toMatchObject({ test: true, type: "currency.changed", id: response.body.eventId });
    const path = { id, deliveryId: response.body.id };
    const one = await request("GET /api/v1/webhooks/{id}/deliveries/{deliveryId}", { token, path });
    expect(one.body).toMatchObject({
      status: "delivered",
      attemptCount: 1,
      nextAttemptAt: null,
      requestBody: received.body,
      attempts: [{ number: 1, responseStatus: 200, responseBody: "fine", error: null }],
    });
    expect(one.body.attempts[0].requestHeaders["webhook-signature"]).toBe("v1,[masked]");
    const again = await request("POST /api/v1/webhooks/{id}/test", {
      token,
      path: { id },
      body: { event: "security.suspicious_login" },
    });
    expect(again.body.type).toBe("security.suspicious_login");
    const wrong = await request("POST /api/v1/webhooks/{id}/test", {
      token,
      path: { id },
      body: { event: "user.avatar_changed" },
    });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, "/event"]);
  });

  test("lists deliveries newest first, page by page", async () => {
    const ada = await subscriber();
    const { id } = (await create(ada.token)).body;
    for (let n = 0; n < 5; n++) await emit(ada);
    const page = (query: Record<string, string>) =>
      request("GET /api/v1/webhooks/{id}/deliveries", { token: ada.token, path: { id }, query });
    const first = (await page({ limit: "2" })).body;
    const second = (await page({ limit: "2", cursor: first.meta.nextCursor })).body;
    const third = (await page({ limit: "2", cursor: second.meta.nextCursor })).body;
    expect(third.meta.nextCursor).toBeNull();
    const ids = [...first.data, ...second.data, ...third.data].map((row: { id: string }) => row.id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...ids].sort().reverse());
    expect((await page({})).body).toMatchObject({ data: { length: 5 }, meta: { nextCursor: null } });
    for (const query of [{ limit: "201" }, { limit: "0" }, { cursor: "a b" }])
      expect((await page(query)).status).toBe(422);
  });

  test("retries and recovers deliveries, and returns 409 webhook_disabled for a disabled webhook", async () => {
    const ada = await subscriber();
    const { token } = ada;
    const { id } = (await create(token)).body;
    target.answer = () => 410;
    const since = new Date().toISOString();
    await emit(ada);
    await consumeSent();
    const list = await request("GET /api/v1/webhooks/{id}/deliveries", { token, path: { id } });
    const path = { id, deliveryId: list.body.data[0].id };
    const retry = () => request("POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", { token, path });
    const recover = (body: object) => request("POST /api/v1/webhooks/{id}/recover", { token, path, body });
    const tested = () => request("POST /api/v1/webhooks/{id}/test", { token, path, body: {} });
    for (const refused of [await retry(), await recover({ since }), await tested()])
      expect([refused.status, refused.body.code]).toEqual([409, "webhook_disabled"]);
    await request("PATCH /api/v1/webhooks/{id}", { token, path, body: { enabled: true } });
    target.answer = () => 200;
    expect(await retry()).toMatchObject({ status: 202, body: { id: path.deliveryId, status: "pending" } });
    await consumeSent();
    expect(target.received).toHaveLength(2);
    expect(await recover({ since })).toMatchObject({ status: 202, body: { recovered: 0 } });
    for (const body of [{}, { since: "yesterday" }]) expect((await recover(body)).status).toBe(422);
  });

  test("limits test events to ten a minute per workspace", async () => {
    const { token } = await subscriber();
    const { id } = (await create(token)).body;
    const ask = () => request("POST /api/v1/webhooks/{id}/test", { token, path: { id }, body: {} });
    // Send more than twice the limit, because a new minute may begin in between.
    const answers = [];
    for (let n = 0; n < 21; n++) answers.push(await ask());
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe("rate_limited");
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    expect(answers.slice(0, 10).every(({ status }) => status === 202)).toBe(true);
  });

  test("sends a test event once per Idempotency-Key", async () => {
    const { token } = await subscriber();
    const path = { id: (await create(token)).body.id };
    const headers = { "idempotency-key": "same" };
    const ask = () => request("POST /api/v1/webhooks/{id}/test", { token, headers, path, body: {} });
    expect((await ask()).body.id).toBe((await ask()).body.id);
  });

  test("ignores an Idempotency-Key when creating a webhook, so that its secret is not stored", async () => {
    const { token } = await subscriber();
    const headers = { "idempotency-key": "same" };
    const body = { url: target.url, events: ["*"] };
    const first = await request("POST /api/v1/webhooks", { token, headers, body });
    const second = await request("POST /api/v1/webhooks", { token, headers, body });
    expect(first.body.id).not.toBe(second.body.id);
    const stored = await db().selectFrom("idempotent_calls").select("result").execute();
    expect(JSON.stringify(stored)).not.toContain("whsec_");
  });
});

describe("access to webhook routes", () => {
  const calls: [RouteKey, object][] = [
    ["GET /api/v1/webhooks/{id}", {}],
    ["PATCH /api/v1/webhooks/{id}", { body: { description: "mine" } }],
    ["DELETE /api/v1/webhooks/{id}", {}],
    ["POST /api/v1/webhooks/{id}/rotate-secret", {}],
    ["POST /api/v1/webhooks/{id}/test", { body: {} }],
    ["POST /api/v1/webhooks/{id}/recover", { body: { since: "2026-01-01T00:00:00Z" } }],
    ["GET /api/v1/webhooks/{id}/deliveries", {}],
    ["GET /api/v1/webhooks/{id}/deliveries/{deliveryId}", {}],
    ["POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", {}],
  ];

  test.each(calls)(
    "%s returns the same 404 for a webhook of another workspace and for an unknown one",
    async (route, ask) => {
      const [ada, eve] = [await subscriber(), await subscriber()];
      const { id } = (await create(ada.token)).body;
      await emit(ada);
      const list = await request("GET /api/v1/webhooks/{id}/deliveries", { token: ada.token, path: { id } });
      const path = { id, deliveryId: list.body.data[0].id };
      const existing = await request(route, { ...ask, token: eve.token, path });
      const unknown = await request(route, {
        ...ask,
        token: eve.token,
        path: { id: "whk_nothing", deliveryId: "whd_nothing" },
      });
      expect(existing.status).toBe(404);
      expect(comparable(existing)).toEqual(comparable(unknown));
    },
  );

  test("returns delivery_not_found for a delivery of another webhook of the same workspace", async () => {
    const ada = await subscriber();
    const { id } = (await create(ada.token)).body;
    await emit(ada);
    const list = await request("GET /api/v1/webhooks/{id}/deliveries", { token: ada.token, path: { id } });
    const other = (await create(ada.token)).body.id;
    const path = { id: other, deliveryId: list.body.data[0].id };
    for (const route of [
      "GET /api/v1/webhooks/{id}/deliveries/{deliveryId}",
      "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry",
    ] as const)
      expect((await request(route, { token: ada.token, path })).body.code).toBe("delivery_not_found");
  });

  test.each([
    ["GET /api/v1/webhooks", {}],
    ["POST /api/v1/webhooks", {}],
    ["GET /api/v1/webhooks/events", {}],
    ...calls,
  ] as [RouteKey, object][])("%s requires the ENTERPRISE plan, then the admin role", async (route, ask) => {
    const [pro, ada] = [await owner("Bob", "PRO"), await subscriber()];
    const manager = await colleague(
      { workspaceId: ada.membership.workspaceId, teamId: "team_none" },
      "manager",
    );
    const path = { id: "whk_nothing", deliveryId: "whd_nothing" };
    const plan = await request(route, { ...ask, token: pro.token, path });
    expect(plan).toMatchObject({
      status: 403,
      body: { code: "plan_upgrade_required", requiredPlan: "ENTERPRISE" },
    });
    const role = await request(route, { ...ask, token: manager.token, path });
    expect([role.status, role.body.code]).toEqual([403, "insufficient_role"]);
    expect((await request(route, { ...ask, path })).status).toBe(401);
  });
});
