import type { PageMeta } from "@svc/core/base/page";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { get, query } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day, money } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { FilterBar, SelectFilter, TextFilter, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Pagination, Table } from "../../ui/table.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { ProjectDialog } from "./project-dialog.tsx";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";

/** Projects per page. Small, because every row loads its budget with a request. */
const perPage = 25;

/** Lists the workspace's projects with their budgets. */
export default function Projects() {
  const { workspace } = useCurrentUser();
  const [, go] = useLocation();
  const [creating, setCreating] = useState(false);
  const filters = useFilters({ q: "", archived: "false", page: "1" });
  const { values } = filters;
  const listFilters = {
    ...filters,
    // A changed filter starts at the first page.
    set: (changes: Partial<typeof values>) => filters.set({ page: "1", ...changes }),
    count: filters.count - (values.page === "1" ? 0 : 1),
  };
  const projects = useQuery({
    queryKey: ["projects", workspace.id, "list", values],
    queryFn: ({ signal }) =>
      get<{ data: Project[]; meta: PageMeta }>(query("/api/v1/projects", { ...values, per_page: perPage }), {
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const mayWrite = hasRole(workspace.role, "manager");
  return (
    <Page
      title="Projects"
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setCreating(true)}>
            New project
          </Button>
        )
      }
    >
      <FilterBar filters={listFilters}>
        <TextFilter filters={listFilters} name="q" label="Name" type="search" />
        <SelectFilter
          filters={listFilters}
          name="archived"
          label="Status"
          options={[
            { value: "false", label: "Active" },
            { value: "true", label: "Archived" },
            { value: "all", label: "All" },
          ]}
        />
      </FilterBar>
      <Loaded
        query={projects}
        isEmpty={({ data }) => data.length === 0}
        empty={
          listFilters.count > 0 ? (
            <Empty title="No projects match these filters">
              <Button onClick={filters.clear}>Clear filters</Button>
            </Empty>
          ) : (
            <Empty title="No projects yet">
              <p>
                {mayWrite
                  ? "Create your first project to track time on it."
                  : "Managers of this workspace can create projects."}
              </p>
            </Empty>
          )
        }
      >
        {({ data, meta }) => (
          <>
            <Table
              caption="Projects"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                {
                  heading: "Project",
                  cell: (project) => (
                    <>
                      <Link href={`/projects/${project.id}`}>
                        <ProjectName project={project} />
                      </Link>
                      <p className="hint">
                        {[project.client, project.archivedAt && `Archived on ${day(project.archivedAt)}`]
                          .filter(Boolean)
                          .join(" · ")}
                      </p>
                    </>
                  ),
                },
                { heading: "Budget", cell: (project) => <BudgetBar project={project} /> },
                { heading: "Hourly rate", numeric: true, cell: rate },
              ]}
            />
            <Pagination
              page={meta.page}
              totalPages={meta.totalPages}
              onPage={(page) => filters.set({ page: String(page) })}
            />
          </>
        )}
      </Loaded>
      {creating && (
        <ProjectDialog onClose={() => setCreating(false)} onDone={({ id }) => go(`/projects/${id}`)} />
      )}
    </Page>
  );
}

function rate({ hourlyRate, currency, billable }: Project): string {
  if (!billable) return "Not billable";
  return hourlyRate === null ? "–" : money({ amount: hourlyRate, currency });
}
