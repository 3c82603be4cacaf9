import type { NewTimer, TimeEntry } from "@svc/client";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { type Filters, getFiltered } from "../../base/get-filtered.ts";
import { toast } from "../../ui/toast.tsx";

export type { TimeEntry };

type EntryFilters = Omit<Filters<"/api/v1/time-entries">, "page" | "per_page">;

/** Loads the first entries that match, or those at `cursor`. Text that is empty is no filter. */
export async function listEntries(filters: EntryFilters, signal: AbortSignal) {
  const { data, meta } = await getFiltered("/api/v1/time-entries", filters, { signal });
  return { data, nextCursor: "nextCursor" in meta ? meta.nextCursor : null };
}

/** Loads the user's running timer in this workspace, or null. */
export function useRunningTimer() {
  const { me, workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["time-entries", workspace.id, "running", me.id],
    // GET /time-entries/running returns 404 without a timer, which the console would report as an error.
    queryFn: async ({ signal }) => {
      const { data } = await listEntries({ running: true, user_id: me.id, limit: 1 }, signal);
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
    mutationFn: async (details: NewTimer) => {
      if (running) await svc.post("/api/v1/time-entries/stop");
      return svc.post("/api/v1/time-entries/start", { body: details });
    },
    onSuccess: () => toast("Timer started."),
    onSettled: () => refreshEntries(client),
  });
  const stop = useMutation({
    mutationFn: () => svc.post("/api/v1/time-entries/stop"),
    onSuccess: () => toast("Timer stopped."),
    // Refetch after a failure too, because the timer may have been stopped on another device.
    onSettled: () => refreshEntries(client),
  });
  return { start, stop };
}
