import { wakeUp } from "@svc/core/event/outbox";
import * as Queue from "@svc/core/platform/queue/queue";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { deliveries, emit, endpoint, subscriber } from "@svc/core/testing/webhooks";
import * as Webhook from "@svc/core/webhook/consume";
import { perEndpoint } from "@svc/core/webhook/deliver";
import { jobs } from "@svc/functions/jobs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { consume, queue } from "./queue.ts";
import { manualTimer } from "./testing/manual-timer.ts";

let at: Receiver;
beforeEach(async () => {
  at = await receiver();
});
afterEach(async () => {
  Queue.connect(undefined);
  await at.close();
});

test("instances of the consumer share ten places of an endpoint, try again after growing delays, and delay no other endpoint", async () => {
  let now = new Date();
  const work = queue({ name: "work", visibilitySeconds: 180, now: () => now });
  const again: { tries: number; delaySeconds: number }[] = [];
  Queue.connect(async (messages) => {
    for (const { body, group, delaySeconds = 0 } of messages) {
      const { tries } = JSON.parse(body);
      if (tries > 0) again.push({ tries, delaySeconds });
      work.send(body, { group, delaySeconds });
    }
  });
  const [ada, bob] = [await subscriber(), await subscriber()];
  const { id } = await endpoint(ada, `${at.url}/hanging`);
  await endpoint(bob, `${at.url}/other`);
  let held: (() => void)[] = [];
  at.answer = ({ path }) => (path === "/hanging" ? (response) => void held.push(() => response.end()) : 204);
  const arrived = (path: string) => at.received.filter((request) => request.path === path).length;

  // Separate `drains` make each instance a separate process, as on Lambda.
  const { batchSize, concurrency } = jobs["deliver-webhooks"].queue;
  const instances = Array.from({ length: concurrency }, () => {
    const drains = new Map();
    return consume(
      work,
      async ({ Records }) => ({
        batchItemFailures: (await Webhook.consume(Records, { drains })).map((itemIdentifier) => ({
          itemIdentifier,
        })),
      }),
      { batchSize, timer: manualTimer().timer, now: () => now },
    );
  });
  const pass = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000);
    for (const { wake } of instances) void wake();
  };
  const events = 30;
  for (let n = 0; n < events; n++) await emit(ada);
  await vi.waitFor(() => expect(held).toHaveLength(perEndpoint));
  for (let n = 0; n < 5; n++) await emit(bob);
  await vi.waitFor(() => expect(arrived("/other")).toBe(5));

  for (const tries of [1, 2, 3, 4]) {
    await vi.waitFor(() => expect(Math.max(...again.map((message) => message.tries))).toBe(tries));
    pass(2 ** (tries - 1));
  }
  for (const { tries, delaySeconds } of again) expect(delaySeconds).toBe(2 ** (tries - 1));
  expect(arrived("/hanging")).toBe(perEndpoint);

  // Instances whose attempts end take up the waiting deliveries, and so do those that a delayed wake-up reaches.
  while (arrived("/hanging") < events) {
    expect(held.length).toBeLessThanOrEqual(perEndpoint);
    const answers = held;
    held = [];
    for (const answer of answers) answer();
    await vi.waitFor(() => {
      pass(4);
      expect(held.length).toBeGreaterThan(0);
    });
  }
  for (const answer of held) answer();
  await Promise.all(instances.map(({ close }) => close()));
  for (const delivery of await deliveries(ada, id))
    expect(delivery).toMatchObject({ status: "delivered", attemptCount: 1 });
  expect(arrived("/hanging")).toBe(events);
});

test("the delay of a wake-up stops growing at a minute", async () => {
  const sent: number[] = [];
  Queue.connect(async (messages) => void sent.push(...messages.map(({ delaySeconds = 0 }) => delaySeconds)));
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  const held: (() => void)[] = [];
  at.answer = () => (response) => void held.push(() => response.end());
  for (let n = 0; n <= perEndpoint; n++) await emit(ada);
  const message = (tries: number) => [{ messageId: "m", body: wakeUp({ endpointId: id, tries }, 0).body }];
  const first = Webhook.consume(message(0));
  await vi.waitFor(() => expect(held).toHaveLength(perEndpoint));
  sent.length = 0;
  for (const tries of [0, 5, 6, 7, 2000]) await Webhook.consume(message(tries), { drains: new Map() });
  expect(sent).toEqual([1, 32, 64, 64, 64]);
  at.answer = () => 204;
  for (const answer of held) answer();
  await first;
});
