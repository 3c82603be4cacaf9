import type { Project } from "@svc/client";
import { useQuery } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";

export type { Project };

/** Loads all projects of the workspace, including archived ones, because entries and filters refer to them. */
export function useProjects() {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["projects", workspace.id, "all"],
    queryFn: async ({ signal }) => {
      const projects: Project[] = [];
      const query = { archived: "all", per_page: 200 } as const;
      for await (const project of svc.each("/api/v1/projects", { query, signal })) projects.push(project);
      return projects;
    },
  });
}

/** Returns the options of a project select: the active projects, and the selected one even if it is archived. */
export function projectOptions(
  projects: readonly Project[],
  selected = "",
): { value: string; label: string }[] {
  return projects
    .filter(({ id, archivedAt }) => !archivedAt || id === selected)
    .map(({ id, name, client }) => ({ value: id, label: client ? `${name} (${client})` : name }));
}
