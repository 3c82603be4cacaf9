import * as z from "zod/mini";

export const defaultPerPage = 50;
export const maxPerPage = 200;

/** A number as it stands in a query. */
export const Count = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, "Not a whole number.")),
    z.pipe(z.transform(Number), z.int().check(z.gte(least), z.lte(most))),
  );

/** `page` and `per_page` of a list's query, both optional. */
export const PageQuery = z.object({
  page: z.optional(Count(1, 999_999_999)),
  per_page: z.optional(Count(1, maxPerPage)),
});
export type PageQuery = z.infer<typeof PageQuery>;

export type Page = { page: number; perPage: number };

export const PageMeta = z.object({ page: z.int(), perPage: z.int(), total: z.int(), totalPages: z.int() });
export type PageMeta = z.infer<typeof PageMeta>;

/** The page that a query asks for; undefined when it asks for none. */
export function asked(query: PageQuery): Page | undefined {
  if (query.page === undefined && query.per_page === undefined) return undefined;
  return { page: query.page ?? 1, perPage: query.per_page ?? defaultPerPage };
}

/** What a list says about itself. */
export function pageMeta({ page, perPage }: Page, total: number): PageMeta {
  return { page, perPage, total, totalPages: Math.ceil(total / perPage) };
}
