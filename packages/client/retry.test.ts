import { describe, expect, it } from "vitest";
import { type Attempt, parseRetryAfter, retryDelayMs } from "./retry.ts";

const read: Attempt = {
  method: "GET",
  keyed: false,
  status: 503,
  code: "database_unavailable",
  retryAfterSeconds: undefined,
  earlier: 0,
};
const keyed: Attempt = { ...read, method: "POST", keyed: true };
const write: Attempt = { ...read, method: "PATCH" };

describe("retryDelayMs", () => {
  it.each([
    ["a read without a response", { ...read, status: 0, code: "no_answer" }],
    ["a read that took too long", { ...read, status: 0, code: "timeout" }],
    ["a read after 502", { ...read, status: 502, code: "storage_unavailable" }],
    ["a read after 503", read],
    ["a read after 504", { ...read, status: 504, code: "unknown" }],
    ["a read after 429", { ...read, status: 429 }],
    ["a POST with a key and no response", { ...keyed, status: 0, code: "no_answer" }],
    ["a POST with a key after 503", keyed],
    ["a POST with a key that is still running", { ...keyed, status: 409, code: "idempotency_in_progress" }],
    ["a write after 429, which did no work", { ...write, status: 429 }],
  ] satisfies [string, Attempt][])("repeats %s after half a second", (_, attempt) => {
    expect(retryDelayMs(attempt, 0)).toBe(500);
  });

  it.each([
    ["a write without a response", { ...write, status: 0, code: "no_answer" }],
    ["a write after 503", write],
    ["a POST without a key after 503", { ...keyed, keyed: false }],
    ["a POST with a key whose change may have been saved", { ...keyed, code: "commit_unknown" }],
    ["a POST with a key after a conflict", { ...keyed, status: 409, code: "timer_already_running" }],
    ["a read after 500, which is a bug", { ...read, status: 500, code: "internal_error" }],
    ["a read after 404", { ...read, status: 404, code: "not_found" }],
    ["a read after 401", { ...read, status: 401, code: "token_expired" }],
    ["a read whose response is of another server", { ...read, status: 200, code: "unexpected_response" }],
  ] satisfies [string, Attempt][])("does not repeat %s", (_, attempt) => {
    expect(retryDelayMs(attempt, 0)).toBeUndefined();
  });

  it("doubles the wait with each attempt, and adds up to a half of it", () => {
    const waits = [0, 1, 2].map((earlier) => [
      retryDelayMs({ ...read, earlier }, 0),
      retryDelayMs({ ...read, earlier }, 1),
    ]);
    expect(waits).toEqual([
      [500, 750],
      [1000, 1500],
      [2000, 3000],
    ]);
  });

  it("waits at least as long as Retry-After says", () => {
    expect(retryDelayMs({ ...read, retryAfterSeconds: 7 }, 0)).toBe(7000);
    expect(retryDelayMs({ ...read, retryAfterSeconds: 7 }, 1)).toBe(7250);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  it.each([
    ["30", 30],
    ["0", 0],
    ["Sun, 01 Mar 2026 12:00:09 GMT", 9],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["soon", undefined],
    ["-1", undefined],
    ["", undefined],
    [null, undefined],
  ])("reads %j as %s seconds", (value, seconds) => {
    expect(parseRetryAfter(value, now)).toBe(seconds);
  });
});
