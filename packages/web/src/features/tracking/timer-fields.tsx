import { FolderKanban, Tag } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { readDraft } from "../../base/drafts.ts";
import { list, time, timeZone } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { useDraft } from "../../ui/draft.tsx";
import { SuggestField } from "../../ui/suggest-field.tsx";
import { useTwoZones } from "../workspace/zone-note.tsx";
import { ProjectPicker, TagPicker } from "./entry-pickers.tsx";
import type { LockedPeriod } from "./locked-period.ts";
import { timerMessages as text } from "./messages.ts";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";
import { useFormerEntries } from "./suggestions.ts";
import { readTime } from "./time-text.ts";
import { dayIn, instantOf } from "./time-zone.ts";
import type { TimerDraft } from "./timer-draft.ts";

/** The values of the timer's fields, and the function that changes them. */
export type TimerFields = Omit<TimerDraft, "billable"> & {
  billable: boolean;
  projects: readonly Project[];
  /** When the running timer was started. */
  started?: Started;
  change: (changes: Partial<TimerDraft> & { startedAt?: string }) => void;
  /** Keeps the version that the user sees while they type, or ends that. */
  freeze: (frozen: boolean) => void;
};

type Started = { entryId: string; at: string; locked: LockedPeriod | undefined };

/**
 * The description of the work, with suggestions of former entries. A draft changes with each key press; a running timer is saved with
 * Enter, when the field loses the focus, and after a reload.
 */
export function DescriptionField({
  fields: { description, projects, started, change, freeze },
  onEnter,
}: {
  fields: TimerFields;
  /** Called for Enter before the timer runs. */
  onEnter: (() => void) | undefined;
}) {
  const draft = started && `timer ${started.entryId}`;
  const [restored] = useState(() => draft && (readDraft(draft).fields.description as string | undefined));
  const [typed, setTyped] = useState(restored);
  useDraft(
    draft,
    useMemo(() => (typed === undefined ? {} : { description: typed }), [typed]),
  );
  const [suggesting, setSuggesting] = useState(false);
  const value = (started ? typed : undefined) ?? description;
  const former = useFormerEntries(suggesting ? value : "");
  const nameOf = (projectId: string | null) => projects.find(({ id }) => id === projectId);
  const usable = former.filter(({ projectId }) => !nameOf(projectId)?.archivedAt);
  const save = () => {
    setSuggesting(false);
    if (typed === undefined) return freeze(false);
    if (typed.trim() !== description) change({ description: typed.trim() });
    else freeze(false);
  };
  const saveRestored = useEffectEvent(save);
  useEffect(() => {
    if (restored !== undefined) saveRestored();
  }, [restored]);
  // The typed text is shown until the saved description is the same.
  if (typed !== undefined && !suggesting && typed.trim() === description) setTyped(undefined);
  return (
    <SuggestField
      label={text.description}
      shortcut="n"
      value={value}
      maxLength={2000}
      suggestions={usable.map((entry) => {
        const project = nameOf(entry.projectId);
        return {
          id: `${entry.projectId} ${entry.description}`,
          entry,
          content: (
            <>
              <span className="suggested">{entry.description}</span>
              {project && <ProjectName project={project} />}
            </>
          ),
        };
      })}
      onChange={(next) => {
        setSuggesting(true);
        if (started) setTyped(next);
        else change({ description: next });
      }}
      onPick={({ entry: { description, projectId, tags } }) => {
        setSuggesting(false);
        if (started) setTyped(description);
        change(projectId ? { description, projectId, tags } : { description });
      }}
      onFocus={() => freeze(true)}
      onBlur={() => (started ? save() : setSuggesting(false))}
      onEnter={() => {
        if (started) return save();
        setSuggesting(false);
        onEnter?.();
      }}
      onEscape={() => {
        setSuggesting(false);
        setTyped(undefined);
      }}
    />
  );
}

/** The project, which opens a searchable list. */
export function ProjectChip({ fields: { projectId, projects, change } }: { fields: TimerFields }) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const project = projects.find(({ id }) => id === projectId);
  return (
    <>
      <Button
        ref={anchor}
        className="chip"
        data-size="small"
        aria-haspopup="dialog"
        aria-label={text.projectIs(project?.name ?? text.none)}
        onClick={() => setOpen(true)}
      >
        {project ? (
          <>
            <ProjectName project={project} />
            {project.client && <span className="chip-more">{project.client}</span>}
          </>
        ) : (
          <>
            <FolderKanban />
            {text.project}
          </>
        )}
      </Button>
      {open && (
        <ProjectPicker
          anchor={anchor}
          projects={projects}
          selected={projectId}
          onSelect={(next) => change({ projectId: next })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The tags, which open a list in which several can be chosen. They are saved when it closes. */
export function TagsChip({ fields: { tags, change } }: { fields: TimerFields }) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<string[]>();
  const close = () => {
    if (chosen && chosen.join("\n") !== tags.join("\n")) change({ tags: chosen });
    setChosen(undefined);
  };
  return (
    <>
      <Button
        ref={anchor}
        className="tags-chip"
        look="quiet"
        data-size="small"
        aria-haspopup="dialog"
        aria-label={text.tagsAre(tags.length > 0 ? list(tags) : text.none)}
        onClick={() => setChosen(tags)}
      >
        <Tag data-set={tags.length > 0 || undefined} />
        <span className="chip-word">{text.tags}</span>
        {tags.length > 0 && <span className="chip-more">{list(tags)}</span>}
      </Button>
      {chosen && <TagPicker anchor={anchor} selected={chosen} onSelect={setChosen} onClose={close} />}
    </>
  );
}

/** The start of the running timer, which can be changed to another time of its day. */
export function StartChip({ fields, started }: { fields: TimerFields; started: Started }) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const shown = time(started.at);
  return (
    <>
      <Button
        ref={anchor}
        className="since"
        look="quiet"
        data-size="small"
        aria-haspopup="dialog"
        aria-label={text.changeStart(shown)}
        onClick={() => setOpen(true)}
      >
        {text.since(shown)}
      </Button>
      {open && (
        <Popover
          className="menu"
          isOpen
          onOpenChange={() => setOpen(false)}
          triggerRef={anchor}
          placement="bottom end"
          offset={4}
        >
          <Dialog className="start-dialog" aria-label={text.startedAt}>
            <StartForm fields={fields} started={started} shown={shown} onDone={() => setOpen(false)} />
          </Dialog>
        </Popover>
      )}
    </>
  );
}

function StartForm({
  fields: { change },
  started: { at, locked },
  shown,
  onDone,
}: {
  fields: TimerFields;
  started: Started;
  shown: string;
  onDone: () => void;
}) {
  const [typed, setTyped] = useState(shown);
  const [error, setError] = useState<string>();
  const zones = useTwoZones();
  const save = () => {
    if (typed.trim() === shown) return onDone();
    const clock = readTime(typed);
    if (!clock) return setError(text.startUnclear);
    const zone = timeZone();
    const start = instantOf(`${dayIn(zone, new Date(at))}T${clock}`, zone);
    if (start.getTime() > Date.now()) return setError(text.startInFuture);
    if (locked && start < locked.end) return setError(text.startLocked(locked.until));
    change({ startedAt: start.toISOString() });
    onDone();
  };
  return (
    <form
      className="field"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label htmlFor="timer-start">{text.startedAt}</label>
      <input
        id="timer-start"
        // biome-ignore lint/a11y/noAutofocus: the user has opened this field.
        autoFocus
        value={typed}
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby="timer-start-more"
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => {
          setTyped(target.value);
          setError(undefined);
        }}
      />
      <p id="timer-start-more" role="status" className={error ? "error" : "hint"}>
        {error ?? (zones ? text.startHintIn(zones.own) : text.startHint)}
      </p>
      <Button type="submit" look="primary">
        {text.saveStart}
      </Button>
    </form>
  );
}
