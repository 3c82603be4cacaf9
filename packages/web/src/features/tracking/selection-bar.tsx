import type { TimeEntryChanges } from "@svc/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleDollarSign, FolderKanban, Tag, Trash2, X } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { hours } from "../../base/format.ts";
import { Failure } from "../../ui/failure.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { deleteEntries } from "./deleting.ts";
import { storeEntries, type TimeEntry } from "./entries.ts";
import { ProjectPicker, TagPicker } from "./entry-pickers.tsx";
import { entryMessages as text } from "./messages.ts";
import type { Project } from "./projects.ts";

/** The same changes of several entries. */
type Change = { ids: string[]; changes: TimeEntryChanges };

/** The most entries that one request changes. */
const most = 200;

/** The actions for all selected entries, with their number and sum. */
export function SelectionBar({
  entries,
  projects,
  onProblems,
  onClear,
}: {
  entries: readonly TimeEntry[];
  projects: readonly Project[];
  /** Receives why entries could not be changed, by their ids. */
  onProblems: (problems: ReadonlyMap<string, string>) => void;
  onClear: () => void;
}) {
  const client = useQueryClient();
  const ids = entries.map(({ id }) => id);
  const update = useMutation({
    mutationFn: async (changes: readonly Change[]) => {
      onProblems(new Map());
      for (const body of changes)
        try {
          storeEntries(client, (await svc.patch("/api/v1/time-entries", { body })).data);
        } catch (problem) {
          onProblems(problemsOf(problem, body.ids));
          throw problem;
        }
    },
    onSuccess: () => toast(text.saved(entries.length)),
  });
  const seconds = entries.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const tooMany = entries.length > most;
  return (
    <section className="selection-bar" aria-label={text.selection}>
      <span role="status" className="selection-count">
        {text.selected(entries.length)} · <b>{hours(seconds)}</b>
      </span>
      {tooMany ? (
        <span>{text.tooMany(most)}</span>
      ) : (
        <>
          <Choose label={text.setProject} Icon={FolderKanban}>
            {(anchor, close) => (
              <ProjectPicker
                anchor={anchor}
                projects={projects}
                selected={undefined}
                onSelect={(projectId) => update.mutate([{ ids, changes: { projectId } }])}
                onClose={close}
              />
            )}
          </Choose>
          <Tags entries={entries} onSave={update.mutate} />
          <Menu
            className="selection-button"
            label={text.setBillable}
            items={[
              {
                label: text.makeBillable,
                onSelect: () => update.mutate([{ ids, changes: { billable: true } }]),
              },
              {
                label: text.makeNotBillable,
                onSelect: () => update.mutate([{ ids, changes: { billable: false } }]),
              },
            ]}
          >
            <CircleDollarSign />
            <span>{text.setBillable}</span>
          </Menu>
          <button
            type="button"
            className="selection-button"
            data-danger=""
            onClick={() => {
              deleteEntries(client, entries);
              onClear();
            }}
          >
            <Trash2 />
            <span>{text.deleteEntry}</span>
          </button>
        </>
      )}
      <button type="button" className="selection-button" aria-label={text.clearSelection} onClick={onClear}>
        <X />
      </button>
      <div className="selection-error">
        <Failure error={update.error} />
      </div>
    </section>
  );
}

function Choose({
  label,
  Icon,
  children,
}: {
  label: string;
  Icon: typeof Tag;
  children: (anchor: RefObject<HTMLElement | null>, close: () => void) => React.ReactNode;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="selection-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon />
        <span>{label}</span>
      </button>
      {open && children(anchor, () => setOpen(false))}
    </>
  );
}

/** Adds tags to all selected entries, and removes those that all of them have. Other tags stay. */
function Tags({
  entries,
  onSave,
}: {
  entries: readonly TimeEntry[];
  onSave: (changes: readonly Change[]) => void;
}) {
  const [chosen, setChosen] = useState<string[]>();
  const [first, ...others] = entries;
  const shared = (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.includes(tag)));
  const save = (wanted: readonly string[]) => {
    const removed = shared.filter((tag) => !wanted.includes(tag));
    const changes = new Map<string, Change>();
    for (const { id, tags } of entries) {
      const next = [...new Set([...tags.filter((tag) => !removed.includes(tag)), ...wanted])];
      const key = JSON.stringify(next);
      changes.set(key, { ids: [...(changes.get(key)?.ids ?? []), id], changes: { tags: next } });
    }
    onSave([...changes.values()]);
  };
  return (
    <Choose label={text.setTags} Icon={Tag}>
      {(anchor, close) => (
        <TagPicker
          anchor={anchor}
          selected={chosen ?? shared}
          onSelect={setChosen}
          onClose={() => {
            if (chosen) save(chosen);
            setChosen(undefined);
            close();
          }}
        />
      )}
    </Choose>
  );
}

/** Returns the reasons that the API gives for each entry, by their ids. */
function problemsOf(problem: unknown, ids: readonly string[]): Map<string, string> {
  const errors = problem instanceof Problem ? problem.errors : [];
  return new Map(
    errors.flatMap(({ pointer, detail }) => {
      const id = ids[Number(/^\/ids\/(\d+)$/.exec(pointer ?? "")?.[1])];
      return id ? [[id, detail] as const] : [];
    }),
  );
}
