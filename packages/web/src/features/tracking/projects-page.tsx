import type { ListedProject } from "@svc/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day, money } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { Button } from "../../ui/button.tsx";
import { FilterBar, SelectFilter, TextFilter, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { type Column, Pagination, Table } from "../../ui/table.tsx";
import { useSeesMoney } from "../workspace/workspace-settings.ts";
import { BudgetBar } from "./budget-bar.tsx";
import { ProjectDialog } from "./project-dialog.tsx";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";

const perPage = 25;

/** Lists the workspace's projects, with budgets and hourly rates for users who see money. */
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
      getFiltered("/api/v1/projects", { ...values, per_page: perPage, include: "budget_status" }, { signal }),
    placeholderData: keepPreviousData,
  });
  const seesMoney = useSeesMoney();
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
        <TextFilter filters={listFilters} name="q" label="Name" />
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
                ...(seesMoney ? moneyColumns : []),
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

const moneyColumns: readonly Column<ListedProject>[] = [
  { heading: "Budget", cell: ({ budgetStatus }) => <BudgetBar status={budgetStatus ?? null} /> },
  { heading: "Hourly rate", numeric: true, cell: rate },
];

function rate({ hourlyRate, currency, billable }: Project): string {
  if (!billable) return "Not billable";
  return hourlyRate === null ? "–" : money({ amount: hourlyRate, currency });
}
