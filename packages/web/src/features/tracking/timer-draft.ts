import { useSyncExternalStore } from "react";
import { useCurrentUser } from "../../base/current-user.ts";

/** The details that the user has entered for their next timer. `billable` is undefined while the project decides. */
export type TimerDraft = {
  description: string;
  projectId: string | null;
  tags: string[];
  billable: boolean | undefined;
};

const empty: TimerDraft = { description: "", projectId: null, tags: [], billable: undefined };

// The bar is rendered again with each page, so the draft is kept here, for each user and workspace.
const drafts = new Map<string, TimerDraft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the draft of the user's next timer, and functions that change and clear it. */
export function useTimerDraft() {
  const { me, workspace } = useCurrentUser();
  const key = `${me.id} ${workspace.id}`;
  const draft = useSyncExternalStore(subscribe, () => drafts.get(key) ?? empty);
  const put = (next: TimerDraft) => {
    drafts.set(key, next);
    for (const listener of listeners) listener();
  };
  return {
    draft,
    change: (changes: Partial<TimerDraft>) => put({ ...(drafts.get(key) ?? empty), ...changes }),
    clear: () => put(empty),
  };
}
