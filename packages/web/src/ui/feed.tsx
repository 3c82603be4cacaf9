import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { get, query } from "../base/api.ts";
import { refetchMs } from "../base/avatar.ts";
import { Button } from "./button.tsx";
import { ErrorState, Loading } from "./states.tsx";

type Stretch<Row> = { data: Row[]; meta: { nextCursor: string | null } };

type Parameters = Record<string, string | undefined>;

/** A list with a cursor, stretch by stretch. `againMs` of what is there says when it is to be fetched anew. */
export function useFeed<Row>(
  key: readonly string[],
  path: string,
  parameters: Parameters = {},
  againMs: (rows: readonly Row[]) => number = () => refetchMs,
) {
  return useInfiniteQuery({
    queryKey: [...key, parameters],
    queryFn: ({ pageParam: cursor, signal }) =>
      get<Stretch<Row>>(query(path, { ...parameters, cursor }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    refetchInterval: ({ state }) => againMs(rowsOf(state.data)),
  });
}

/** What is there of such a list, and the way to more; `empty` when nothing is. */
export function Feed<Row>({
  feed,
  empty,
  children,
}: {
  feed: UseInfiniteQueryResult<InfiniteData<Stretch<Row>>>;
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
        {feed.hasNextPage ? `${rows.length} shown` : `${rows.length} shown, all there are`}
      </p>
    </>
  );
}

function rowsOf<Row>(data: InfiniteData<Stretch<Row>> | undefined): Row[] {
  return data?.pages.flatMap((stretch) => stretch.data) ?? [];
}
