import type { Item, ListPath, Operation, Result } from "@svc/client";
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { refetchMs } from "../base/avatar.ts";
import { number } from "../base/format.ts";
import { type FilterOptions, type Filters, getFiltered } from "../base/get-filtered.ts";
import { Button } from "./button.tsx";
import { messages } from "./messages.ts";
import { ErrorState, Loading } from "./states.tsx";

/** The lists whose pages follow a cursor. */
type FeedPath = {
  [P in ListPath]: Result<Operation<"get", P>> extends FeedPage<unknown> ? P : never;
}[ListPath];

type FeedPage<Row> = { data: Row[]; meta: { nextCursor: string | null } };

/** Loads a cursor-paginated list page by page. `refetchAfterMs` decides from the loaded rows when to refetch. */
export function useFeed<P extends FeedPath>(
  key: readonly string[],
  path: P,
  options: FilterOptions<P>,
  filters: Filters<P> = {},
  refetchAfterMs: (rows: readonly Item<P>[]) => number = () => refetchMs,
) {
  return useInfiniteQuery({
    queryKey: [...key, filters],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const page: unknown = await getFiltered(path, { ...filters, cursor } as never, { ...options, signal });
      return page as FeedPage<Item<P>>;
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    refetchInterval: ({ state }) => refetchAfterMs(rowsOf(state.data)),
  });
}

/** Renders the loaded rows and a button that loads more, or `empty` when there are none. */
export function Feed<Row>({
  feed,
  empty,
  children,
}: {
  feed: UseInfiniteQueryResult<InfiniteData<FeedPage<Row>>>;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}) {
  if (feed.data === undefined)
    return feed.isError ? <ErrorState error={feed.error} retry={() => void feed.refetch()} /> : <Loading />;
  const rows = rowsOf(feed.data);
  if (rows.length === 0) return empty;
  return (
    <>
      {children(rows)}
      {feed.isFetchNextPageError && <ErrorState error={feed.error} retry={() => void feed.fetchNextPage()} />}
      {feed.hasNextPage && (
        <Button busy={feed.isFetchingNextPage} onClick={() => void feed.fetchNextPage()}>
          {feed.isFetchingNextPage ? messages.loading : messages.showMore}
        </Button>
      )}
      <p role="status" className="hint">
        {feed.hasNextPage ? messages.shown(number(rows.length)) : messages.allShown(number(rows.length))}
      </p>
    </>
  );
}

function rowsOf<Row>(data: InfiniteData<FeedPage<Row>> | undefined): Row[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}
