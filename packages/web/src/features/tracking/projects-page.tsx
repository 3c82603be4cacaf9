import type { ListedProject } from "@svc/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Ellipsis, Pencil } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day, money } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { Button } from "../../ui/button.tsx";
import { useDialogHost } from "../../ui/dialog-host.tsx";
import { Failure } from "../../ui/failure.tsx";
import { FilterBar, SelectFilter, TextFilter, useFilters } from "../../ui/filters.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { type Column, Pagination, Table } from "../../ui/table.tsx";
import { useSeesMoney } from "../workspace/workspace-settings.ts";
import { ArchiveDialog, useRestore } from "./archive-button.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { messages } from "./messages.ts";
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
      title={messages.projects}
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setCreating(true)}>
            {messages.newProject}
          </Button>
        )
      }
    >
      <FilterBar filters={listFilters}>
        <TextFilter filters={listFilters} name="q" label={messages.name} />
        <SelectFilter
          filters={listFilters}
          name="archived"
          label={messages.status}
          options={[
            { value: "false", label: messages.statuses.active },
            { value: "true", label: messages.statuses.archived },
            { value: "all", label: messages.statuses.all },
          ]}
        />
      </FilterBar>
      <Loaded
        query={projects}
        isEmpty={({ data }) => data.length === 0}
        empty={
          listFilters.count > 0 ? (
            <Empty title={messages.noneMatch}>
              <Button onClick={filters.clear}>{messages.clearFilters}</Button>
            </Empty>
          ) : (
            <Empty title={messages.noProjects}>
              <p>{mayWrite ? messages.createFirst : messages.managersCreate}</p>
            </Empty>
          )
        }
      >
        {({ data, meta }) => (
          <>
            <Table
              stacked
              caption={messages.projects}
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { heading: messages.project, cell: (project) => <Name project={project} /> },
                ...(seesMoney ? moneyColumns : []),
                ...(mayWrite ? [actionsColumn] : []),
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

function Name({ project }: { project: ListedProject }) {
  const details = [
    project.client,
    ...(project.archivedAt ? [messages.archivedOn(day(project.archivedAt))] : []),
  ].filter(Boolean);
  return (
    <div className="project-cell">
      <Link href={`/projects/${project.id}`}>
        <ProjectName project={project} />
      </Link>
      {details.map((detail) => (
        <span key={detail} className="hint">
          {detail}
        </span>
      ))}
    </div>
  );
}

const moneyColumns: readonly Column<ListedProject>[] = [
  { heading: messages.budget, cell: ({ budgetStatus }) => <BudgetBar status={budgetStatus ?? null} /> },
  { heading: messages.hourlyRate, numeric: true, phone: "hidden", cell: rate },
];

const actionsColumn: Column<ListedProject> = {
  heading: messages.actions,
  numeric: true,
  phone: "end",
  cell: (project) => <Actions project={project} />,
};

function Actions({ project }: { project: ListedProject }) {
  const { workspace } = useCurrentUser();
  const openDialog = useDialogHost();
  const restore = useRestore(project);
  const edit = {
    label: messages.editProject,
    Icon: Pencil,
    onSelect: () => openDialog((close) => <ProjectDialog project={project} onClose={close} />),
  };
  const archive = {
    label: messages.archive,
    Icon: Archive,
    onSelect: () => openDialog((close) => <ArchiveDialog project={project} onClose={close} />),
  };
  const back = { label: messages.restore, Icon: ArchiveRestore, onSelect: () => restore.mutate() };
  const mayArchive = hasPlan(workspace.plan, "ENTERPRISE");
  return (
    <>
      <Menu
        label={messages.actionsFor(project.name)}
        items={[edit, ...(project.archivedAt ? [back] : mayArchive ? [archive] : [])]}
      >
        <Ellipsis />
      </Menu>
      <Failure error={restore.error} />
    </>
  );
}

function rate({ hourlyRate, currency, billable }: Project): string {
  if (!billable) return messages.rateNotBillable;
  return hourlyRate === null ? messages.noRate : money({ amount: hourlyRate, currency });
}
