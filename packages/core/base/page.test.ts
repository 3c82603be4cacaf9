import { describe, expect, test } from "vitest";
import { PageQuery, pageMeta, requestedPage } from "./page.ts";

describe("PageQuery", () => {
  test.each([
    ["1", 1],
    ["999999999", 999_999_999],
  ])("reads page %s", (page, number) => {
    expect(PageQuery.parse({ page })).toEqual({ page: number });
  });

  test.each(["0", "1000000000", "-1", "1.5", "1e3", "0x1", " 1", "1 ", "a1", "1a", ""])(
    "rejects page %j",
    (page) => {
      expect(PageQuery.safeParse({ page }).success).toBe(false);
    },
  );

  test.each([
    ["1", true],
    ["200", true],
    ["0", false],
    ["201", false],
  ])("accepts per_page %s: %s", (per_page, accepted) => {
    expect(PageQuery.safeParse({ per_page }).success).toBe(accepted);
  });
});

describe("requestedPage", () => {
  test.each([
    [{}, undefined],
    [{ page: 3 }, { page: 3, perPage: 50 }],
    [{ per_page: 20 }, { page: 1, perPage: 20 }],
    [
      { page: 3, per_page: 20 },
      { page: 3, perPage: 20 },
    ],
  ])("reads %j as %j", (query, page) => {
    expect(requestedPage(query)).toEqual(page);
  });
});

test.each([
  [0, 0],
  [1, 1],
  [50, 1],
  [51, 2],
  [100, 2],
])("pageMeta: %i rows are %i pages of 50", (total, totalPages) => {
  expect(pageMeta({ page: 1, perPage: 50 }, total)).toEqual({ page: 1, perPage: 50, total, totalPages });
});
