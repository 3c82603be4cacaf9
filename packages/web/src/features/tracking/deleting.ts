import type { QueryClient } from "@tanstack/react-query";
import { Problem, problemMessage, svc } from "../../base/api.ts";
import { toast } from "../../ui/toast.tsx";
import { forgetEntries, refreshEntries, type TimeEntry } from "./entries.ts";
import { entryMessages as text } from "./messages.ts";
import { hide, pending, sendDeletions, show } from "./pending-deletions.ts";

addEventListener("pagehide", () => void sendDeletions());

/**
 * Deletes entries after ten seconds, in which the user can undo it. Until then they are only hidden, so that Undo brings back the
 * same entries, with their ids and rates. If the deletion fails, they appear again and the user learns why.
 */
export function deleteEntries(client: QueryClient, entries: readonly TimeEntry[]): void {
  const ids = entries.map(({ id }) => id);
  hide(ids);
  forgetEntries(client, ids);
  const send = async () => {
    if (!pending.delete(send)) return;
    try {
      await remove(entries);
    } catch (problem) {
      toast(problem instanceof Problem ? problemMessage(problem) : text.deletionFailed);
    }
    show(ids);
    await refreshEntries(client);
  };
  pending.add(send);
  toast(text.deleted(entries.length), {
    label: text.undo,
    onAction: () => {
      if (!pending.delete(send)) return;
      show(ids);
      void refreshEntries(client);
    },
    onClose: () => void send(),
  });
}

async function remove(entries: readonly TimeEntry[]): Promise<void> {
  const [only] = entries;
  if (only && entries.length === 1)
    return svc.delete("/api/v1/time-entries/{id}", {
      path: { id: only.id },
      ifMatch: only.version,
      keepalive: true,
    });
  const ids = entries.map(({ id }) => id);
  await svc.post("/api/v1/time-entries/delete", { body: { ids }, keepalive: true });
}
