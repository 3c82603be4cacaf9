import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./api.ts";
import { refetchMs } from "./avatar.ts";

/**
 * The cache of fetched data, in memory only. Visible data is refetched at least once a day, which also renews its signed avatar
 * URLs. Only failures that may be temporary are retried.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchInterval: refetchMs,
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && [0, 502, 503].includes(error.status),
    },
  },
});

/**
 * Refreshes the lists of a resource after one of its objects was deleted: visible lists at once, others when they are next
 * shown. Queries for the deleted object itself are not repeated, because they would fail.
 */
export function refreshAfterDelete(noun: string, id: string): void {
  queryClient.removeQueries({ queryKey: [noun], type: "inactive" });
  void queryClient.invalidateQueries({
    queryKey: [noun],
    predicate: ({ queryKey }) => !queryKey.includes(id),
  });
}
