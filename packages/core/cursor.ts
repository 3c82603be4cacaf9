import * as z from "zod/mini";
import { pattern } from "./id.ts";
import { defaultPerPage, maxPerPage } from "./page.ts";

/** `cursor` and `limit` of the query of a feed that grows without end. */
export const CursorQuery = z.object({
  cursor: z.optional(z.string().check(z.regex(pattern, "Not a cursor: take meta.nextCursor as it is."))),
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,9}$/, "Not a whole number.")),
      z.pipe(z.transform(Number), z.int().check(z.gte(1), z.lte(maxPerPage))),
    ),
  ),
});
export type CursorQuery = z.infer<typeof CursorQuery>;

export const CursorMeta = z.object({ nextCursor: z.nullable(z.string()) });
export type CursorMeta = z.infer<typeof CursorMeta>;

/** How many rows to read for this query: one more than are shown, which tells whether there are more. */
export function rowsToRead({ limit = defaultPerPage }: CursorQuery): number {
  return limit + 1;
}

/** The rows to show, newest first, and the cursor behind them, which is the id of the last one. */
export function cut<T extends { id: string }>(
  rows: readonly T[],
  { limit = defaultPerPage }: CursorQuery,
): { shown: T[]; meta: CursorMeta } {
  const shown = rows.slice(0, limit);
  return { shown, meta: { nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null } };
}
