import "./time.css";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Pencil, Play, Square, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day, duration, money, time } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { useDialogHost } from "../../ui/dialog-host.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { useCorrectable } from "./correctable.ts";
import { Elapsed } from "./elapsed.tsx";
import { refreshEntries, type TimeEntry, useRunningTimer, useTimer } from "./entries.ts";
import { EntryDialog } from "./entry-dialog.tsx";
import { entryParts } from "./entry-parts.ts";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";
import { dayIn } from "./time-zone.ts";

/** A time entry, with actions for users who may change it. */
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
  const isCorrectable = useCorrectable();
  const settings = useWorkspaceSettings().data;
  const locked =
    settings?.plan === "ENTERPRISE" &&
    settings.lockedUntil !== null &&
    dayIn(zone, new Date(entry.startedAt)) <= settings.lockedUntil;
  const project = projects.find(({ id }) => id === entry.projectId);
  const running = entry.endedAt === null;
  const description = entry.description || "No description";
  // Count from the same data as the other timers on the page.
  const timer = useRunningTimer();
  const [{ durationSeconds }, at] =
    timer.data?.id === entry.id ? [timer.data, timer.dataUpdatedAt] : [entry, asOf];
  return (
    <div className="entry">
      {withPerson && <Avatar id={entry.user.id} name={entry.user.name} picture={entry.user} size={32} />}
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
          {locked && <span>Locked</span>}
          {entry.updater && entry.updater.id !== entry.userId && (
            <span>Changed by {entry.updater.name || "a former member"}</span>
          )}
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
        {isCorrectable(entry.userId) && !project?.archivedAt && !locked && (
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
  const { me } = useCurrentUser();
  const openDialog = useDialogHost();
  const { start, stop } = useTimer();
  const { projectId, billable, tags } = entry;
  // An open menu keeps its actions when the entry changes, for example because its timer stops. They act on the newest version.
  const newest = useRef(entry);
  useEffect(() => {
    newest.current = entry;
  });
  const own = running
    ? { label: "Stop timer", Icon: Square, onSelect: () => stop.mutate() }
    : {
        label: "Continue",
        Icon: Play,
        onSelect: () => start.mutate({ projectId, description: entry.description, billable, tags }),
      };
  return (
    <>
      <Menu
        label={`Actions for ${description}`}
        items={[
          ...(entry.userId === me.id ? [own] : []),
          {
            label: "Edit",
            Icon: Pencil,
            onSelect: () => {
              const { current } = newest;
              openDialog((close) => (
                <EntryDialog entry={current} projects={projects} zone={zone} onClose={close} />
              ));
            },
          },
          {
            label: "Delete",
            Icon: Trash2,
            danger: true,
            onSelect: () => {
              const { current } = newest;
              openDialog((close) => (
                <Delete
                  entry={current}
                  projects={projects}
                  zone={zone}
                  description={description}
                  onClose={close}
                />
              ));
            },
          },
        ]}
      >
        <Ellipsis />
      </Menu>
      <Failure error={start.error ?? stop.error} />
    </>
  );
}

function Delete({
  entry,
  projects,
  zone,
  description,
  onClose,
}: {
  entry: TimeEntry;
  projects: readonly Project[];
  zone: string;
  description: string;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const { me } = useCurrentUser();
  const edit = useEdit(entry, entryParts(projects, zone));
  return (
    <ConfirmAction
      title="Delete this entry?"
      confirmLabel="Delete entry"
      action={() =>
        edit.remove((ifMatch) => svc.delete("/api/v1/time-entries/{id}", { path: { id: entry.id }, ifMatch }))
      }
      onDone={() => {
        onClose();
        toast("Entry deleted.");
        void refreshEntries(client);
      }}
      onClose={onClose}
    >
      <p>
        “{description}” ({duration(entry.durationSeconds)}
        {entry.userId === me.id ? "" : `, ${entry.user.name || "former member"}`}) is also removed from
        reports and budgets. This cannot be undone.
      </p>
    </ConfirmAction>
  );
}
