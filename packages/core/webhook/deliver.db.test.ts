import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as Clock from "../base/clock.ts";
import { catalog, payload, webhookEventTypes } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import type { QueueMessage } from "../platform/queue/message.ts";
import * as Queue from "../platform/queue/queue.ts";
import { unlimited } from "../testing/dsql.ts";
import { colleague } from "../testing/people.ts";
import { type Receiver, receiver } from "../testing/receiver.ts";
import { deliveries, emit, endpoint, subscriber } from "../testing/webhooks.ts";
import { internet } from "./call.ts";
import { consume } from "./consume.ts";
import {
  attempt,
  claim,
  leaseSeconds,
  perEndpoint,
  placeSeconds,
  recordFailure,
  recordSuccess,
  unfinished,
} from "./deliver.ts";
import * as Delivery from "./delivery.ts";
import { claimMs } from "./drain.ts";
import * as Endpoint from "./endpoint.ts";
import { sendNotices } from "./notice.ts";
import { sweep } from "./sweep.ts";

let at: Receiver;
/** Messages sent to the queue and not yet consumed. */
let sent: QueueMessage[];

beforeAll(async () => {
  at = await receiver();
});
afterAll(() => at.close());
beforeEach(() => {
  sent = [];
  at.received.length = 0;
  at.answer = () => 204;
  Queue.connect(async (messages) => void sent.push(...messages));
  // The verification libraries read Date directly, so the fake clock has to replace it.
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  Clock.reset();
  Queue.connect(undefined);
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
/** Retry delays without jitter. */
const noJitter = { random: () => 0.5 };

/** Consumes every queued message that is not delayed, as the queue's consumer would. */
async function consumeQueue(options: object = noJitter): Promise<string[]> {
  const ready = sent.splice(0).filter(({ delaySeconds = 0 }) => delaySeconds === 0);
  return consume(
    ready.map(({ body }, index) => ({ messageId: String(index), body })),
    options,
  );
}

/** Verifies a request with the libraries of Svix and Standard Webhooks. Returns its payload. */
function verify(secret: string, { headers, body } = at.received.at(-1) ?? { headers: {}, body: "" }) {
  new Svix(secret).verify(body, headers);
  return new Webhook(secret).verify(body, headers);
}

describe("webhook events", () => {
  test.each(webhookEventTypes)(
    "deliver %s once to each subscribed endpoint, signed and in the documented shape",
    async (type) => {
      const ada = await subscriber();
      const all = await endpoint(ada, `${at.url}/all`);
      const own = await endpoint(ada, `${at.url}/own`, [type]);
      const others = webhookEventTypes.filter((other) => other !== type);
      await endpoint(ada, `${at.url}/other`, others);
      await emit(ada, type);
      await consumeQueue();
      await sweep();
      expect(at.received.map(({ path }) => path).sort()).toEqual(["/all", "/own"]);
      for (const request of at.received) {
        const content = verify(request.path === "/all" ? all.secret : own.secret, request);
        expect(payload(type).parse(content)).toEqual(content);
        expect(content).toMatchObject({
          type,
          apiVersion: "1.4.0",
          workspaceId: ada.membership.workspaceId,
          data: catalog[type].example,
        });
        expect(request.headers).toMatchObject({ "content-type": "application/json" });
        expect(request.headers["webhook-id"]).toBe((content as { id: string }).id);
      }
      expect(at.received[0]?.headers["webhook-id"]).toBe(at.received[1]?.headers["webhook-id"]);
    },
  );

  test("are not delivered for other workspaces, FREE and PRO plans, or avatar events", async () => {
    const ada = await subscriber();
    await endpoint(ada, at.url);
    await emit(await subscriber());
    for (const plan of ["FREE", "PRO"] as const) {
      const small = await subscriber(plan);
      await endpoint(small, at.url);
      await emit(small);
    }
    const target = { type: "user", id: ada.actor.userId, name: "Ada" } as const;
    for (const action of ["user.avatar_changed", "user.avatar_removed"] as const)
      await transaction((tx) =>
        Event.record(tx, ada.actor, {
          action,
          target,
          workspaceId: ada.membership.workspaceId,
        }),
      );
    expect(sent).toEqual([]);
    await sweep();
    expect(at.received).toEqual([]);
  });

  test("are not delivered when their transaction rolls back", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    const rolledBack = transaction(async (tx) => {
      const target = { type: "workspace", id: ada.membership.workspaceId, name: "Home" } as const;
      const recorded = {
        action: "project.archived",
        target,
        workspaceId: ada.membership.workspaceId,
      } as const;
      await Event.publish(tx, ada.actor, { ...recorded, data: catalog["project.archived"].example });
      throw new Error("half-way");
    });
    await expect(rolledBack).rejects.toThrow("half-way");
    expect([sent, await deliveries(ada, id)]).toEqual([[], []]);
  });

  test("are no longer delivered after the workspace leaves ENTERPRISE or the endpoint is deleted", async () => {
    const [ada, bob] = [await subscriber(), await subscriber()];
    const [first, second] = [await endpoint(ada, at.url), await endpoint(bob, at.url)];
    await emit(ada);
    await emit(bob);
    await db()
      .updateTable("workspaces")
      .set({ plan: "PRO" })
      .where("id", "=", ada.membership.workspaceId)
      .execute();
    await Endpoint.remove(bob.actor, bob.membership, second.id);
    await consumeQueue();
    expect(at.received).toEqual([]);
    expect(await deliveries(ada, first.id)).toMatchObject([{ status: "failed", attempts: [] }]);
  });
});

describe("delivery attempts", () => {
  test("are retried after 30 s, 4 min and 32 min with the same id and new timestamps, and are all logged", async () => {
    const ada = await subscriber();
    const { id, secret } = await endpoint(ada, at.url);
    at.answer = () => (response) => response.writeHead(500, { "x-why": "broken" }).end("no");
    const started = Date.now();
    await emit(ada);
    await consumeQueue();
    const delays = [];
    for (const seconds of [30, 240, 1920]) {
      delays.push(...sent.splice(0).map(({ delaySeconds }) => delaySeconds));
      later(seconds - 1);
      await sweep(40_000, noJitter);
      expect((await deliveries(ada, id))[0]?.status).toBe("pending");
      later(1);
      await sweep(40_000, noJitter);
    }
    // The last delay exceeds the queue's maximum, so no message is sent and the sweep finds the delivery.
    expect(delays).toEqual([30, 240]);
    const [delivery] = await deliveries(ada, id);
    expect(delivery).toMatchObject({ status: "failed", attemptCount: 4, nextAttemptAt: null });
    expect(delivery?.completedAt).not.toBeNull();
    expect(delivery?.attempts).toHaveLength(4);
    const offsets = delivery?.attempts.map((attempt) =>
      Math.round((Date.parse(attempt.at) - started) / 1000),
    );
    expect(offsets).toEqual([0, 30, 270, 2190]);
    for (const attempt of delivery?.attempts ?? [])
      expect(attempt).toMatchObject({
        responseStatus: 500,
        responseBody: "no",
        responseHeaders: { "x-why": "broken" },
        error: "The endpoint returned 500. Only 2xx counts as success.",
        requestHeaders: { "webhook-id": delivery?.eventId, "webhook-signature": "v1,[masked]" },
      });
    const ids = at.received.map(({ headers }) => headers["webhook-id"]);
    const times = at.received.map(({ headers }) => headers["webhook-timestamp"]);
    expect([new Set(ids).size, new Set(times).size]).toEqual([1, 4]);
    expect(new Set(at.received.map(({ body }) => body)).size).toBe(1);
    verify(secret);
    later(86_400);
    await sweep();
    expect(at.received).toHaveLength(4);
  });

  test("honor Retry-After, up to an hour", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    at.answer = () => (response) => response.writeHead(503, { "retry-after": "90000" }).end();
    await emit(ada);
    await consumeQueue();
    const [delivery] = await deliveries(ada, id);
    expect(Date.parse(delivery?.nextAttemptAt ?? "") - Date.now()).toBe(3_600_000);
    at.answer = () => 200;
    later(3600);
    await sweep();
    expect(await deliveries(ada, id)).toMatchObject([
      { status: "delivered", attemptCount: 2, nextAttemptAt: null },
    ]);
  });

  test("carry the custom headers, which cannot override system headers and are masked in the log", async () => {
    const ada = await subscriber();
    const { id, secret } = await endpoint(ada, at.url, ["*"], { "X-Team": "a", Authorization: "Bearer abc" });
    // Stored as if the endpoint had been registered before the name was reserved.
    const sealed = (await import("../platform/crypto/sealed.ts")).seal(
      JSON.stringify({ "X-Team": "a", Authorization: "Bearer abc", "Webhook-Signature": "v1,forged" }),
      `webhook_endpoints.headers:${id}`,
    );
    await db().updateTable("webhook_endpoints").set({ headers: sealed }).where("id", "=", id).execute();
    await emit(ada);
    await consumeQueue();
    verify(secret);
    expect(at.received[0]?.headers).toMatchObject({ "x-team": "a", authorization: "Bearer abc" });
    const [delivery] = await deliveries(ada, id);
    const logged = { "x-team": "[masked]", authorization: "[masked]" };
    expect(delivery?.attempts[0]?.requestHeaders).toMatchObject(logged);
    const stored = await db()
      .selectFrom("webhook_attempts")
      .select("request_headers")
      .where("delivery_id", "=", delivery?.id ?? "")
      .executeTakeFirst();
    expect(stored?.request_headers).toMatchObject(logged);
  });

  test("fail with a logged reason when the URL is not allowed or resolves to a non-public IP address on connection", async () => {
    const ada = await subscriber();
    const registered = (url: string) =>
      Endpoint.register(
        ada.actor,
        ada.membership,
        { url, events: ["*"], description: "", headers: {} },
        new Date(),
      );
    const resolve = async () => [{ address: "10.0.0.7", family: 4 }];
    const table = {
      "https://rebinding.test/": "rebinding.test (10.0.0.7) is not a public IP address (private).",
      "https://169.254.169.254/latest/": "169.254.169.254 is not a public IP address (link-local).",
      "https://0x7f.1/": "127.0.0.1 is not a public IP address (loopback).",
      "https://[::ffff:10.0.0.1]/": "::ffff:a00:1 is not a public IP address (IPv4 embedded in IPv6).",
      "https://8.8.8.8:8443/": "URL must use port 443.",
      "http://8.8.8.8/": "URL must use https.",
      "https://localhost./": "localhost. is not a public host name such as example.com.",
      "https://user:word@8.8.8.8/": "URL must not contain a username or password.",
    };
    for (const [url, error] of Object.entries(table)) {
      const { id } = await registered(url);
      await emit(ada);
      await consumeQueue({ network: { ...internet, resolve } });
      expect(await deliveries(ada, id)).toMatchObject([
        { status: "pending", attempts: [{ error, responseStatus: null, responseBody: null }] },
      ]);
      await Endpoint.remove(ada.actor, ada.membership, id);
    }
  });

  test("disable the endpoint at once and schedule a notice after a 410", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    at.answer = () => 410;
    await emit(ada);
    await emit(ada);
    await consumeQueue();
    expect(await Endpoint.get(ada.membership, id)).toMatchObject({ enabled: false, disabledReason: "gone" });
    const { notice_due_at } = await Endpoint.fromId(db(), ada.membership, id);
    expect(notice_due_at).toEqual(new Date());
    expect((await deliveries(ada, id)).map(({ status }) => status)).toEqual(["failed", "failed"]);
    await emit(ada);
    expect(await deliveries(ada, id)).toHaveLength(2);
  });

  test("count a late success even if a later attempt has begun, but not a late failure", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    await emit(ada);
    const [slow] = (await claim(id)).attempts;
    expect(await claim(id)).toEqual({ attempts: [], more: false, full: false });
    later(leaseSeconds + 1);
    const [second] = (await claim(id)).attempts;
    if (!slow || !second) throw new Error("not prepared");
    const outcome = { durationMs: 1, status: 500, headers: {}, body: "", error: "no" };
    await recordFailure(slow, outcome);
    expect(await deliveries(ada, id)).toMatchObject([{ status: "pending", attemptCount: 2 }]);
    await recordSuccess(slow, { ...outcome, status: 200, error: null });
    expect(await deliveries(ada, id)).toMatchObject([{ status: "delivered", nextAttemptAt: null }]);
    await recordFailure(second, outcome);
    expect(await deliveries(ada, id)).toMatchObject([
      { status: "delivered", attempts: [{ error: null }, { error: "no" }] },
    ]);
  });

  test("stay in the log when a crash interrupts them, and are made again after the lease without using up a retry", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    await emit(ada);
    await claim(id);
    expect(await sweep()).toEqual({ attempted: 0, failedHere: 0 });
    later(leaseSeconds);
    expect(await sweep()).toEqual({ attempted: 1, failedHere: 0 });
    expect(await deliveries(ada, id)).toMatchObject([
      {
        status: "delivered",
        attemptCount: 2,
        attempts: [{ error: unfinished, durationMs: null }, { error: null }],
      },
    ]);
  });
});

describe("claim", () => {
  test("takes the oldest due deliveries, at most as many as the endpoint has free places", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    for (let n = 0; n < perEndpoint + 3; n++) {
      await emit(ada);
      later(1);
    }
    const all = await deliveries(ada, id);
    const first = await claim(id);
    expect(first).toMatchObject({ more: true, full: true });
    expect(first.attempts.map(({ deliveryId }) => deliveryId)).toEqual(
      all.slice(0, perEndpoint).map((delivery) => delivery.id),
    );
    expect(await claim(id)).toEqual({ attempts: [], more: true, full: true });
    const [oldest, next] = first.attempts;
    if (!oldest || !next) throw new Error("nothing claimed");
    await attempt(oldest);
    at.answer = () => 500;
    await attempt(next);
    const second = await claim(id);
    expect(second.attempts.map(({ deliveryId }) => deliveryId)).toEqual([
      all[perEndpoint]?.id,
      all[perEndpoint + 1]?.id,
    ]);
    expect(second).toMatchObject({ more: true, full: true });
  });

  // Only PostgreSQL runs the claims at the same time.
  test("gives concurrent claims together no more places than the endpoint has, and no delivery twice", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    for (let n = 0; n < perEndpoint + 5; n++) await emit(ada);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(id)));
    const claimed = claims.flatMap(({ attempts }) => attempts);
    expect(claimed).toHaveLength(perEndpoint);
    expect(new Set(claimed.map(({ deliveryId }) => deliveryId)).size).toBe(perEndpoint);
    await Promise.all(claimed.slice(0, 3).map((prepared) => attempt(prepared)));
    const next = await Promise.all(Array.from({ length: 8 }, () => claim(id)));
    expect(next.flatMap(({ attempts }) => attempts)).toHaveLength(3);
  });

  test("gives the places of a crashed process to others before its leases end", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    for (let n = 0; n < perEndpoint + 1; n++) await emit(ada);
    expect((await claim(id)).attempts).toHaveLength(perEndpoint);
    later(placeSeconds - 1);
    expect((await claim(id)).attempts).toHaveLength(0);
    later(1);
    expect(await claim(id)).toMatchObject({ attempts: [{ number: 1 }], more: false });
    later(leaseSeconds - placeSeconds);
    expect((await claim(id)).attempts.map(({ number }) => number)).toEqual(Array(perEndpoint).fill(2));
  });

  test("keeps the time for which an attempt was planned as `nextAttemptAt` until it has a result", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    const planned = new Date().toISOString();
    await emit(ada);
    later(5);
    const shown = async () => (await deliveries(ada, id))[0]?.nextAttemptAt;
    await claim(id);
    expect(await shown()).toBe(planned);
    later(leaseSeconds);
    const [second] = (await claim(id)).attempts;
    expect([second?.number, await shown()]).toEqual([2, planned]);
    if (!second) throw new Error("not claimed");
    at.answer = () => 500;
    await attempt(second, noJitter);
    expect(await shown()).toBe(new Date(Date.now() + 30_000).toISOString());
  });
});

describe("webhook secrets", () => {
  test("both sign for 24 hours after a rotation, then only the new one", async () => {
    const ada = await subscriber();
    const { id, secret: old } = await endpoint(ada, at.url);
    const { secret: fresh, previousSecretUntil } = await Endpoint.rotateSecret(ada.actor, ada.membership, id);
    expect(Date.parse(previousSecretUntil ?? "") - Date.now()).toBe(86_400_000);
    await emit(ada);
    await consumeQueue();
    verify(old);
    verify(fresh);
    later(86_400);
    await emit(ada);
    await consumeQueue();
    verify(fresh);
    expect(() => verify(old)).toThrow();
    expect((await Endpoint.get(ada.membership, id)).previousSecretUntil).toBeNull();
  });

  test("appear in no database row and no log line in plain text", async () => {
    const lines: string[] = [];
    const write = (line: string | Uint8Array) => lines.push(String(line)) > 0;
    const spies = [process.stdout, process.stderr].map((to) =>
      vi.spyOn(to, "write").mockImplementation(write),
    );
    log.setLogLevel("DEBUG");
    const ada = await subscriber();
    const { id, secret } = await endpoint(ada, at.url, ["*"], { Authorization: "Bearer hunter2" });
    const rotated = await Endpoint.rotateSecret(ada.actor, ada.membership, id);
    at.answer = () => 500;
    await emit(ada);
    await consumeQueue();
    Queue.connect(() => Promise.reject(new Error("the queue is down")));
    await emit(ada);
    const unreadable = { messageId: "m", body: JSON.stringify({ secret, rotated }) };
    expect(await consume([unreadable])).toEqual(["m"]);
    log.setLogLevel("SILENT");
    for (const spy of spies) spy.mockRestore();
    expect(lines.join("")).toMatch(/after-commit hook failed.*delivery not attempted/s);
    const written = [...lines, JSON.stringify(await Endpoint.get(ada.membership, id))];
    for (const table of ["events", "webhook_endpoints", "webhook_deliveries", "webhook_attempts"]) {
      const { rows } = await sql<{ text: string }>`SELECT t::text AS text FROM ${sql.table(table)} t`.execute(
        db(),
      );
      expect(rows.length).toBeGreaterThan(0);
      written.push(...rows.map(({ text }) => text));
    }
    for (const text of written)
      for (const hidden of [secret, rotated.secret, "hunter2"]) {
        expect(text).not.toContain(hidden);
        expect(text).not.toContain(hidden.replace("whsec_", ""));
      }
  });
});

describe("a failing endpoint", () => {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      stream.resume();
      stream.on("end", () => {
        mails.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  const before = process.env.SMTP_URL;
  beforeAll(async () => {
    await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    process.env.SMTP_URL = before;
    await new Promise<void>((resolve) => smtp.close(resolve));
  });

  test("is disabled after 20 failed deliveries in a row, its admins get one email, and it can be enabled again", async () => {
    const ada = await subscriber();
    await db().updateTable("webhook_endpoints").set({ notice_due_at: null }).execute();
    const home = { workspaceId: ada.membership.workspaceId, teamId: "team_none" };
    const admin = await colleague(home, "admin");
    await colleague(home, "manager");
    const { id } = await endpoint(ada, at.url);
    at.answer = () => 500;
    const failOne = async () => {
      await emit(ada);
      await consumeQueue();
      for (const seconds of [30, 240, 1920]) {
        later(seconds);
        await sweep(40_000, noJitter);
      }
    };
    for (let n = 1; n < Endpoint.failuresUntilDisabled; n++) await failOne();
    at.answer = () => 200;
    await emit(ada);
    await consumeQueue();
    at.answer = () => 500;
    for (let n = 1; n < Endpoint.failuresUntilDisabled; n++) await failOne();
    expect(await Endpoint.get(ada.membership, id)).toMatchObject({ enabled: true });
    expect(await sendNotices()).toBe(0);
    await failOne();
    expect(await Endpoint.get(ada.membership, id)).toMatchObject({
      enabled: false,
      disabledReason: "failing",
    });
    const events = await db()
      .selectFrom("events")
      .select(["actor_type", "changes"])
      .where("target_id", "=", id)
      .where("action", "=", "webhook.disabled")
      .execute();
    expect(events).toMatchObject([
      { actor_type: "job", changes: { disabledReason: { before: null, after: "failing" } } },
    ]);

    // While the mail server is down, the notice stays due.
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    expect([await sendNotices(), mails]).toEqual([1, []]);
    process.env.SMTP_URL = `smtp://127.0.0.1:${(smtp.server.address() as { port: number }).port}`;
    expect(await sendNotices()).toBe(0);
    later(300);
    expect(await sendNotices()).toBe(1);
    expect(mails.sort()).toEqual([ada.email, admin.email].sort());
    later(300);
    expect(await sendNotices()).toBe(0);

    at.answer = () => 200;
    const enabled = await Endpoint.update(ada.actor, ada.membership, id, { enabled: true });
    expect(enabled).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null });
    await emit(ada);
    await consumeQueue();
    expect((await deliveries(ada, id)).at(-1)).toMatchObject({ status: "delivered" });
  });
});

describe("recover", () => {
  test("sends only the events since `since` that were not received, with their original ids", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url, ["project.archived"]);
    await emit(ada);
    later(10);
    const since = new Date().toISOString();
    await emit(ada);
    await consumeQueue();
    later(1);
    at.answer = () => 410;
    await emit(ada);
    await consumeQueue();
    later(1);
    await emit(ada);
    await emit(ada, "currency.changed");
    await Endpoint.update(ada.actor, ada.membership, id, { enabled: true });
    at.answer = () => 200;
    at.received.length = 0;
    expect(await Delivery.recover(ada.actor, ada.membership, id, { since })).toEqual({ recovered: 2 });
    await consumeQueue();
    expect(at.received.map(({ body }) => JSON.parse(body).type)).toEqual([
      "project.archived",
      "project.archived",
    ]);
    const { rows } = await sql<{
      id: string;
    }>`SELECT id FROM events WHERE workspace_id = ${ada.membership.workspaceId}
      AND action = 'project.archived' ORDER BY id DESC LIMIT 2`.execute(db());
    expect(at.received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual(
      rows.map((row) => row.id).sort(),
    );
    expect(await Delivery.recover(ada.actor, ada.membership, id, { since })).toEqual({ recovered: 0 });
  });

  test("adds `forecastDate` to budget warnings that were recorded without it", async () => {
    const ada = await subscriber();
    const { forecastDate: _, ...old } = catalog["budget.forecast_warning"].example;
    await emit(ada, "budget.forecast_warning");
    await sql`UPDATE events SET data = ${JSON.stringify({ ...old, forecastAt: "2026-02-20T23:30:00.000Z" })}
      WHERE workspace_id = ${ada.membership.workspaceId} AND action = 'budget.forecast_warning'`.execute(
      db(),
    );
    const { id } = await endpoint(ada, at.url);
    const membership = { ...ada.membership, timezone: "Europe/Zurich" };
    await Delivery.recover(ada.actor, membership, id, { since: new Date(0).toISOString() });
    await consumeQueue();
    expect(JSON.parse(at.received[0]?.body ?? "{}").data).toMatchObject({
      forecastDate: "2026-02-21",
      forecastAt: "2026-02-20T23:30:00.000Z",
    });
  });

  test("handles more events than one transaction can write", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    const insert = sql`INSERT INTO events (id, workspace_id, action, at, actor_type, target_type, target_id, target_name,
        request_id, outcome, changes, data)
      SELECT 'evt_' || lpad(to_hex(${Date.now()}::bigint), 12, '0') || lpad(n::text, 20, '0'), ${ada.membership.workspaceId},
        'project.archived', ${new Date()}::timestamptz, 'user', 'project', 'p', 'p', 'r', 'success', '{}', '{"n":1}'
      FROM generate_series(1, 1203) n`;
    await unlimited(() => insert.execute(db()));
    const since = new Date(Date.now() - 1000).toISOString();
    expect(await Delivery.recover(ada.actor, ada.membership, id, { since })).toEqual({ recovered: 1203 });
    // One message for each transaction: a message wakes the endpoint, not a single delivery.
    expect(sent).toHaveLength(3);
    await db().deleteFrom("webhook_deliveries").where("endpoint_id", "=", id).execute();
  });
});

test("consume leaves an endpoint to another instance after its time, while its last attempts are still in progress", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  const held: (() => void)[] = [];
  at.answer = () => (response) => void held.push(() => response.end());
  const events = perEndpoint + 2;
  for (let n = 0; n < events; n++) await emit(ada);
  const message = { messageId: "m", body: sent.splice(0)[0]?.body ?? "" };
  const first = consume([message]);
  await vi.waitFor(() => expect(held).toHaveLength(perEndpoint));
  const now = performance.now.bind(performance);
  const ahead = vi.spyOn(performance, "now").mockImplementation(() => now() + claimMs);
  held.shift()?.();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  ahead.mockRestore();
  expect(sent[0]).toMatchObject({ group: id, delaySeconds: 0 });
  const second = consumeQueue({ drains: new Map() });
  await vi.waitFor(() => expect(held).toHaveLength(perEndpoint));
  at.answer = () => 204;
  for (const answer of held) answer();
  expect([await first, await second]).toEqual([[], []]);
  expect(at.received).toHaveLength(events);
  for (const delivery of await deliveries(ada, id))
    expect(delivery).toMatchObject({ status: "delivered", attemptCount: 1 });
});

test("retry sends a delivery again with all its retries", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  at.answer = () => 500;
  await emit(ada);
  await consumeQueue();
  for (const seconds of [30, 240, 1920]) {
    later(seconds);
    await sweep(40_000, noJitter);
  }
  const [{ id: deliveryId } = { id: "" }] = await deliveries(ada, id);
  const retried = await Delivery.retry(ada.actor, ada.membership, id, deliveryId);
  expect(retried).toMatchObject({ status: "pending", attemptCount: 4, completedAt: null });
  sent.splice(0);
  for (const prepared of (await claim(id)).attempts) await attempt(prepared, noJitter);
  expect((await deliveries(ada, id))[0]).toMatchObject({ status: "pending", attemptCount: 5 });
  at.answer = () => 200;
  later(30);
  await sweep();
  expect((await deliveries(ada, id))[0]).toMatchObject({ status: "delivered", attemptCount: 6 });
});

test("purge deletes deliveries and their attempts after 90 days", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  await emit(ada);
  await consumeQueue();
  // Advances the application clock: the embedded engine reads the system's, and its timers overflow after 24 days.
  Clock.advance(Delivery.retentionDays * 86_400 - 5);
  await emit(ada);
  await consumeQueue();
  Clock.advance(10);
  expect(await Delivery.purge()).toBeGreaterThanOrEqual(1);
  expect(await deliveries(ada, id)).toMatchObject([{ status: "delivered", attempts: [{ number: 1 }] }]);
  const left = await db()
    .selectFrom("webhook_attempts")
    .leftJoin("webhook_deliveries", "webhook_deliveries.id", "webhook_attempts.delivery_id")
    .select("delivery_id")
    .where("webhook_deliveries.id", "is", null)
    .execute();
  expect(left).toEqual([]);
});

test("consume fails only the messages that it cannot parse", async () => {
  const ada = await subscriber();
  await endpoint(ada, at.url);
  await emit(ada);
  const [{ body } = { body: "" }] = sent;
  const messages = ["not json", "{}", body].map((text, n) => ({ messageId: `m${n}`, body: text }));
  expect(await consume(messages)).toEqual(["m0", "m1"]);
  expect(at.received).toHaveLength(1);
});
