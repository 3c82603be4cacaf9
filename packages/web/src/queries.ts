import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./api.ts";
import { freshMs } from "./picture.ts";

/**
 * Everything fetched, in memory alone. What is shown is fetched anew at the latest after a day, and with it the signed URLs
 * of its pictures. Only what may succeed the next time is tried again.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchInterval: freshMs,
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && [0, 502, 503].includes(error.status),
    },
  },
});

/**
 * One of these was deleted, and its page is being left: lists of them are loaded anew when they are shown. What is still on
 * the screen is left alone, since it would ask about what is gone.
 */
export function dropUnseen(noun: string): void {
  queries.removeQueries({ queryKey: [noun], type: "inactive" });
}
