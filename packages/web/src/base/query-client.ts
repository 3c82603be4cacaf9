import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "./api.ts";
import { refetchMs } from "./avatar.ts";
import { serverStatus, subscribeToServer } from "./server-status.ts";

/** Codes for a workspace that the user has lost or that now requires a second factor. The profile says which are left. */
const accessCodes = ["workspace_not_found", "team_not_found", "two_factor_required"];

/**
 * The cache of fetched data, in memory only. Visible data is refetched at least once a day, which also renews its signed avatar
 * URLs.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof Problem && accessCodes.includes(error.code))
        void queryClient.invalidateQueries({ queryKey: ["me"] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchInterval: refetchMs,
      // The client of the API repeats requests whose failure may be temporary.
      retry: false,
    },
  },
});

// Queries that failed while the server was away are repeated when it is back.
subscribeToServer(() => {
  if (serverStatus() === "here") void queryClient.invalidateQueries();
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
