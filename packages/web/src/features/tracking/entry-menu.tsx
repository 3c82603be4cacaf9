import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Copy, Ellipsis, Pencil, Play, Split, Square, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { useDialogHost } from "../../ui/dialog-host.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { deleteEntries } from "./deleting.ts";
import { refreshEntries, type TimeEntry, useTimer } from "./entries.ts";
import { EntryDialog } from "./entry-dialog.tsx";
import { entryMessages as text } from "./messages.ts";
import type { Project } from "./projects.ts";
import { SplitDialog } from "./split-dialog.tsx";

/** The menu at the end of an entry's row. It acts on the newest version of the entry, also while it is open. */
export function EntryMenu({ entry, projects }: { entry: TimeEntry; projects: readonly Project[] }) {
  const client = useQueryClient();
  const { me } = useCurrentUser();
  const openDialog = useDialogHost();
  const { start, stop } = useTimer();
  const newest = useRef(entry);
  useEffect(() => {
    newest.current = entry;
  });
  const duplicate = useMutation({
    mutationFn: () => svc.post("/api/v1/time-entries/{id}/duplicate", { path: { id: entry.id } }),
    onSuccess: () => {
      toast(text.duplicated);
      return refreshEntries(client);
    },
  });
  const running = entry.endedAt === null;
  const { projectId, billable, tags } = entry;
  const description = entry.description || text.withoutDescription;
  const open = (content: (current: TimeEntry, close: () => void) => React.ReactNode) => () => {
    const { current } = newest;
    openDialog((close) => content(current, close));
  };
  const own = running
    ? { label: text.stopTimer, Icon: Square, onSelect: () => stop.mutate() }
    : {
        label: text.continueEntry,
        Icon: Play,
        onSelect: () => start.mutate({ projectId, description: entry.description, billable, tags }),
      };
  return (
    <>
      <Menu
        label={text.actionsFor(description)}
        items={[
          ...(entry.userId === me.id ? [own] : []),
          ...(running ? [] : [{ label: text.duplicate, Icon: Copy, onSelect: () => duplicate.mutate() }]),
          {
            label: text.split,
            Icon: Split,
            onSelect: open((current, close) => <SplitDialog entry={current} onClose={close} />),
          },
          {
            label: text.editDetails,
            Icon: Pencil,
            onSelect: open((current, close) => (
              <EntryDialog entry={current} projects={projects} onClose={close} />
            )),
          },
          {
            label: text.deleteEntry,
            Icon: Trash2,
            danger: true,
            onSelect: () => deleteEntries(client, [newest.current]),
          },
        ]}
      >
        <Ellipsis />
      </Menu>
      <Failure error={start.error ?? stop.error ?? duplicate.error} />
    </>
  );
}
