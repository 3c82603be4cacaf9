import * as z from "zod/mini";
import { Count, defaultPerPage, maxPerPage } from "./page.ts";

/** `cursor` and `limit` of a list that grows without end, both optional. */
export const FeedQuery = z.object({
  cursor: z.optional(z.string().check(z.maxLength(1024))),
  limit: z.optional(Count(1, maxPerPage)),
});
export type FeedQuery = z.infer<typeof FeedQuery>;

export const defaultLimit = defaultPerPage;

/** Where such a list goes on; null at its end. */
export const FeedMeta = z.object({ nextCursor: z.nullable(z.string()) });
export type FeedMeta = z.infer<typeof FeedMeta>;

/** A stretch of rows of which one more than `limit` was read, to know whether it goes on. */
export function stretch<Row>(
  rows: readonly Row[],
  limit: number,
  cursor: (last: Row) => string,
): { rows: Row[]; meta: FeedMeta } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, meta: { nextCursor: last && rows.length > limit ? cursor(last) : null } };
}
