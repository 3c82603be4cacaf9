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
import { BudgetBar } from "./budget.tsx";
import { ProjectDialog } from "./project-dialog.tsx";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";

/** Each row asks for its budget, so a page has not too many. */
const perPage = 25;

/** The projects of the workspace with their budgets. */
export default function Projects() {
  const { workspace } = useCurrentUser();
  const [, go] = useLocation();
  const [creating, setCreating] = useState(false);
  const filters = useFilters({ q: "", archived: "false", page: "1" });
  const { values } = filters;
  const narrowed = {
    ...filters,
    // Other filters begin at the first page.
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
      <FilterBar filters={narrowed}>
        <TextFilter filters={narrowed} name="q" label="Name" type="search" />
        <SelectFilter
          filters={narrowed}
          name="archived"
          label="Archived"
          options={[
            { value: "false", label: "Without archived ones" },
            { value: "true", label: "Only archived ones" },
            { value: "all", label: "All" },
          ]}
        />
      </FilterBar>
      <Loaded
        query={projects}
        isEmpty={({ data }) => data.length === 0}
        empty={
          narrowed.count > 0 ? (
            <Empty title="No project fits these filters">
              <Button onClick={filters.clear}>Clear the filters</Button>
            </Empty>
          ) : (
            <Empty title="There is no project yet">
              <p>{mayWrite ? "Create the first one." : "Managers of the workspace create them."}</p>
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
                        {[project.client, project.archivedAt && `archived on ${day(project.archivedAt)}`]
                          .filter(Boolean)
                          .join(" · ")}
                      </p>
                    </>
                  ),
                },
                { heading: "Budget", cell: (project) => <BudgetBar project={project} /> },
                { heading: "Rate for an hour", numeric: true, cell: rate },
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
  if (!billable) return "not billable";
  return hourlyRate === null ? "–" : money({ amount: hourlyRate, currency });
}
