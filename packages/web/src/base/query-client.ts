import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./api.ts";
import { refetchMs } from "./avatar.ts";

/**
 * Everything fetched, in memory alone. What is shown is fetched anew at the latest after a day, and with it the signed URLs
 * of its pictures. Only what may succeed the next time is tried again.
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
 * The one with this id was deleted, and its page is being left: lists are loaded anew when they are shown, and at once where
 * they are on the screen. What the page asked about the one itself is left alone, since it is gone.
 */
export function refreshAfterDelete(noun: string, id: string): void {
  queryClient.removeQueries({ queryKey: [noun], type: "inactive" });
  void queryClient.invalidateQueries({
    queryKey: [noun],
    predicate: ({ queryKey }) => !queryKey.includes(id),
  });
}
