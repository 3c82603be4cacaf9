import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Check, Client, Run } from "../check.ts";
import { expectEqual, expectMatch, expectStatus, Mismatch } from "../http.ts";
import { createProject } from "./tracking.ts";

/** A URL that is accepted and never reached: the name does not resolve (RFC 6761). */
const unreachable = "https://smoke.invalid/hook";

/** Longest wait for a delivery: the time until the sweep finds one whose message was lost, and some more. */
const deliverySeconds = 90;

const pollMs = 100;

/** Checks of webhooks, and of a rate limit that locks no one out. */
export const webhooks: readonly Check[] = [
  {
    name: "webhooks",
    title: "webhooks are created, changed and deleted, and never show their secret again",
    operations: [
      "GET /api/v1/webhooks",
      "POST /api/v1/webhooks",
      "GET /api/v1/webhooks/events",
      "GET /api/v1/webhooks/{id}",
      "PATCH /api/v1/webhooks/{id}",
      "DELETE /api/v1/webhooks/{id}",
      "POST /api/v1/webhooks/{id}/rotate-secret",
    ],
    async run(run) {
      const call = await run.admin();
      const events = await call("GET /api/v1/webhooks/events");
      const types = events.body.data.map(({ type }: { type: string }) => type);
      expectEqual("GET …/events: has project.archived", types.includes("project.archived"), true);
      const webhook = await createWebhook(run, call, unreachable);
      if (!webhook) throw new Mismatch(`POST /api/v1/webhooks: expected 201 for ${unreachable}, got 422`);
      const { id, secret, remove } = webhook;
      const path = { id };
      expectMatch("POST /api/v1/webhooks: secret", secret, /^whsec_/);
      for (const url of ["http://example.com/hook", "https://10.0.0.1/hook"])
        await call("POST /api/v1/webhooks", {
          expect: 422,
          code: "url_not_allowed",
          body: { url, events: ["*"] },
        });
      const read = await call("GET /api/v1/webhooks/{id}", { path });
      expectEqual("GET /api/v1/webhooks/{id}: secret", read.body.secret, undefined);
      const changed = await call("PATCH /api/v1/webhooks/{id}", { path, body: { description: "Chat" } });
      expectEqual("PATCH /api/v1/webhooks/{id}: description", changed.body.description, "Chat");
      const listed = (await call("GET /api/v1/webhooks")).body.data;
      expectEqual(
        "GET /api/v1/webhooks: has it",
        listed.some((webhook: { id: string }) => webhook.id === id),
        true,
      );
      const rotated = await call("POST /api/v1/webhooks/{id}/rotate-secret", { path });
      expectMatch("POST …/rotate-secret: secret", rotated.body.secret, /^whsec_/);
      expectEqual("POST …/rotate-secret: new secret", rotated.body.secret === secret, false);
      await remove();
      await call("GET /api/v1/webhooks/{id}", { path, expect: 404, code: "webhook_not_found" });
    },
  },
  {
    name: "webhook-deliveries",
    title: "events are delivered, logged, sent again and recovered",
    operations: [
      "POST /api/v1/webhooks/{id}/test",
      "POST /api/v1/webhooks/{id}/recover",
      "GET /api/v1/webhooks/{id}/deliveries",
      "GET /api/v1/webhooks/{id}/deliveries/{deliveryId}",
      "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry",
    ],
    run: checkDeliveries,
  },
  {
    name: "rate-limit",
    title: "requests above a limit get 429 with Retry-After",
    async run({ admin }) {
      const call = await admin();
      // Test events are limited for each workspace. No webhook has this id, so nothing is sent.
      const operation = "POST /api/v1/webhooks/{id}/test";
      const first = await call(operation, { expect: 404, code: "webhook_not_found", body: {} });
      const policy = first.headers.get("ratelimit-policy") ?? "";
      expectMatch("ratelimit-policy", policy, /^"testEvents";q=\d{1,3};w=\d+$/);
      const quota = Number(/q=(\d+)/.exec(policy)?.[1]);
      let answer = first;
      // A new window may begin in between.
      for (let n = 0; n < 2 * quota && answer.status === 404; n++)
        answer = await call(operation, { expect: [404, 429], body: {} });
      expectStatus(`${operation} above the limit`, answer, 429, "rate_limited");
      expectMatch("retry-after", answer.headers.get("retry-after"), /^\d{1,2}$/);
      expectMatch("ratelimit", answer.headers.get("ratelimit"), /^"testEvents";r=0;t=\d+$/);
    },
  },
];

/**
 * Follows deliveries to their receiver. A deployed stage delivers to its own `POST /auth/passkey/options`, which accepts every body
 * and stores nothing. The local server delivers to this process if it allows loopback URLs.
 */
async function checkDeliveries(run: Run): Promise<void> {
  const { stage, note } = run;
  const call = await run.admin();
  const earlier = await createProject(run, call);
  const { archivedAt: since } = (
    await call("POST /api/v1/projects/{id}/archive", { path: { id: earlier.id } })
  ).body;
  const receiver = stage.tools ? await openReceiver(run) : undefined;
  const reachable = await createWebhook(run, call, receiver?.url ?? `${stage.url}/auth/passkey/options`);
  if (!reachable && !stage.tools)
    throw new Mismatch("POST /api/v1/webhooks: expected 201 for a URL of this stage, got 422");
  if (!reachable)
    note("deliveries do not arrive. Start the server with SVC_ALLOW_LOOPBACK_WEBHOOKS=1 to check that too.");
  const webhook = reachable ?? (await createWebhook(run, call, unreachable));
  if (!webhook) throw new Mismatch(`POST /api/v1/webhooks: expected 201 for ${unreachable}, got 422`);
  const { id, secret } = webhook;
  const path = { id };
  const attempted = async (what: string, deliveryId: string, attempts: number) => {
    const delivery = await attemptedDelivery(call, { id, deliveryId }, attempts);
    expectEqual(`${what}: status of the delivery`, delivery.status, reachable ? "delivered" : "pending");
    if (receiver && reachable) receiver.expectSigned(what, delivery, secret);
    return delivery;
  };

  const test = (await call("POST /api/v1/webhooks/{id}/test", { expect: 202, path, body: {} })).body;
  const sent = await attempted("test event", test.id, 1);
  expectEqual("test event: test", JSON.parse(sent.requestBody).test, true);
  await call("POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", {
    expect: 202,
    path: { id, deliveryId: test.id },
  });
  await attempted("test event, sent again", test.id, 2);

  const project = await createProject(run, call);
  await call("POST /api/v1/projects/{id}/archive", { path: { id: project.id } });
  const { data } = (await call("GET /api/v1/webhooks/{id}/deliveries", { path })).body;
  expectEqual("deliveries: number", data.length, 2);
  const archived = await attempted("project.archived", data[0].id, 1);
  expectEqual("project.archived: has the project", archived.requestBody.includes(project.id), true);
  const recovered = await call("POST /api/v1/webhooks/{id}/recover", { expect: 202, path, body: { since } });
  expectEqual("POST …/recover: finds the event from before the webhook", recovered.body.recovered >= 1, true);
}

type Delivery = { status: string; eventId: string; requestBody: string; attempts: unknown[] };

/** Returns a delivery after this number of attempts. */
async function attemptedDelivery(
  call: Client,
  path: { id: string; deliveryId: string },
  attempts: number,
): Promise<Delivery> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const { body } = await call("GET /api/v1/webhooks/{id}/deliveries/{deliveryId}", { path });
    // An attempt is logged before it is made, and its duration after that.
    if (typeof body.attempts[attempts - 1]?.durationMs === "number") return body;
    if (waitedMs >= deliverySeconds * 1000)
      throw new Mismatch(
        `delivery: expected ${attempts} attempts within ${deliverySeconds} seconds, got ${body.attempts.length}`,
      );
    await after(pollMs);
  }
}

/** Receives deliveries in this process. */
async function openReceiver({ cleanUp }: Run) {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUp("the receiver of webhooks", async () => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Checks that the last request is this delivery, signed with this secret. */
    expectSigned(what: string, { eventId, requestBody }: Delivery, secret: string): void {
      const { headers = {}, body = "" } = received.at(-1) ?? {};
      expectEqual(`${what}: webhook-id`, headers["webhook-id"], eventId);
      expectEqual(`${what}: body`, body, requestBody);
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
      const signature = new Webhook(secret).sign(eventId, at, body);
      expectEqual(`${what}: webhook-signature`, headers["webhook-signature"], signature);
    },
  };
}

/** Creates a webhook, which is deleted when the check has ended. Returns undefined if the URL is not allowed. */
async function createWebhook({ cleanUp }: Run, call: Client, url: string) {
  const body = { url, events: ["*"] };
  const answer = await call("POST /api/v1/webhooks", { expect: [201, 422], body });
  if (answer.status === 422) return undefined;
  const id: string = answer.body.id;
  const remove = cleanUp(`the webhook ${id}`, () =>
    call("DELETE /api/v1/webhooks/{id}", { expect: 204, path: { id } }),
  );
  return { id, secret: answer.body.secret as string, remove };
}
