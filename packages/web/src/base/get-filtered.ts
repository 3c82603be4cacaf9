import type { CommonOptions, Operation, Path, Result } from "@svc/client";
import { svc } from "./api.ts";

type QueryOf<P extends Path<"get">> =
  Operation<"get", P> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

/** Parameters as the URL of a page has them: as text, which is empty for a filter that is not set. */
export type Filters<P extends Path<"get">> = { [Name in keyof QueryOf<P>]?: QueryOf<P>[Name] | string };

type PathParameters<P extends Path<"get">> =
  Operation<"get", P> extends { parameters: { path: infer Parameters } }
    ? { path: Parameters }
    : { path?: never };

export type FilterOptions<P extends Path<"get">> = Pick<CommonOptions, "signal"> & PathParameters<P>;

/** Passes filters from the URL of a page on as parameters of this path, which the API validates. Leaves out empty ones. */
export function queryFor<P extends Path<"get">, F extends Filters<P>>(
  _path: P,
  filters: F & Record<Exclude<keyof F, keyof QueryOf<P>>, never>,
): QueryOf<P> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== "")) as QueryOf<P>;
}

/** Sends a GET request with filters from the URL of a page. */
export function getFiltered<P extends Path<"get">, F extends Filters<P>>(
  path: P,
  filters: F & Record<Exclude<keyof F, keyof QueryOf<P>>, never>,
  options: FilterOptions<P>,
): Promise<Result<Operation<"get", P>>> {
  const get = svc.get as (path: P, options: object) => Promise<Result<Operation<"get", P>>>;
  return get(path, { ...options, query: queryFor(path, filters) });
}
