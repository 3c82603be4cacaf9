import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { log } from "@svc/core/platform/log/log";
import * as Queue from "@svc/core/platform/queue/queue";
import { testPool } from "@svc/core/testing/database";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { sample } from "@svc/core/testing/sample";
import { deliveries, emit, endpoint, subscriber } from "@svc/core/testing/webhooks";
import * as Call from "@svc/core/webhook/call";
import { perEndpoint } from "@svc/core/webhook/deliver";
import { sweep } from "@svc/core/webhook/sweep";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startLocal } from "../server.ts";
import { crowdWithHangingEndpoint, hangingPath } from "../testing/crowd.ts";
import { type Death, runKilled } from "../testing/killed.ts";

let at: Receiver;
beforeEach(async () => {
  at = await receiver();
});
afterEach(async () => {
  vi.restoreAllMocks();
  Clock.reset();
  Queue.connect(undefined);
  await at.close();
});

test("a deliverer killed at any step still delivers every event with one id and logs every request", {
  timeout: 240_000,
}, async () => {
  Queue.connect(async () => {});
  const ada = await subscriber();
  const { id, secret } = await endpoint(ada, at.url);

  async function killed(status: number, death: Death): Promise<number> {
    // The child process uses the real clock, so the parent's clock must not be ahead.
    Clock.reset();
    at.received.length = 0;
    await emit(ada);
    const steps = await runKilled({ operation: "deliver", endpointId: id }, death, (countStep) => {
      at.answer = () => (countStep() && death.when === "before" ? (response) => response.destroy() : status);
      return () => {
        at.answer = () => 204;
      };
    });
    const requests = at.received.length;
    // After one minute the lease has expired. After one hour a retry is due.
    for (const seconds of [60, 3600]) {
      Clock.advance(seconds);
      await sweep();
    }
    const delivery = (await deliveries(ada, id)).at(-1);
    expect([status, death, delivery?.status]).toEqual([status, death, "delivered"]);
    expect(delivery?.attempts.length).toBeGreaterThanOrEqual(at.received.length);
    expect(at.received.length).toBeGreaterThanOrEqual(Math.max(requests, 1));
    for (const { headers, body } of at.received) {
      expect(headers["webhook-id"]).toBe(delivery?.eventId);
      expect(JSON.parse(body).id).toBe(delivery?.eventId);
    }
    expect(new Webhook(secret).sign(delivery?.eventId ?? "", stamp(), at.received[0]?.body ?? "")).toBe(
      at.received[0]?.headers["webhook-signature"],
    );
    return steps;
  }
  const stamp = () => new Date(Number(at.received[0]?.headers["webhook-timestamp"]) * 1000);

  for (const status of [204, 500]) {
    const last = await killed(status, { at: -1, when: "before" });
    expect(last).toBeGreaterThanOrEqual(9);
    const deaths = Array.from({ length: last }, (_, at) =>
      (["before", "after"] as const).map((when) => ({ at, when })),
    ).flat();
    for (const death of sample(deaths, 5)) expect(await killed(status, death)).toBeGreaterThan(death.at);
  }
});

test("all other endpoints receive 20 events each while another endpoint hangs", {
  timeout: 90_000,
}, async () => {
  // Disables all timeouts, so that waiting for the hanging endpoint would never end.
  const noTimeout = vi.spyOn(Call.internet, "timer").mockReturnValue(() => {});
  const crowd = await crowdWithHangingEndpoint(at);
  const data = await mkdtemp(join(tmpdir(), "svc-webhooks-"));
  const { ENCRYPTION_KEYS } = process.env;
  const server = await startLocal({
    ...{ port: 0, data, seed: "none", database: testPool() },
    env: { ENCRYPTION_KEYS },
  });
  try {
    await crowd.burst();
    expect(noTimeout).toHaveBeenCalled();
    const byPath = Map.groupBy(at.received, ({ path }) => path);
    expect(byPath.get(hangingPath)?.length).toBeLessThanOrEqual(perEndpoint);
    byPath.delete(hangingPath);
    expect([byPath.size, ...new Set([...byPath.values()].map((list) => list.length))]).toEqual([
      crowd.responding,
      20,
    ]);
  } finally {
    crowd.release();
    await server.close();
    await rm(data, { recursive: true, force: true });
  }
  // Wake-ups that were delayed when the server closed are lost with its queue, and the sweep finds their deliveries.
  await sweep();
  const left = await db()
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("status", "<>", "delivered")
    .execute();
  expect(left).toEqual([]);
});

test("a webhook delivery and all log lines belong to the trace of the request that caused the event", async () => {
  const data = await mkdtemp(join(tmpdir(), "svc-trace-"));
  const { ENCRYPTION_KEYS } = process.env;
  const server = await startLocal({
    ...{ port: 0, data, seed: "none", database: testPool() },
    env: { ENCRYPTION_KEYS },
  });
  const lines: Record<string, unknown>[] = [];
  const written = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    for (const line of String(text).split("\n")) if (line.startsWith("{")) lines.push(JSON.parse(line));
    return true;
  });
  try {
    const ada = await subscriber();
    const { id } = await endpoint(ada, at.url);
    log.setLogLevel("INFO");
    const parents = [
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    ];
    const sent: string[] = [];
    for (const traceparent of parents) {
      const arrival = Promise.withResolvers<string>();
      at.answer = ({ headers }) => {
        arrival.resolve(headers.traceparent ?? "");
        return 204;
      };
      const { status } = await fetch(`${server.url}/api/v1/webhooks/${id}/test`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ada.token}`,
          "x-workspace-id": ada.membership.workspaceId,
          "content-type": "application/json",
          traceparent,
        },
        body: "{}",
      });
      expect(status).toBe(202);
      sent.push(await arrival.promise);
    }
    const [valid = "", invalid = ""] = sent;
    expect(valid).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/);
    expect(invalid).toMatch(/^00-(?!4bf92f35)[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    const tracesOf = (message: string) =>
      lines.filter((line) => line.message === message).map(({ traceId }) => traceId);
    await vi.waitUntil(() => tracesOf("webhook attempted").length === 2);
    for (const message of ["request", "webhook attempted"])
      expect(tracesOf(message)).toEqual(sent.map((header) => header.slice(3, 35)));
    expect(lines.filter(({ traceId }) => traceId === undefined)).toEqual([]);
    const logged = (await deliveries(ada, id)).map(({ attempts }) => attempts[0]?.requestHeaders.traceparent);
    expect(logged).toEqual(sent);
  } finally {
    log.setLogLevel("SILENT");
    written.mockRestore();
    await server.close();
    await rm(data, { recursive: true, force: true });
  }
});
