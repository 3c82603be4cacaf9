import "./project.css";
import { projectColor } from "../../base/project-color.ts";
import type { Project } from "./projects.ts";

/** A project's name with its color. */
export function ProjectName({ project }: { project: Pick<Project, "name" | "color"> }) {
  return (
    <span className="project-name">
      <ProjectDot color={project.color} />
      <span className="project-label">{project.name}</span>
    </span>
  );
}

/** The color of a project. */
export function ProjectDot({ color }: Pick<Project, "color">) {
  return <span className="project-dot" aria-hidden="true" style={{ background: projectColor(color) }} />;
}
