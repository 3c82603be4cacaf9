import "./time.css";
import { Link } from "wouter";
import { Elapsed } from "./elapsed.tsx";
import { useRunningTimer } from "./entries.ts";
import { ProjectName } from "./project-name.tsx";
import { useProjects } from "./projects.ts";
import { StopButton } from "./stop-button.tsx";

/** Shows the running timer, with a stop button, in the header of every page. Renders nothing without a timer. */
export default function TimerSlot() {
  const { data: entry, dataUpdatedAt } = useRunningTimer();
  const project = useProjects().data?.find(({ id }) => id === entry?.projectId);
  if (!entry) return null;
  return (
    <section className="timer-slot" aria-label="Running timer">
      <Link href="/">
        {project ? (
          <ProjectName project={project} />
        ) : (
          <span className="timer-slot-description">{entry.description || "Timer"}</span>
        )}
        <Elapsed seconds={entry.durationSeconds} asOf={dataUpdatedAt} />
      </Link>
      <StopButton compact />
    </section>
  );
}
