import "./timer-bar.css";
import type { TimeEntryChanges } from "@svc/client";
import { CircleDollarSign, Play, SlidersHorizontal, Square } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { duration } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Conflicts } from "../../ui/conflict.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Elapsed, useElapsed } from "./elapsed.tsx";
import { type TimeEntry, useEntrySave, useRunningTimer, useTimer } from "./entries.ts";
import { entryParts } from "./entry-parts.ts";
import { useLockedPeriod } from "./locked-period.ts";
import { timerMessages as text } from "./messages.ts";
import { useProjects } from "./projects.ts";
import { useTimerDraft } from "./timer-draft.ts";
import { DescriptionField, ProjectChip, StartChip, TagsChip, type TimerFields } from "./timer-fields.tsx";

/** The timer above every page: what the user works on, for how long, and the button that starts and stops it. */
export default function TimerSlot() {
  return (
    <Conflicts>
      <TimerBar />
    </Conflicts>
  );
}

function TimerBar() {
  const running = useRunningTimer();
  const entry = running.data ?? undefined;
  const { fields, error } = useTimerFields(entry);
  const { draft, clear } = useTimerDraft();
  const { start, stop } = useTimer();
  const begin = () => {
    const { description, projectId, tags, billable } = draft;
    const details = { description: description.trim(), projectId, tags: [...tags] };
    start.mutate({ ...details, ...(billable !== undefined && { billable }) }, { onSuccess: clear });
  };
  return (
    <section className="timer-bar" aria-label={text.region}>
      <DescriptionField key={entry?.id ?? "draft"} fields={fields} onEnter={entry ? undefined : begin} />
      <div className="timer-extras">
        <Extras fields={fields} />
      </div>
      <DetailsSheet>
        <Extras fields={fields} />
      </DetailsSheet>
      {entry ? (
        <>
          <TitleClock entry={entry} asOf={running.dataUpdatedAt} />
          <Elapsed seconds={entry.durationSeconds} asOf={running.dataUpdatedAt} />
        </>
      ) : (
        <span className="elapsed" aria-hidden="true">
          {duration(0)}
        </span>
      )}
      <Button
        className="timer-go"
        aria-keyshortcuts="s"
        look={entry ? "ink" : "primary"}
        busy={start.isPending || stop.isPending || running.data === undefined}
        onClick={() => (entry ? stop.mutate() : begin())}
      >
        {entry ? <Square data-filled="" /> : <Play data-filled="" />}
        <span className="timer-word">{entry ? text.stop : text.start}</span>
      </Button>
      <div className="timer-error">
        <Failure error={error ?? start.error ?? stop.error} />
      </div>
    </section>
  );
}

/** Returns the fields of the running timer, which save their changes, or else those of the next timer. */
function useTimerFields(entry: TimeEntry | undefined): { fields: TimerFields; error: unknown } {
  const projects = useProjects().data ?? [];
  const locked = useLockedPeriod();
  const { draft, change } = useTimerDraft();
  // While a description is typed, its changes are for the version that the user has seen.
  const [seen, setSeen] = useState<TimeEntry>();
  const save = useEntrySave(seen ?? entry, entryParts(projects));
  if (!entry) {
    const billable = draft.billable ?? projects.find(({ id }) => id === draft.projectId)?.billable ?? false;
    return { fields: { ...draft, billable, projects, change, freeze: () => {} }, error: undefined };
  }
  const { id, description, projectId, tags, billable, startedAt } = entry;
  return {
    fields: {
      description,
      projectId,
      tags,
      billable,
      projects,
      started: { entryId: id, at: startedAt, locked },
      // The mutation reports its failure, and the fields keep what the user has entered.
      change: (changes) => save.mutate(changes as TimeEntryChanges, { onSettled: () => setSeen(undefined) }),
      freeze: (frozen) => setSeen(frozen ? entry : undefined),
    },
    error: save.error,
  };
}

function Extras({ fields }: { fields: TimerFields }) {
  const { billable, change, started } = fields;
  return (
    <>
      <ProjectChip fields={fields} />
      <TagsChip fields={fields} />
      <Button
        look="quiet"
        data-icon=""
        aria-label={text.billable}
        title={billable ? text.billable : text.notBillable}
        aria-pressed={billable}
        onClick={() => change({ billable: !billable })}
      >
        <CircleDollarSign />
        <span className="chip-word">{text.billable}</span>
      </Button>
      {started && <StartChip fields={fields} started={started} />}
    </>
  );
}

/** On phones, the details of the timer open in a sheet. */
function DetailsSheet({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        className="timer-more"
        look="quiet"
        data-icon=""
        aria-label={text.details}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal />
      </Button>
      {open && (
        <Dialog title={text.details} onClose={close}>
          <div className="timer-sheet">{children}</div>
          <div className="dialog-actions">
            <Button look="primary" onClick={close}>
              {text.done}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Shows the elapsed time in the title of the browser tab, before the title of the page. */
function TitleClock({ entry, asOf }: { entry: TimeEntry; asOf: number }) {
  const elapsed = duration(useElapsed(entry.durationSeconds, asOf));
  useEffect(() => {
    document.title = text.titleWith(elapsed, document.title.replace(counted, ""));
  }, [elapsed]);
  useEffect(
    () => () => {
      document.title = document.title.replace(counted, "");
    },
    [],
  );
  return null;
}

const counted = /^\d+:\d\d:\d\d · /;
