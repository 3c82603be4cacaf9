import { describe, expect, it } from "vitest";
import { listOf, maxUnpaged } from "./member.ts";

/** Loads ranges of a list of `total` members, and records the ranges. */
function listWith(total: number) {
  const ranges: { limit: number; offset: number }[] = [];
  const joinedAt = new Date(0);
  const fetch = async (range: { limit: number; offset: number }) => {
    ranges.push(range);
    const count = Math.max(0, Math.min(range.limit, total - range.offset));
    return Array.from({ length: count }, (_, at) => ({
      ...{ userId: `usr_${range.offset + at}`, name: "", email: "", role: "member", title: "" },
      ...{ status: "active", avatar: "", avatarPlaceholder: null, lastActiveAt: null, joinedAt },
      total: BigInt(total),
    }));
  };
  return { ranges, fetch };
}

describe("listOf", () => {
  it.each([0, 1, 199, maxUnpaged])("returns a list of %i members at once", async (total) => {
    const { fetch } = listWith(total);
    const { data, meta } = await listOf(undefined, fetch);
    const perPage = Math.max(total, 1);
    expect([data.length, meta]).toEqual([
      total,
      { page: 1, perPage, total, totalPages: Math.ceil(total / perPage) },
    ]);
  });

  it("returns the first of the largest pages of a list that is too large for one response", async () => {
    const { fetch } = listWith(maxUnpaged + 1);
    const { data, meta } = await listOf(undefined, fetch);
    expect([data.length, data.at(-1)?.userId]).toEqual([200, "usr_199"]);
    expect(meta).toEqual({ page: 1, perPage: 200, total: 4001, totalPages: 21 });
    const last = await listOf({ page: 21, perPage: 200 }, fetch);
    expect(last.data.map(({ userId }) => userId)).toEqual(["usr_4000"]);
  });

  it("returns the total on a page past the end", async () => {
    const { fetch, ranges } = listWith(5);
    expect(await listOf({ page: 9, perPage: 2 }, fetch)).toEqual({
      data: [],
      meta: { page: 9, perPage: 2, total: 5, totalPages: 3 },
    });
    expect(ranges).toEqual([
      { limit: 2, offset: 16 },
      { limit: 1, offset: 0 },
    ]);
  });
});
