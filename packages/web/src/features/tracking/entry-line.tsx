import { CircleDollarSign, Lock, Pencil } from "lucide-react";
import { type KeyboardEvent, memo, useRef, useState } from "react";
import { Problem, problemMessage } from "../../base/api.ts";
import { hours, money, time } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Elapsed } from "./elapsed.tsx";
import { type TimeEntry, useEntrySave, useRunningTimer } from "./entries.ts";
import { EntryMenu } from "./entry-menu.tsx";
import { entryParts } from "./entry-parts.ts";
import { ProjectPicker, TagPicker } from "./entry-pickers.tsx";
import { durationChange, endChange, startChange } from "./entry-times.ts";
import { entryMessages as text } from "./messages.ts";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";
import { TextCell } from "./text-cell.tsx";

export type LineProps = {
  entry: TimeEntry;
  projects: readonly Project[];
  /** When the entry was loaded, in Unix ms. */
  asOf: number;
  withPerson: boolean;
  /** The user may change this entry. */
  editable: boolean;
  /** The last locked day as text, if the entry is on a locked day. */
  lockedUntil: string | undefined;
  selected: boolean;
  /** Why a change of several entries did not include this one. */
  problem: string | undefined;
  onSelect: (id: string, selected: boolean) => void;
};

/** An entry in the list of Time entries. Its parts are edited in place. */
export const EntryLine = memo(function EntryLine(props: LineProps) {
  const { entry, projects, withPerson, editable, lockedUntil, selected, problem, onSelect } = props;
  const [seen, setSeen] = useState<TimeEntry>();
  const save = useEntrySave(seen ?? entry, entryParts(projects));
  const project = projects.find(({ id }) => id === entry.projectId);
  const fixed = !editable || lockedUntil !== undefined || project?.archivedAt != null;
  const description = entry.description || text.withoutDescription;
  // Texts show their failures themselves.
  const chosen = ["projectId", "tags", "billable"].some((name) => name in (save.variables ?? {}));
  const failure =
    save.isError && chosen
      ? save.error instanceof Problem
        ? problemMessage(save.error)
        : text.failed
      : undefined;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move the focus between the buttons inside. */}
      <div className="line" data-selected={selected || undefined} onKeyDown={moveInRow}>
        {lockedUntil ? (
          <span className="line-check" title={text.lockedUntil(lockedUntil)}>
            <Lock aria-hidden="true" />
            <span className="visually-hidden">{text.locked}</span>
          </span>
        ) : (
          <input
            type="checkbox"
            className="line-check"
            aria-label={text.select(description)}
            checked={selected}
            disabled={fixed}
            onChange={({ target }) => onSelect(entry.id, target.checked)}
          />
        )}
        <TextCell
          className="line-description"
          label={text.description}
          value={entry.description}
          maxLength={2000}
          tabStop
          disabled={fixed}
          onBegin={() => setSeen(entry)}
          save={async (typed) => {
            await save.mutateAsync({ description: typed });
            setSeen(undefined);
          }}
        >
          {entry.description || (
            <span className="hint">{fixed ? text.withoutDescription : text.addDescription}</span>
          )}
        </TextCell>
        {withPerson && <Person entry={entry} />}
        <TagsCell entry={entry} fixed={fixed} onSave={(tags) => save.mutate({ tags })} />
        <ProjectCell
          project={project}
          projects={projects}
          fixed={fixed}
          onSave={(projectId) => save.mutate({ projectId })}
        />
        <BillableCell entry={entry} fixed={fixed} onSave={(billable) => save.mutate({ billable })} />
        <Amount entry={entry} />
        <Times {...props} fixed={fixed} save={save.mutateAsync} />
        <span className="line-actions">{!fixed && <EntryMenu entry={entry} projects={projects} />}</span>
      </div>
      {(problem ?? failure) && (
        <p role="alert" className="error line-problem">
          {problem ?? failure}
        </p>
      )}
    </>
  );
});

/** Moves the focus to the next or previous part of the row with the arrow keys, so that a row has few stops for Tab. */
function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>(".cell")].filter((one) =>
    one.checkVisibility(),
  );
  const at = cells.indexOf(event.target as HTMLElement);
  if (step === 0 || at === -1) return;
  event.preventDefault();
  cells[at + step]?.focus();
}

function Person({ entry: { user, userId, updater } }: { entry: TimeEntry }) {
  const name = user.name || text.formerMember;
  return (
    <span className="line-person" title={name}>
      <Avatar id={user.id} name={user.name} picture={user} size={20} />
      <span className="clip">{name}</span>
      {updater && updater.id !== userId && (
        <span className="line-changed" title={text.changedBy(updater.name || text.formerMember)}>
          <Pencil aria-hidden="true" />
          <span className="visually-hidden">{text.changedBy(updater.name || text.formerMember)}</span>
        </span>
      )}
    </span>
  );
}

function ProjectCell({
  project,
  projects,
  fixed,
  onSave,
}: {
  project: Project | undefined;
  projects: readonly Project[];
  fixed: boolean;
  onSave: (projectId: string | null) => void;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const content = project ? (
    <>
      <ProjectName project={project} />
      {project.archivedAt && <span className="badge">{text.archivedProject}</span>}
    </>
  ) : (
    <span className="hint">{text.noProject}</span>
  );
  if (fixed) return <span className="line-project">{content}</span>;
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="cell line-project"
        tabIndex={-1}
        aria-haspopup="dialog"
        aria-label={text.edit(text.project, project?.name ?? text.noProject)}
        onClick={() => setOpen(true)}
      >
        {content}
      </button>
      {open && (
        <ProjectPicker
          anchor={anchor}
          projects={projects}
          selected={project?.id ?? null}
          onSelect={onSave}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function TagsCell({
  entry: { tags },
  fixed,
  onSave,
}: {
  entry: TimeEntry;
  fixed: boolean;
  onSave: (tags: string[]) => void;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<string[]>();
  const content = tags.map((tag) => (
    <span key={tag} className="badge">
      {tag}
    </span>
  ));
  if (fixed) return <span className="line-tags">{content}</span>;
  const close = () => {
    if (chosen && chosen.join("\n") !== tags.join("\n")) onSave(chosen);
    setChosen(undefined);
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="cell line-tags"
        tabIndex={-1}
        aria-haspopup="dialog"
        onClick={() => setChosen(tags)}
      >
        <span className={tags.length > 0 ? "visually-hidden" : "hint line-add"}>{text.tags}</span>
        {content}
      </button>
      {chosen && <TagPicker anchor={anchor} selected={chosen} onSelect={setChosen} onClose={close} />}
    </>
  );
}

function BillableCell({
  entry: { billable },
  fixed,
  onSave,
}: {
  entry: TimeEntry;
  fixed: boolean;
  onSave: (billable: boolean) => void;
}) {
  const title = billable ? text.billable : text.notBillable;
  if (fixed)
    return (
      <span className="line-billable" title={title}>
        {billable && <CircleDollarSign aria-hidden="true" />}
        <span className="visually-hidden">{title}</span>
      </span>
    );
  return (
    <button
      type="button"
      className="cell line-billable"
      tabIndex={-1}
      aria-label={text.billable}
      aria-pressed={billable}
      title={title}
      onClick={() => onSave(!billable)}
    >
      <CircleDollarSign />
    </button>
  );
}

function Amount({ entry }: { entry: TimeEntry }) {
  const { converted } = entry;
  return (
    <span className="line-amount">
      {entry.billable && entry.hourlyRate !== null && (
        <>
          <span>{money(entry)}</span>
          {converted && (
            <span
              className="hint"
              title={`${converted.rate}, ${converted.rateDate}, ${converted.rateSource}`}
            >
              {money(converted)}
            </span>
          )}
          {converted === null && <span className="hint">{text.noRate}</span>}
        </>
      )}
    </span>
  );
}

function Times({
  entry,
  asOf,
  fixed,
  save,
}: LineProps & { fixed: boolean; save: ReturnType<typeof useEntrySave>["mutateAsync"] }) {
  const running = useRunningTimer();
  const start = time(entry.startedAt);
  // Count from the same data as the timer bar.
  const counting = running.data?.id === entry.id ? running.data : entry;
  return (
    <>
      <span className="line-times">
        <TextCell
          className="line-time"
          label={text.start}
          value={start}
          disabled={fixed}
          onBegin={() => {}}
          save={async (typed) => save(startChange(entry, typed))}
        >
          {start}
        </TextCell>
        <span aria-hidden="true">–</span>
        {entry.endedAt ? (
          <TextCell
            className="line-time"
            label={text.end}
            value={time(entry.endedAt)}
            disabled={fixed}
            onBegin={() => {}}
            save={async (typed) => save(endChange(entry, typed))}
          >
            {time(entry.endedAt)}
          </TextCell>
        ) : (
          <span className="line-time">{text.now}</span>
        )}
      </span>
      {entry.endedAt ? (
        <TextCell
          className="line-duration"
          label={text.duration}
          value={hours(entry.durationSeconds)}
          disabled={fixed}
          onBegin={() => {}}
          save={async (typed) => save(durationChange(entry, typed))}
        >
          {hours(entry.durationSeconds)}
        </TextCell>
      ) : (
        <span className="line-duration">
          <Elapsed
            seconds={counting.durationSeconds}
            asOf={counting === entry ? asOf : running.dataUpdatedAt}
          />
        </span>
      )}
    </>
  );
}
