import "./time.css";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { remove } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day, duration, money, time } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { Elapsed } from "./elapsed.tsx";
import { refreshEntries, type TimeEntry, useRunningTimer, useTimer } from "./entries.ts";
import { EntryDialog } from "./entry-dialog.tsx";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";

/** A time entry, with actions for the user who tracked it. */
export function EntryRow({
  entry,
  projects,
  zone,
  asOf,
  withPerson = false,
  onProject = false,
}: {
  entry: TimeEntry;
  projects: readonly Project[];
  zone: string;
  /** When the entry was loaded, in Unix ms. */
  asOf: number;
  withPerson?: boolean;
  /** Shows the date instead of the project, for the page of a project. */
  onProject?: boolean;
}) {
  const { me } = useCurrentUser();
  const project = projects.find(({ id }) => id === entry.projectId);
  const running = entry.endedAt === null;
  const description = entry.description || "No description";
  // Count from the same data as the other timers on the page.
  const timer = useRunningTimer();
  const [{ durationSeconds }, at] =
    timer.data?.id === entry.id ? [timer.data, timer.dataUpdatedAt] : [entry, asOf];
  return (
    <div className="entry">
      {withPerson && <Avatar id={entry.user.id} name={entry.user.name} src={entry.user.avatar} size={32} />}
      <div className="entry-description">
        <span className={entry.description ? "" : "hint"}>{description}</span>
        <span className="entry-details hint">
          {!onProject && (project ? <ProjectName project={project} /> : <span>No project</span>)}
          {withPerson && <span>{entry.user.name || "Former member"}</span>}
          {entry.tags.map((tag) => (
            <span key={tag} className="badge">
              {tag}
            </span>
          ))}
          {!entry.billable && <span>Not billable</span>}
          {project?.archivedAt && <span>Archived</span>}
        </span>
      </div>
      <div className="entry-when">
        <strong className="entry-duration">
          {running ? <Elapsed seconds={durationSeconds} asOf={at} /> : duration(entry.durationSeconds)}
        </strong>
        <span className="hint">
          {onProject && `${day(entry.startedAt, zone)}, `}
          {time(entry.startedAt, zone)} – {entry.endedAt ? time(entry.endedAt, zone) : "now"}
        </span>
      </div>
      <div className="entry-amount">
        {entry.billable && entry.hourlyRate !== null && <Amount entry={entry} />}
      </div>
      <div className="entry-actions">
        {entry.userId === me.id && !project?.archivedAt && (
          <Actions
            entry={entry}
            description={description}
            projects={projects}
            zone={zone}
            running={running}
          />
        )}
      </div>
    </div>
  );
}

function Amount({ entry }: { entry: TimeEntry }) {
  const { converted } = entry;
  return (
    <>
      <span>{money(entry)}</span>
      {converted && (
        <span className="hint" title={`${converted.rate} on ${converted.rateDate}, ${converted.rateSource}`}>
          {money(converted)}
        </span>
      )}
      {converted === null && <span className="hint">No exchange rate</span>}
    </>
  );
}

function Actions({
  entry,
  description,
  projects,
  zone,
  running,
}: {
  entry: TimeEntry;
  description: string;
  projects: readonly Project[];
  zone: string;
  running: boolean;
}) {
  const [open, setOpen] = useState<"edit" | "delete">();
  const { start, stop } = useTimer();
  const close = () => setOpen(undefined);
  const { projectId, billable, tags } = entry;
  return (
    <>
      <Menu
        label={`Actions for ${description}`}
        items={[
          running
            ? { label: "Stop timer", onSelect: () => stop.mutate() }
            : {
                label: "Continue",
                onSelect: () => start.mutate({ projectId, description: entry.description, billable, tags }),
              },
          { label: "Edit", onSelect: () => setOpen("edit") },
          { label: "Delete", onSelect: () => setOpen("delete") },
        ]}
      >
        <span aria-hidden="true" className="dots">
          ⋯
        </span>
      </Menu>
      <Failure error={start.error ?? stop.error} />
      {open === "edit" && <EntryDialog entry={entry} projects={projects} zone={zone} onClose={close} />}
      {open === "delete" && <Delete entry={entry} description={description} onClose={close} />}
    </>
  );
}

function Delete({
  entry,
  description,
  onClose,
}: {
  entry: TimeEntry;
  description: string;
  onClose: () => void;
}) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      title="Delete this entry?"
      confirmLabel="Delete entry"
      action={() => remove(`/api/v1/time-entries/${entry.id}`)}
      onDone={() => {
        onClose();
        toast("Entry deleted.");
        void refreshEntries(client);
      }}
      onClose={onClose}
    >
      <p>
        “{description}” ({duration(entry.durationSeconds)}) is also removed from reports and budgets. This
        cannot be undone.
      </p>
    </ConfirmAction>
  );
}
