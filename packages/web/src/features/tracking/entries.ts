import type { FeedMeta } from "@svc/core/base/feed";
import type { Details, View as TimeEntry } from "@svc/core/tracking/time-entries/time-entry";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, query } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { toast } from "../../ui/toast.tsx";

export type { TimeEntry };

/** One page of the list of time entries. */
export type EntryPage = { data: TimeEntry[]; meta: FeedMeta };

/** Loads the user's running timer in this workspace, or null. */
export function useRunningTimer() {
  const { me, workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["time-entries", workspace.id, "running", me.id],
    // GET /time-entries/running returns 404 without a timer, which the console would report as an error.
    queryFn: async ({ signal }) => {
      const parameters = { running: true, user_id: me.id, limit: 1 };
      const { data } = await get<EntryPage>(query("/api/v1/time-entries", parameters), { signal });
      return data[0] ?? null;
    },
  });
}

/** Refetches the time entries and the data that depends on them. */
export async function refreshEntries(client: QueryClient): Promise<void> {
  const queryKeys = [["time-entries"], ["projects"], ["reports"]];
  await Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Starts and stops the user's timer. Starting stops the running timer first. */
export function useTimer() {
  const client = useQueryClient();
  const running = useRunningTimer().data;
  const start = useMutation({
    mutationFn: async (details: Details) => {
      if (running) await post("/api/v1/time-entries/stop");
      return post<TimeEntry>("/api/v1/time-entries/start", details);
    },
    onSuccess: () => toast("Timer started."),
    onSettled: () => refreshEntries(client),
  });
  const stop = useMutation({
    mutationFn: () => post<TimeEntry>("/api/v1/time-entries/stop"),
    onSuccess: () => toast("Timer stopped."),
    // Refetch after a failure too, because the timer may have been stopped on another device.
    onSettled: () => refreshEntries(client),
  });
  return { start, stop };
}
