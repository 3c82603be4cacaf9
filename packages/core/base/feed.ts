import * as z from "zod/mini";
import * as Cursor from "./cursor.ts";
import { idPattern } from "./id.ts";
import { invalid } from "./invalid.ts";
import { defaultPerPage, maxPerPage } from "./page.ts";
import { QueryInteger } from "./query.ts";

export const defaultLimit = defaultPerPage;

/** The `cursor` and `limit` parameters of a list with cursor pagination, both optional. */
export const FeedQuery = z.object({
  cursor: z.optional(z.string().check(z.maxLength(1024))),
  limit: z.optional(QueryInteger(1, maxPerPage, defaultLimit)),
});
export type FeedQuery = z.infer<typeof FeedQuery>;

/** The cursor of the next page, or null on the last page. */
export const FeedMeta = z.object({ nextCursor: z.nullable(z.string()) });
export type FeedMeta = z.infer<typeof FeedMeta>;

/** Returns one page of rows and its metadata. Expects `limit + 1` rows, the last of which shows that there is a next page. */
export function feedPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursor: (last: Row) => string,
): { rows: Row[]; meta: FeedMeta } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, meta: { nextCursor: last && rows.length > limit ? cursor(last) : null } };
}

/** Returns the id in the cursor of a list that is sorted by id. Throws `invalid` with `cursor_invalid` for other text. */
export function idFromCursor(cursor: string): string {
  const [id, ...more] = Cursor.decode(cursor) ?? [];
  if (typeof id !== "string" || !idPattern.test(id) || more.length > 0)
    throw invalid(
      { parameter: "cursor" },
      "cursor_invalid",
      "Cursor is invalid. Use `meta.nextCursor` of the previous page unchanged.",
    );
  return id;
}
