import type { NewTimer, TimeEntry, TimeEntryChanges } from "@svc/client";
import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { timeZone } from "../../base/format.ts";
import { type Filters, getFiltered } from "../../base/get-filtered.ts";
import type { Part } from "../../base/versions.ts";
import { useEdit } from "../../ui/conflict.tsx";
import { toast } from "../../ui/toast.tsx";
import { timerMessages } from "./messages.ts";
import { isHidden, sendDeletions } from "./pending-deletions.ts";
import { daysIn } from "./time-zone.ts";

export type { TimeEntry };

type EntryFilters = Omit<Filters<"/api/v1/time-entries">, "page" | "per_page"> & { timezone?: string };

/**
 * Loads the first entries that match, or those at `cursor`. Text that is empty is no filter. Days are those of the user's time zone,
 * unless `timezone` names another.
 */
export async function listEntries({ timezone, ...filters }: EntryFilters, signal: AbortSignal) {
  const zone = filters.from || filters.to ? daysIn(timezone || timeZone()) : {};
  const { data, meta } = await getFiltered("/api/v1/time-entries", { ...filters, ...zone }, { signal });
  return {
    data: data.filter((entry) => !isHidden(entry)),
    nextCursor: "nextCursor" in meta ? meta.nextCursor : null,
    missingRates: meta.missingRates ?? [],
  };
}

const runningKey = (workspaceId: string, userId: string) => ["time-entries", workspaceId, "running", userId];

/** Loads the user's running timer in this workspace, or null. */
export function useRunningTimer() {
  const { me, workspace } = useCurrentUser();
  return useQuery({
    queryKey: runningKey(workspace.id, me.id),
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
  const { me, workspace } = useCurrentUser();
  const running = useRunningTimer().data;
  const show = (entry: TimeEntry | null) => client.setQueryData(runningKey(workspace.id, me.id), entry);
  // The button does not wait for it: a long list takes seconds.
  const refresh = () => void refreshEntries(client);
  const start = useMutation({
    mutationFn: async (details: NewTimer) => {
      await sendDeletions();
      if (running) await svc.post("/api/v1/time-entries/stop");
      return svc.post("/api/v1/time-entries/start", { body: details });
    },
    onSuccess: (entry) => {
      show(entry);
      toast(timerMessages.started);
    },
    onSettled: refresh,
  });
  const stop = useMutation({
    mutationFn: () => svc.post("/api/v1/time-entries/stop"),
    onSuccess: () => {
      show(null);
      toast(timerMessages.stopped);
    },
    // Refetch after a failure too, because the timer may have been stopped on another device.
    onSettled: refresh,
  });
  return { start, stop };
}

/**
 * Saves changes of an entry, for fields that save by themselves. `seen` is the version that the user has begun to change. If
 * someone else has changed the same part, the user sees both versions and chooses.
 */
export function useEntrySave(seen: TimeEntry | undefined, parts: readonly Part<TimeEntry>[]) {
  const client = useQueryClient();
  const edit = useEdit(seen, parts, { follow: true });
  return useMutation({
    // One after the other, so that a change does not conflict with the one before it, which has not been answered yet.
    scope: { id: `entry ${seen?.id}` },
    mutationFn: (changes: TimeEntryChanges) =>
      edit.save(changes, (body, ifMatch) =>
        svc.patch("/api/v1/time-entries/{id}", { path: { id: seen?.id ?? "" }, body, ifMatch }),
      ),
    onSuccess: ({ resource }) => storeEntries(client, [resource]),
    // Someone else may have deleted or locked the entry.
    onError: () => refreshEntries(client),
  });
}

type List = Awaited<ReturnType<typeof listEntries>>;
type Stored = List | InfiniteData<List> | TimeEntry | null | undefined;

/**
 * Puts entries as the API has returned them into the lists that have them, and refreshes what depends on them. Lists are not
 * fetched again, because a long one has many pages, and an entry that no longer matches the filters would disappear while its
 * user still works on it.
 */
export function storeEntries(client: QueryClient, entries: readonly TimeEntry[]): void {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  updateLists(client, (list) => list.map((entry) => byId.get(entry.id) ?? entry));
}

/** Removes entries that were deleted from the lists that have them, and refreshes what depends on them. */
export function forgetEntries(client: QueryClient, ids: readonly string[]): void {
  updateLists(client, (list) => list.filter(({ id }) => !ids.includes(id)));
}

function updateLists(client: QueryClient, update: (list: TimeEntry[]) => TimeEntry[]): void {
  const inList = (list: List): List => ({ ...list, data: update(list.data) });
  client.setQueriesData<Stored>({ queryKey: ["time-entries"] }, (stored) => {
    if (!stored || Array.isArray(stored)) return stored;
    if ("pages" in stored) return { ...stored, pages: stored.pages.map(inList) };
    if ("nextCursor" in stored) return inList(stored);
    return "endedAt" in stored ? (update([stored])[0] ?? null) : stored;
  });
  const isConverted = (stored: Stored) =>
    !!stored && "pages" in stored && stored.pages.some(({ data }) => data[0]?.converted !== undefined);
  void client.invalidateQueries({
    queryKey: ["time-entries"],
    predicate: ({ queryKey, state }) => queryKey[2] !== "list" || isConverted(state.data as Stored),
  });
  void client.invalidateQueries({ queryKey: ["time-entries"], refetchType: "none" });
  for (const noun of ["projects", "reports"]) void client.invalidateQueries({ queryKey: [noun] });
}
