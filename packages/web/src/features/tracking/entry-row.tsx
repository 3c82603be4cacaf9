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
import { entriesChanged, type TimeEntry, useRunning, useTimer } from "./entries.ts";
import { EntryDialog } from "./entry-dialog.tsx";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";

/** One time entry with what its person can do about it. */
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
  /** When the entry was fetched, Unix ms. */
  asOf: number;
  withPerson?: boolean;
  /** On the page of its project, which needs no name, but the day. */
  onProject?: boolean;
}) {
  const { me } = useCurrentUser();
  const project = projects.find(({ id }) => id === entry.projectId);
  const running = entry.endedAt === null;
  const what = entry.description || "No description";
  // The same count as everywhere else on the page.
  const timer = useRunning();
  const [counted, at] = timer.data?.id === entry.id ? [timer.data, timer.dataUpdatedAt] : [entry, asOf];
  return (
    <div className="entry">
      {withPerson && <Avatar id={entry.user.id} name={entry.user.name} src={entry.user.avatar} size={32} />}
      <div className="entry-what">
        <span className={entry.description ? "" : "hint"}>{what}</span>
        <span className="entry-about hint">
          {!onProject && (project ? <ProjectName project={project} /> : <span>No project</span>)}
          {withPerson && <span>{entry.user.name || "Former member"}</span>}
          {entry.tags.map((tag) => (
            <span key={tag} className="badge">
              {tag}
            </span>
          ))}
          {!entry.billable && <span>not billable</span>}
          {project?.archivedAt && <span>archived</span>}
        </span>
      </div>
      <div className="entry-when">
        <strong className="entry-duration">
          {running ? (
            <Elapsed seconds={counted.durationSeconds} asOf={at} />
          ) : (
            duration(entry.durationSeconds)
          )}
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
          <Actions entry={entry} what={what} projects={projects} zone={zone} running={running} />
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
      {converted === null && <span className="hint">no rate</span>}
    </>
  );
}

function Actions({
  entry,
  what,
  projects,
  zone,
  running,
}: {
  entry: TimeEntry;
  what: string;
  projects: readonly Project[];
  zone: string;
  running: boolean;
}) {
  const [open, setOpen] = useState<"change" | "delete">();
  const { start, stop } = useTimer();
  const close = () => setOpen(undefined);
  const { projectId, description, billable, tags } = entry;
  return (
    <>
      <Menu
        label={`Actions for ${what}`}
        items={[
          running
            ? { label: "Stop", onSelect: () => stop.mutate() }
            : { label: "Continue", onSelect: () => start.mutate({ projectId, description, billable, tags }) },
          { label: "Change", onSelect: () => setOpen("change") },
          { label: "Delete", onSelect: () => setOpen("delete") },
        ]}
      >
        <span aria-hidden="true" className="dots">
          ⋯
        </span>
      </Menu>
      <Failure error={start.error ?? stop.error} />
      {open === "change" && <EntryDialog entry={entry} projects={projects} zone={zone} onClose={close} />}
      {open === "delete" && <Delete entry={entry} what={what} onClose={close} />}
    </>
  );
}

function Delete({ entry, what, onClose }: { entry: TimeEntry; what: string; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      title="Delete this entry?"
      confirmLabel="Delete"
      action={() => remove(`/api/v1/time-entries/${entry.id}`)}
      onDone={() => {
        onClose();
        toast("The entry is deleted.");
        void entriesChanged(client);
      }}
      onClose={onClose}
    >
      <p>
        “{what}”, {duration(entry.durationSeconds)}. It leaves reports and budgets too, and cannot be brought
        back.
      </p>
    </ConfirmAction>
  );
}
