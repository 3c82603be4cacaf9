import "./time.css";
import { day, duration, money, number, plainDay, time } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { useCorrectable } from "./correctable.ts";
import { Elapsed } from "./elapsed.tsx";
import { type TimeEntry, useRunningTimer } from "./entries.ts";
import { EntryMenu } from "./entry-menu.tsx";
import { useLockedPeriod } from "./locked-period.ts";
import { entryMessages } from "./messages.ts";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";

/** A time entry, with actions for users who may change it. */
export function EntryRow({
  entry,
  projects,
  asOf,
  withPerson = false,
  onProject = false,
}: {
  entry: TimeEntry;
  projects: readonly Project[];
  /** When the entry was loaded, in Unix ms. */
  asOf: number;
  withPerson?: boolean;
  /** Shows the date instead of the project, for the page of a project. */
  onProject?: boolean;
}) {
  const isCorrectable = useCorrectable();
  const period = useLockedPeriod();
  const locked = period && new Date(entry.startedAt) < period.end;
  const project = projects.find(({ id }) => id === entry.projectId);
  const running = entry.endedAt === null;
  const description = entry.description || entryMessages.withoutDescription;
  const start = time(entry.startedAt);
  const end = entry.endedAt ? time(entry.endedAt) : entryMessages.now;
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
          {!onProject &&
            (project ? <ProjectName project={project} /> : <span>{entryMessages.noProject}</span>)}
          {withPerson && <span>{entry.user.name || entryMessages.formerMember}</span>}
          {entry.tags.map((tag) => (
            <span key={tag} className="badge">
              {tag}
            </span>
          ))}
          {!entry.billable && <span>{entryMessages.notBillable}</span>}
          {project?.archivedAt && <span>{entryMessages.archivedProject}</span>}
          {locked && <span>{entryMessages.locked}</span>}
          {entry.updater && entry.updater.id !== entry.userId && (
            <span>
              {entry.updater.name
                ? entryMessages.changedBy(entry.updater.name)
                : entryMessages.changedByFormerMember}
            </span>
          )}
        </span>
      </div>
      <div className="entry-when">
        <strong className="entry-duration">
          {running ? <Elapsed seconds={durationSeconds} asOf={at} /> : duration(entry.durationSeconds)}
        </strong>
        <span className="hint">
          {onProject
            ? entryMessages.dayFromTo(day(entry.startedAt), start, end)
            : entryMessages.fromTo(start, end)}
        </span>
      </div>
      <div className="entry-amount">
        {entry.billable && entry.hourlyRate !== null && <Amount entry={entry} />}
      </div>
      <div className="entry-actions">
        {isCorrectable(entry.userId) && !project?.archivedAt && !locked && (
          <EntryMenu entry={entry} projects={projects} />
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
        <span
          className="hint"
          title={entryMessages.rateOf(
            number(converted.rate),
            plainDay(converted.rateDate),
            converted.rateSource,
          )}
        >
          {money(converted)}
        </span>
      )}
      {converted === null && <span className="hint">{entryMessages.noRate}</span>}
    </>
  );
}
