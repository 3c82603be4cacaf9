import { randomInt } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import * as Queue from "@svc/core/platform/queue/queue";
import { sample } from "@svc/core/testing/sample";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { type List, parseList } from "structured-headers";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Handler } from "./http/api.ts";
import { load } from "./load.ts";
import { type RouteKey, routes } from "./routes.ts";
import { calls } from "./testing/calls.ts";
import { mailServer } from "./testing/mails.ts";
import { request } from "./testing/request.ts";

/** The limits that count the requests of each route, in the order in which the responses name them. */
const limited: Partial<Record<RouteKey, string[]>> = {
  "POST /auth/register": ["login"],
  "POST /auth/email/verify": ["login"],
  "POST /auth/email/confirm": ["login"],
  "POST /auth/email/undo": ["login"],
  "POST /auth/login": ["login"],
  "POST /auth/login/2fa": ["login"],
  "POST /auth/login/2fa/webauthn-options": ["login"],
  "POST /auth/passkey": ["login"],
  "POST /auth/emergency-bypass": ["login"],
  "POST /auth/reauthenticate": ["login"],
  "POST /auth/password/forgot": ["login"],
  "POST /auth/password/reset": ["login"],
  "PUT /user/email": ["login", "emailChange"],
  "POST /api/upload/avatar": ["upload"],
  "POST /team/{id}/invitations": ["dailyInvitations"],
  "POST /api/v1/webhooks/{id}/test": ["testEvents"],
  "GET /api/v1/reports/summary": ["reports"],
  "GET /api/v1/reports/custom": ["reports"],
  "GET /api/v1/reports/{id}": ["reports"],
  "POST /api/v1/reports/generate": ["reports"],
  "POST /api/v1/reports": ["reports"],
  "POST /api/v1/consents": ["consent"],
};

let bucket: TestBucket;
mailServer();
beforeAll(async () => {
  bucket = await startBucket();
  Queue.connect(async () => {});
});
afterAll(async () => {
  Queue.connect(undefined);
  await bucket.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  Clock.reset();
});

/** Returns the policies of a header field as names with parameters (RFC 9651). */
const itemsOf = (header = ""): [string, Record<string, unknown>][] =>
  (parseList(header) as List).map(([name, parameters]) => [String(name), Object.fromEntries(parameters)]);

describe("the RateLimit header fields", () => {
  test("are those of every operation with a limit, and of no other", async () => {
    const counted: string[] = [];
    for (const [key, { handler }] of Object.entries(routes)) {
      const { steps } = (await load<Handler>(handler)).contract;
      if (steps.some(({ rateLimited }) => rateLimited)) counted.push(key);
    }
    expect(counted.sort()).toEqual(Object.keys(limited).sort());
  });

  // Always tested: the route with two limits, and the one that counts only some requests. The others are a sample.
  const entries = Object.entries(limited) as [RouteKey, string[]][];
  const special = entries.filter(([, names]) => /Invitations|Change/.test(String(names)));
  const common = sample(
    entries.filter((entry) => !special.includes(entry)),
    5,
  );

  test.each([...special, ...common])("of %s count down to a 429 with Retry-After", async (route, names) => {
    const options = {
      // Routes share the limit of an IP address.
      ip: `198.18.${randomInt(256)}.${randomInt(256)}`,
      ...(await calls[route]()),
      headers: { origin: "http://localhost:4000" },
    };
    const last = names.at(-1);
    vi.stubEnv("RATE_LIMITS", `${last}=3/86400${names.length > 1 ? `,${names[0]}=50/86400` : ""}`);
    for (let sent = 1, over = false; !over; sent++) {
      expect(sent).toBeLessThan(9);
      const { status, headers } = await request(route, options);
      const [policies, quotas] = [itemsOf(headers["ratelimit-policy"]), itemsOf(headers.ratelimit)];
      expect([route, status, policies.map(([name]) => name)]).toEqual([route, status, names]);
      expect(quotas.map(([name]) => name)).toEqual(names);
      expect(policies.at(-1)?.[1]).toEqual({ q: 3, w: 86_400 });
      const { r, t = 0 } = (quotas.at(-1)?.[1] ?? {}) as { r?: number; t?: number };
      expect(t).toSatisfy((seconds: number) => seconds > 0 && seconds <= 86_400);
      const exposed = headers["access-control-expose-headers"]?.split(", ");
      expect(exposed).toEqual(expect.arrayContaining(["ratelimit", "ratelimit-policy", "retry-after"]));
      over = status === 429;
      if (sent === 1) expect(status).toBeLessThan(300);
      if (over) expect([r, Number(headers["retry-after"])]).toEqual([0, t]);
    }
  });
});
