import { owner } from "@svc/core/testing/people";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { type BareItem, parseItem } from "structured-headers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { RouteKey } from "../routes.ts";
import { request } from "../testing/request.ts";

afterEach(() => vi.unstubAllEnvs());

/** Every deprecated path with its successor and a body for both. */
const deprecated: [RouteKey, RouteKey, object][] = [
  ["GET /api/v1/entries", "GET /api/v1/time-entries", {}],
  ["POST /api/v1/reports", "POST /api/v1/reports/generate", { type: "detailed", format: "csv" }],
];

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

/** Removes the fields that differ between two simultaneous responses: URLs, and the ids of generated files. */
const withoutVolatileFields = ({ links, id, signedUrl, expiresAt, ...body }: Record<string, unknown>) => body;

const item = (text: string | undefined): BareItem => parseItem(text ?? "")[0];

test.each(deprecated)(
  "%s responds like %s, with Deprecation and Link headers",
  async (route, successor, body) => {
    const ada = await owner();
    await request("POST /api/v1/time-entries", {
      token: ada.token,
      body: { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" },
    });
    const [old, now] = [
      await request(route, { token: ada.token, body }),
      await request(successor, { token: ada.token, body }),
    ];
    expect(old.status).toBe(now.status);
    expect(withoutVolatileFields(old.body)).toEqual(withoutVolatileFields(now.body));
    expect(Object.keys(old.body)).toEqual(Object.keys(now.body));
    expect(old.body.data ?? [old.body]).toHaveLength(1);
    // RFC 9745: the value is a Date (RFC 9651). Version 1.4.0 was released on 2026-01-31.
    expect(old.headers.deprecation).toBe("@1769817600");
    expect(item(old.headers.deprecation)).toEqual(new Date("2026-01-31T00:00:00Z"));
    expect(old.headers.link).toBe(`<${successor.split(" ")[1]}>; rel="successor-version"`);
    expect(old.headers).not.toHaveProperty("sunset");
    expect(now.headers).not.toHaveProperty("deprecation");
  },
);

test.each(deprecated)(
  "%s sends the Deprecation header with errors too, and a Sunset header when a date is set",
  async (route) => {
    vi.stubEnv("DEPRECATED_SUNSET", "2027-01-31");
    const error = await request(route);
    expect(error.status).toBe(401);
    expect(item(error.headers.deprecation)).toBeInstanceOf(Date);
    expect(error.headers.sunset).toBe("Sun, 31 Jan 2027 00:00:00 GMT");
  },
);
