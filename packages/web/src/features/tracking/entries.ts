import type { FeedMeta } from "@svc/core/base/feed";
import type { Details, View as TimeEntry } from "@svc/core/tracking/time-entries/time-entry";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, query } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { toast } from "../../ui/toast.tsx";

export type { TimeEntry };

export type EntryStretch = { data: TimeEntry[]; meta: FeedMeta };

/** The person's running timer in this workspace; null when there is none. */
export function useRunning() {
  const { me, workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["time-entries", workspace.id, "running", me.id],
    // Not GET /time-entries/running: its 404 for no timer would stand in the console as an error.
    queryFn: async ({ signal }) => {
      const parameters = { running: true, user_id: me.id, limit: 1 };
      const { data } = await get<EntryStretch>(query("/api/v1/time-entries", parameters), { signal });
      return data[0] ?? null;
    },
  });
}

/** Tell everything that is made of time entries that they changed. */
export async function entriesChanged(client: QueryClient): Promise<void> {
  const queryKeys = [["time-entries"], ["projects"], ["reports"]];
  await Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Starting and stopping the person's timer. Starting while one runs stops that one first. */
export function useTimer() {
  const client = useQueryClient();
  const running = useRunning().data;
  const start = useMutation({
    mutationFn: async (details: Details) => {
      if (running) await post("/api/v1/time-entries/stop");
      return post<TimeEntry>("/api/v1/time-entries/start", details);
    },
    onSuccess: () => toast("The timer runs."),
    onSettled: () => entriesChanged(client),
  });
  const stop = useMutation({
    mutationFn: () => post<TimeEntry>("/api/v1/time-entries/stop"),
    onSuccess: () => toast("The timer is stopped."),
    // Also when it failed: perhaps it was stopped elsewhere.
    onSettled: () => entriesChanged(client),
  });
  return { start, stop };
}
