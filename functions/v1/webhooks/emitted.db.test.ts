import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import type { QueueMessage } from "@svc/core/platform/queue/message";
import * as Queue from "@svc/core/platform/queue/queue";
import { password } from "@svc/core/testing/people";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { type Subscriber, subscriber } from "@svc/core/testing/webhooks";
import { consume } from "@svc/core/webhook/consume";
import { sweep } from "@svc/core/webhook/sweep";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { RouteKey } from "../../routes.ts";
import { chrome, japanese, swiss } from "../../testing/browsers.ts";
import { conformsAsWebhook } from "../../testing/conforms.ts";
import { type RequestOptions, request } from "../../testing/request.ts";

let target: Receiver;
let sent: QueueMessage[];

beforeAll(async () => {
  target = await receiver();
});
afterAll(() => target.close());
beforeEach(() => {
  // Freeze the time except for Clock.advance, so that amounts of timers are exact.
  vi.useFakeTimers({ toFake: ["Date"] });
  sent = [];
  target.received.length = 0;
  Queue.connect(async (messages) => void sent.push(...messages));
});
afterEach(() => {
  vi.useRealTimers();
  Clock.reset();
  Queue.connect(undefined);
});

type Call = (route: RouteKey, ask?: RequestOptions) => Promise<Record<string, never>>;

/** Returns a function that sends requests as this user and expects each to succeed. */
const as =
  ({ token }: Subscriber): Call =>
  async (route, ask = {}) => {
    const { status, body } = await request(route, { token, ...ask });
    expect([route, status < 300, body]).toEqual([route, true, body]);
    return body;
  };

async function login(email: string, ip: string, deviceToken?: string): Promise<{ deviceToken: string }> {
  const headers = { "user-agent": chrome };
  const body = { email, password, ...(deviceToken && { deviceToken }) };
  const answer = await request("POST /auth/login", { ip, headers, body });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function projectWithTimer(call: Call): Promise<string> {
  const { id } = await call("POST /api/v1/projects", {
    body: { name: "Engine", hourlyRate: "100", budget: { type: "money", amount: "200" } },
  });
  await call("POST /api/v1/time-entries/start", { body: { projectId: id } });
  return id ?? "";
}

/** Operations, each with the events that it sends to a webhook for all event types. */
const operations: [string, (call: Call, user: Subscriber) => Promise<unknown>, object[]][] = [
  [
    "archiving a project twice",
    async (call) => {
      const path = { id: await projectWithTimer(call) };
      for (let n = 0; n < 2; n++) await call("POST /api/v1/projects/{id}/archive", { path });
      await call("POST /api/v1/projects/{id}/unarchive", { path });
    },
    [{ type: "project.archived", data: { projectName: "Engine", stoppedTimers: 1 } }],
  ],
  [
    "setting another base currency twice",
    async (call) => {
      for (let n = 0; n < 2; n++) await call("PATCH /api/v1/workspace", { body: { baseCurrency: "CHF" } });
      await call("PATCH /api/v1/workspace", { body: { name: "Office" } });
    },
    [
      {
        type: "currency.changed",
        data: { changed: "base_currency", currency: "CHF", before: "EUR", after: "CHF" },
      },
    ],
  ],
  [
    "setting an override twice and removing it",
    async (call) => {
      const path = { code: "USD" };
      const body = { rate: "1.25", reason: "Contract" };
      for (let n = 0; n < 2; n++) await call("PUT /api/v1/currencies/{code}/override", { path, body });
      await call("DELETE /api/v1/currencies/{code}/override", { path, query: { all: "true" } });
    },
    [
      {
        type: "currency.changed",
        data: { changed: "override", currency: "USD", before: [], after: [{ rate: "1.25" }] },
      },
      {
        type: "currency.changed",
        data: { changed: "override", currency: "USD", before: [{ rate: "1.25" }], after: [] },
      },
    ],
  ],
  [
    "tracking time past a budget's threshold and forecast, then one more entry",
    async (call) => {
      const path = { id: await projectWithTimer(call) };
      Clock.advance(3600 * 1.6);
      await call("POST /api/v1/time-entries/stop");
      await call("POST /api/v1/time-entries/start", { body: { projectId: path.id } });
      Clock.advance(60);
      await call("POST /api/v1/time-entries/stop");
    },
    [
      { type: "budget.forecast_warning", data: { reason: "threshold", percent: 80, spent: "160.00" } },
      { type: "budget.forecast_warning", data: { reason: "forecast", thresholdPercent: 100 } },
    ],
  ],
  [
    "signing in from another continent within an hour, twice",
    async (_call, { email }) => {
      const { deviceToken } = await login(email, swiss);
      Clock.advance(3600);
      await login(email, japanese, deviceToken);
      await login(email, japanese, deviceToken);
    },
    [
      {
        type: "security.suspicious_login",
        data: { ip: japanese, country: "JP", reasons: ["new_country", "impossible_travel"] },
      },
    ],
  ],
];

describe("webhook events", () => {
  test.each(operations)("%s delivers each documented event once", async (_name, operate, expected) => {
    const ada = await subscriber();
    const call = as(ada);
    const { secret = "" } = await call("POST /api/v1/webhooks", { body: { url: target.url, events: ["*"] } });
    await operate(call, ada);
    expect(await consume(sent.map(({ body }, n) => ({ messageId: String(n), body })))).toEqual([]);
    await sweep();
    const contents = target.received.map(({ headers, body }) => {
      const { "webhook-id": id = "", "webhook-timestamp": seconds, "webhook-signature": signature } = headers;
      // This test moves the clock, but Webhook.verify compares the timestamp with the real time. Compare signatures instead.
      const signed = new Webhook(secret).sign(id, new Date(Number(seconds) * 1000), body);
      expect([signature, JSON.parse(body).id]).toEqual([signed, id]);
      return JSON.parse(body);
    });
    for (const content of contents) conformsAsWebhook(content.type, content);
    const byTime = contents.sort((one, other) => (one.id < other.id ? -1 : 1));
    const { workspaceId } = ada.membership;
    expect(byTime).toMatchObject(expected.map((event) => ({ ...event, apiVersion: "1.4.0", workspaceId })));
  });

  test.each(["FREE", "PRO"] as const)(
    "delivers nothing on the %s plan to an endpoint left from a former ENTERPRISE plan",
    async (plan) => {
      const ada = await subscriber();
      const call = as(ada);
      await call("POST /api/v1/webhooks", { body: { url: target.url, events: ["*"] } });
      const { workspaceId } = ada.membership;
      await db().updateTable("workspaces").set({ plan }).where("id", "=", workspaceId).execute();
      await projectWithTimer(call);
      Clock.advance(3600 * 1.6);
      await call("POST /api/v1/time-entries/stop");
      const recorded = await db()
        .selectFrom("events")
        .select("action")
        .where("workspace_id", "=", workspaceId)
        .where("action", "=", "budget.forecast_warning")
        .execute();
      expect(recorded).toHaveLength(2);
      expect(sent).toEqual([]);
      await sweep();
      expect(target.received).toEqual([]);
    },
  );
});
