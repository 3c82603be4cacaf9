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
import { colleague } from "../testing/people.ts";
import { type Receiver, receiver } from "../testing/receiver.ts";
import { deliveries, emit, endpoint, subscriber } from "../testing/webhooks.ts";
import { internet } from "./call.ts";
import { consume } from "./consume.ts";
import { deliver, fail, leaseSeconds, prepare, succeed, unfinished } from "./deliver.ts";
import * as Delivery from "./delivery.ts";
import * as Endpoint from "./endpoint.ts";
import { sendNotices } from "./notice.ts";
import { sweep } from "./sweep.ts";

let at: Receiver;
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
  // The receivers' libraries read the same clock as we do.
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  Clock.reset();
  Queue.connect(undefined);
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const middle = { random: () => 0.5 };

/** What the queue's consumer would do now with every message that is not delayed. */
async function consumed(seams: object = middle): Promise<string[]> {
  const ready = sent.splice(0).filter(({ delaySeconds = 0 }) => delaySeconds === 0);
  return consume(
    ready.map(({ body }, index) => ({ messageId: String(index), body })),
    seams,
  );
}

function verified(secret: string, { headers, body } = at.received.at(-1) ?? { headers: {}, body: "" }) {
  new Svix(secret).verify(body, headers);
  return new Webhook(secret).verify(body, headers);
}

describe("events", () => {
  test.each(webhookEventTypes)(
    "%s reaches the endpoints that want it, signed, as documented, once",
    async (type) => {
      const ada = await subscriber();
      const all = await endpoint(ada, `${at.url}/all`);
      const own = await endpoint(ada, `${at.url}/own`, [type]);
      const others = webhookEventTypes.filter((other) => other !== type);
      await endpoint(ada, `${at.url}/other`, others);
      await emit(ada, type);
      await consumed();
      await sweep();
      expect(at.received.map(({ path }) => path).sort()).toEqual(["/all", "/own"]);
      for (const request of at.received) {
        const content = verified(request.path === "/all" ? all.secret : own.secret, request);
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

  test("of another workspace, of a FREE or PRO one, and about pictures go nowhere", async () => {
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
          data: { a: 1 },
        }),
      );
    expect(sent).toEqual([]);
    await sweep();
    expect(at.received).toEqual([]);
  });

  test("that are rolled back were never there", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    const undone = transaction(async (tx) => {
      const target = { type: "workspace", id: ada.membership.workspaceId, name: "Home" } as const;
      const recorded = {
        action: "project.archived",
        target,
        workspaceId: ada.membership.workspaceId,
      } as const;
      await Event.record(tx, ada.actor, { ...recorded, data: catalog["project.archived"].example });
      throw new Error("half-way");
    });
    await expect(undone).rejects.toThrow("half-way");
    expect([sent, await deliveries(ada, id)]).toEqual([[], []]);
  });

  test("stop going out when the workspace is no longer ENTERPRISE or the endpoint is removed", async () => {
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
    await consumed();
    expect(at.received).toEqual([]);
    expect(await deliveries(ada, first.id)).toMatchObject([{ status: "failed", attempts: [] }]);
  });
});

describe("attempts", () => {
  test("are four, after 30 s, 4 min and 32 min, with one id and a timestamp each, and all in the log", async () => {
    const ada = await subscriber();
    const { id, secret } = await endpoint(ada, at.url);
    at.answer = () => (response) => response.writeHead(500, { "x-why": "broken" }).end("no");
    const started = Date.now();
    await emit(ada);
    await consumed();
    const delays = [];
    for (const seconds of [30, 240, 1920]) {
      delays.push(...sent.splice(0).map(({ delaySeconds }) => delaySeconds));
      later(seconds - 1);
      await sweep(40_000, middle);
      expect((await deliveries(ada, id))[0]?.status).toBe("pending");
      later(1);
      await sweep(40_000, middle);
    }
    // Longer than a message can wait: the sweep alone finds it.
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
        error: "The answer was 500, and only 2xx is a success.",
        requestHeaders: { "webhook-id": delivery?.eventId, "webhook-signature": "v1,[masked]" },
      });
    const ids = at.received.map(({ headers }) => headers["webhook-id"]);
    const times = at.received.map(({ headers }) => headers["webhook-timestamp"]);
    expect([new Set(ids).size, new Set(times).size]).toEqual([1, 4]);
    expect(new Set(at.received.map(({ body }) => body)).size).toBe(1);
    verified(secret);
    later(86_400);
    await sweep();
    expect(at.received).toHaveLength(4);
  });

  test("wait for as long as the receiver asks, up to an hour", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    at.answer = () => (response) => response.writeHead(503, { "retry-after": "90000" }).end();
    await emit(ada);
    await consumed();
    const [delivery] = await deliveries(ada, id);
    expect(Date.parse(delivery?.nextAttemptAt ?? "") - Date.now()).toBe(3_600_000);
    at.answer = () => 200;
    later(3600);
    await sweep();
    expect(await deliveries(ada, id)).toMatchObject([
      { status: "delivered", attemptCount: 2, nextAttemptAt: null },
    ]);
  });

  test("carry the caller's own headers, but none of them stands in for ours; what opens something is masked in the log", async () => {
    const ada = await subscriber();
    const { id, secret } = await endpoint(ada, at.url, ["*"], { "X-Team": "a", Authorization: "Bearer abc" });
    // As if it had been registered before the list of reserved names grew.
    const sealed = (await import("../platform/crypto/sealed.ts")).seal(
      JSON.stringify({ "X-Team": "a", Authorization: "Bearer abc", "Webhook-Signature": "v1,forged" }),
      `webhook_endpoints.headers:${id}`,
    );
    await db().updateTable("webhook_endpoints").set({ headers: sealed }).where("id", "=", id).execute();
    await emit(ada);
    await consumed();
    verified(secret);
    expect(at.received[0]?.headers).toMatchObject({ "x-team": "a", authorization: "Bearer abc" });
    const [delivery] = await deliveries(ada, id);
    expect(delivery?.attempts[0]?.requestHeaders).toMatchObject({ "x-team": "a", authorization: "[masked]" });
  });

  test("at an address that is not public are refused when connecting, whatever it was at registration, and the log says why", async () => {
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
      "https://rebinding.test/": "rebinding.test (10.0.0.7) is not a public address (private).",
      "https://169.254.169.254/latest/": "169.254.169.254 is not a public address (link-local).",
      "https://0x7f.1/": "127.0.0.1 is not a public address (loopback).",
      "https://[::ffff:10.0.0.1]/": "::ffff:a00:1 is not a public address (an IPv4 address in IPv6 form).",
      "https://8.8.8.8:8443/": "Only port 443 is taken.",
      "http://8.8.8.8/": "Only https is taken.",
      "https://user:word@8.8.8.8/": "A URL must not carry credentials.",
    };
    for (const [url, error] of Object.entries(table)) {
      const { id } = await registered(url);
      await emit(ada);
      await consumed({ network: { ...internet, resolve } });
      expect(await deliveries(ada, id)).toMatchObject([
        { status: "pending", attempts: [{ error, responseStatus: null, responseBody: null }] },
      ]);
      await Endpoint.remove(ada.actor, ada.membership, id);
    }
  });

  test("410 disables the endpoint at once, and its admins are told", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    at.answer = () => 410;
    await emit(ada);
    await emit(ada);
    await consumed();
    expect(await Endpoint.get(ada.membership, id)).toMatchObject({ enabled: false, disabledReason: "gone" });
    const { notice_due_at } = await Endpoint.fromId(db(), ada.membership, id);
    expect(notice_due_at).toEqual(new Date());
    expect((await deliveries(ada, id)).map(({ status }) => status)).toEqual(["failed", "failed"]);
    await emit(ada);
    expect(await deliveries(ada, id)).toHaveLength(2);
  });

  test("a late success counts, whoever else has begun meanwhile; a late failure does not", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    await emit(ada);
    const [{ id: deliveryId } = { id: "" }] = await deliveries(ada, id);
    const slow = await prepare(deliveryId);
    expect(await prepare(deliveryId)).toBeUndefined();
    later(leaseSeconds + 1);
    const second = await prepare(deliveryId);
    if (!slow || !second) throw new Error("not prepared");
    const outcome = { durationMs: 1, status: 500, headers: {}, body: "", error: "no" };
    await fail(slow, outcome);
    expect(await deliveries(ada, id)).toMatchObject([{ status: "pending", attemptCount: 2 }]);
    await succeed(slow, { ...outcome, status: 200, error: null });
    expect(await deliveries(ada, id)).toMatchObject([{ status: "delivered", nextAttemptAt: null }]);
    await fail(second, outcome);
    expect(await deliveries(ada, id)).toMatchObject([
      { status: "delivered", attempts: [{ error: null }, { error: "no" }] },
    ]);
  });

  test("what a crash interrupted is in the log, is tried again after a minute, and costs no retry", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    await emit(ada);
    const [{ id: deliveryId } = { id: "" }] = await deliveries(ada, id);
    await prepare(deliveryId);
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

describe("secrets", () => {
  test("after a rotation both verify for 24 hours, then the new one alone", async () => {
    const ada = await subscriber();
    const { id, secret: old } = await endpoint(ada, at.url);
    const { secret: fresh, previousSecretUntil } = await Endpoint.rotateSecret(ada.actor, ada.membership, id);
    expect(Date.parse(previousSecretUntil ?? "") - Date.now()).toBe(86_400_000);
    await emit(ada);
    await consumed();
    verified(old);
    verified(fresh);
    later(86_400);
    await emit(ada);
    await consumed();
    verified(fresh);
    expect(() => verified(old)).toThrow();
    expect((await Endpoint.get(ada.membership, id)).previousSecretUntil).toBeNull();
  });

  test("stand in no row and no log line as they are", async () => {
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
    await consumed();
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

describe("an endpoint that fails", () => {
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

  test("is disabled by the twentieth delivery in a row that failed for good; its admins are told once, and it can be enabled", async () => {
    const ada = await subscriber();
    await db().updateTable("webhook_endpoints").set({ notice_due_at: null }).execute();
    const home = { workspaceId: ada.membership.workspaceId, teamId: "team_none" };
    const admin = await colleague(home, "admin");
    await colleague(home, "manager");
    const { id } = await endpoint(ada, at.url);
    at.answer = () => 500;
    const failOne = async () => {
      await emit(ada);
      await consumed();
      for (const seconds of [30, 240, 1920]) {
        later(seconds);
        await sweep(40_000, middle);
      }
    };
    for (let n = 1; n < Endpoint.failuresUntilDisabled; n++) await failOne();
    at.answer = () => 200;
    await emit(ada);
    await consumed();
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

    // The mail server is down: they are told later.
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
    await consumed();
    expect((await deliveries(ada, id)).at(-1)).toMatchObject({ status: "delivered" });
  });
});

describe("recovering", () => {
  test("sends whatever never arrived since then, and nothing that did, with the ids it always had", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url, ["project.archived"]);
    await emit(ada);
    later(10);
    const since = new Date().toISOString();
    await emit(ada);
    await consumed();
    later(1);
    at.answer = () => 410;
    await emit(ada);
    await consumed();
    later(1);
    await emit(ada);
    await emit(ada, "currency.changed");
    await Endpoint.update(ada.actor, ada.membership, id, { enabled: true });
    at.answer = () => 200;
    at.received.length = 0;
    expect(await Delivery.recover(ada.actor, ada.membership, id, { since })).toEqual({ recovered: 2 });
    await consumed();
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

  test("goes through more events than one transaction may write", async () => {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    await sql`INSERT INTO events (id, workspace_id, action, at, actor_type, target_type, target_id, target_name,
        request_id, outcome, changes, data)
      SELECT 'evt_' || lpad(to_hex(${Date.now()}::bigint), 12, '0') || lpad(n::text, 20, '0'), ${ada.membership.workspaceId},
        'project.archived', ${new Date()}::timestamptz, 'user', 'project', 'p', 'p', 'r', 'success', '{}', '{"n":1}'
      FROM generate_series(1, 1203) n`.execute(db());
    const since = new Date(Date.now() - 1000).toISOString();
    expect(await Delivery.recover(ada.actor, ada.membership, id, { since })).toEqual({ recovered: 1203 });
    expect(sent).toHaveLength(1203);
    await db().deleteFrom("webhook_deliveries").where("endpoint_id", "=", id).execute();
  });
});

test("a delivery can be sent again by hand, with all its retries", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  at.answer = () => 500;
  await emit(ada);
  await consumed();
  for (const seconds of [30, 240, 1920]) {
    later(seconds);
    await sweep(40_000, middle);
  }
  const [{ id: deliveryId } = { id: "" }] = await deliveries(ada, id);
  const retried = await Delivery.retry(ada.actor, ada.membership, id, deliveryId);
  expect(retried).toMatchObject({ status: "pending", attemptCount: 4, completedAt: null });
  sent.splice(0);
  await deliver(deliveryId, middle);
  expect((await deliveries(ada, id))[0]).toMatchObject({ status: "pending", attemptCount: 5 });
  at.answer = () => 200;
  later(30);
  await sweep();
  expect((await deliveries(ada, id))[0]).toMatchObject({ status: "delivered", attemptCount: 6 });
});

test("the log is forgotten after 90 days, attempts too", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  await emit(ada);
  await consumed();
  // By our own clock: the embedded engine, which reads the machine's, has timers that count no further than 24 days.
  Clock.advance(Delivery.keptDays * 86_400 - 5);
  await emit(ada);
  await consumed();
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

test("a message that nobody can read is a failure of that message alone", async () => {
  const ada = await subscriber();
  await endpoint(ada, at.url);
  await emit(ada);
  const [{ body } = { body: "" }] = sent;
  const messages = ["not json", "{}", body].map((text, n) => ({ messageId: `m${n}`, body: text }));
  expect(await consume(messages)).toEqual(["m0", "m1"]);
  expect(at.received).toHaveLength(1);
});
