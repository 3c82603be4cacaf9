import type { PageMeta } from "@svc/core/base/page";
import type { View as Project } from "@svc/core/tracking/projects/project";
import { useQuery } from "@tanstack/react-query";
import { get, query } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";

export type { Project };

/** Loads all projects of the workspace, including archived ones, because entries and filters refer to them. */
export function useProjects() {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["projects", workspace.id, "all"],
    queryFn: async ({ signal }) => {
      const projects: Project[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { data, meta } = await get<{ data: Project[]; meta: PageMeta }>(
          query("/api/v1/projects", { archived: "all", page, per_page: 200 }),
          { signal },
        );
        projects.push(...data);
        pages = meta.totalPages;
      }
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
