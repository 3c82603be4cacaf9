import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { get, query } from "../base/api.ts";
import { refetchMs } from "../base/avatar.ts";
import { Button } from "./button.tsx";
import { ErrorState, Loading } from "./states.tsx";

type FeedPage<Row> = { data: Row[]; meta: { nextCursor: string | null } };

type Parameters = Record<string, string | undefined>;

/** Loads a cursor-paginated list page by page. `refetchAfterMs` decides from the loaded rows when to refetch. */
export function useFeed<Row>(
  key: readonly string[],
  path: string,
  parameters: Parameters = {},
  refetchAfterMs: (rows: readonly Row[]) => number = () => refetchMs,
) {
  return useInfiniteQuery({
    queryKey: [...key, parameters],
    queryFn: ({ pageParam: cursor, signal }) =>
      get<FeedPage<Row>>(query(path, { ...parameters, cursor }), { signal }),
    initialPageParam: undefined as string | undefined,
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
          {feed.isFetchingNextPage ? "Loading…" : "Show more"}
        </Button>
      )}
      <p role="status" className="hint">
        {feed.hasNextPage ? `${rows.length} shown` : `${rows.length} shown, no more to load`}
      </p>
    </>
  );
}

function rowsOf<Row>(data: InfiniteData<FeedPage<Row>> | undefined): Row[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}
