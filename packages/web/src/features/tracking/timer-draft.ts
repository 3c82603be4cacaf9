import { useSyncExternalStore } from "react";
import { useCurrentUser } from "../../base/current-user.ts";
import { type Fields, readDraft, subscribeToDrafts, writeDraft } from "../../base/drafts.ts";

/** The details that the user has entered for their next timer. `billable` is undefined while the project decides. */
export type TimerDraft = {
  description: string;
  projectId: string | null;
  tags: string[];
  billable: boolean | undefined;
};

const empty: TimerDraft = { description: "", projectId: null, tags: [], billable: undefined };

/** Returns the draft of the user's next timer in this workspace, and functions that change and clear it. */
export function useTimerDraft() {
  const { workspace } = useCurrentUser();
  const name = `timer ${workspace.id}`;
  const fields = useSyncExternalStore(subscribeToDrafts, () => readDraft(name).fields);
  return {
    draft: withDefaults(fields),
    change: (changes: Partial<TimerDraft>) => {
      const { billable, ...fields } = { ...withDefaults(readDraft(name).fields), ...changes };
      writeDraft(name, { fields: { ...fields, ...(billable !== undefined && { billable }) } });
    },
    clear: () => writeDraft(name, { fields: {} }),
  };
}

function withDefaults(fields: Fields): TimerDraft {
  return { ...empty, ...(fields as Partial<TimerDraft>) };
}
