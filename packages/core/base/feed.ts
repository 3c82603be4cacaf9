import * as z from "zod/mini";
import * as Cursor from "./cursor.ts";
import { pattern } from "./id.ts";
import { invalid } from "./invalid.ts";
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

/** The id behind the cursor of a list that is sorted by ids alone. Throws 422 for anything else. */
export function idAt(cursor: string): string {
  const [id, ...more] = Cursor.decode(cursor) ?? [];
  if (typeof id !== "string" || !pattern.test(id) || more.length > 0)
    throw invalid(
      { parameter: "cursor" },
      "cursor_invalid",
      "Not a cursor of this list: take meta.nextCursor as it is.",
    );
  return id;
}
