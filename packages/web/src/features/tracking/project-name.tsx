import "./project.css";
import type { Project } from "./projects.ts";

/** A project's name with its color. */
export function ProjectName({ project }: { project: Pick<Project, "name" | "color"> }) {
  return (
    <span className="project-name">
      <span className="project-dot" aria-hidden="true" style={{ background: project.color }} />
      {project.name}
    </span>
  );
}
