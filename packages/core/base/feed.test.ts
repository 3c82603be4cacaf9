import { describe, expect, test } from "vitest";
import * as Cursor from "./cursor.ts";
import { Fault } from "./fault.ts";
import { FeedQuery, feedPage, idFromCursor } from "./feed.ts";

describe("feedPage", () => {
  const cursor = (last: number) => `after ${last}`;

  test("leaves out the row beyond the limit and points at the last row of the page", () => {
    expect(feedPage([1, 2, 3, 4], 3, cursor)).toEqual({ rows: [1, 2, 3], meta: { nextCursor: "after 3" } });
  });

  test.each([[[]], [[1]], [[1, 2]]])("has no next page when there are no more than %j", (rows) => {
    expect(feedPage<number>(rows, 2, cursor)).toEqual({ rows, meta: { nextCursor: null } });
  });
});

describe("idFromCursor", () => {
  test("returns the id of a cursor", () => {
    expect(idFromCursor(Cursor.encode(["evt_1"]))).toBe("evt_1");
  });

  test.each([
    ["no cursor", "?"],
    ["an empty list", Cursor.encode([])],
    ["a number", Cursor.encode([1])],
    ["text that is not an id", Cursor.encode(["a b"])],
    ["the cursor of a list with another sort order", Cursor.encode(["evt_1", "evt_2"])],
  ])("rejects %s", (_, cursor) => {
    const fault = expect.objectContaining({
      kind: "invalid",
      details: { errors: [expect.objectContaining({ parameter: "cursor", code: "cursor_invalid" })] },
    });
    expect(() => idFromCursor(cursor)).toThrow(Fault);
    expect(() => idFromCursor(cursor)).toThrow(fault);
  });
});

test.each([
  ["1", true],
  ["200", true],
  ["0", false],
  ["201", false],
])("FeedQuery: a limit of %s is accepted: %s", (limit, accepted) => {
  expect(FeedQuery.safeParse({ limit }).success).toBe(accepted);
});
