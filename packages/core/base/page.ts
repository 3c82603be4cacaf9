import * as z from "zod/mini";
import { QueryInteger } from "./query.ts";

export const defaultPerPage = 50;
export const maxPerPage = 200;

/** The `page` and `per_page` parameters of a list, both optional. */
export const PageQuery = z.object({
  page: z.optional(QueryInteger(1, 999_999_999, 1)),
  per_page: z.optional(QueryInteger(1, maxPerPage, defaultPerPage)),
});
export type PageQuery = z.infer<typeof PageQuery>;

export type Page = { page: number; perPage: number };

export const PageMeta = z.object({ page: z.int(), perPage: z.int(), total: z.int(), totalPages: z.int() });
export type PageMeta = z.infer<typeof PageMeta>;

/** Returns the page that a query requests, or undefined when it has neither parameter. */
export function requestedPage(query: PageQuery): Page | undefined {
  if (query.page === undefined && query.per_page === undefined) return undefined;
  return { page: query.page ?? 1, perPage: query.per_page ?? defaultPerPage };
}

/** Returns the metadata of a page. */
export function pageMeta({ page, perPage }: Page, total: number): PageMeta {
  return { page, perPage, total, totalPages: Math.ceil(total / perPage) };
}
