import "./time.css";
import { Link } from "wouter";
import { Elapsed } from "./elapsed.tsx";
import { useRunning } from "./entries.ts";
import { ProjectName } from "./project-name.tsx";
import { useProjects } from "./projects.ts";
import { StopButton } from "./stop-button.tsx";

/** In the header of every page: the running timer, counting, and the button that stops it. Nothing while none runs. */
export default function TimerSlot() {
  const { data: entry, dataUpdatedAt } = useRunning();
  const project = useProjects().data?.find(({ id }) => id === entry?.projectId);
  if (!entry) return null;
  return (
    <section className="timer-slot" aria-label="Running timer">
      <Link href="/">
        {project ? (
          <ProjectName project={project} />
        ) : (
          <span className="timer-slot-what">{entry.description || "Timer"}</span>
        )}
        <Elapsed seconds={entry.durationSeconds} asOf={dataUpdatedAt} />
      </Link>
      <StopButton compact />
    </section>
  );
}
