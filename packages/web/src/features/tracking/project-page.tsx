import "./time.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { get, Problem, query, remove } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { dayTime, money } from "../../base/format.ts";
import { refreshAfterDelete } from "../../base/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { Archiving } from "./archiving.tsx";
import { BudgetBar } from "./budget.tsx";
import { type EntryStretch, useRunning, useTimer } from "./entries.ts";
import { EntryRow } from "./entry-row.tsx";
import { ProjectDialog } from "./project-dialog.tsx";
import { type Project, useProjects } from "./projects.ts";

/** One project: its terms, its budget, its last entries, and what can be done with it. */
export default function ProjectPage() {
  const { id = "" } = useParams<{ id: string }>();
  const { workspace } = useCurrentUser();
  const project = useQuery({
    queryKey: ["projects", workspace.id, id],
    queryFn: ({ signal }) => get<Project>(`/api/v1/projects/${encodeURIComponent(id)}`, { signal }),
  });
  if (project.error instanceof Problem && project.error.status === 404)
    return (
      <Page title="Project">
        <Empty title="There is no such project in this workspace">
          <p>
            <Link href="/projects">All projects</Link>
          </p>
        </Empty>
      </Page>
    );
  return (
    <Page
      title={project.data?.name ?? "Project"}
      actions={project.data && <Actions project={project.data} />}
    >
      <Loaded query={project}>
        {(data) => (
          <>
            <Facts project={data} />
            <LastEntries project={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ project }: { project: Project }) {
  const { workspace } = useCurrentUser();
  const [open, setOpen] = useState<"change" | "delete">();
  const running = useRunning().data;
  const { start } = useTimer();
  const close = () => setOpen(undefined);
  return (
    <>
      {!project.archivedAt && running?.projectId !== project.id && (
        <Button look="primary" busy={start.isPending} onClick={() => start.mutate({ projectId: project.id })}>
          {running ? "Switch the timer to it" : "Start the timer"}
        </Button>
      )}
      <Failure error={start.error} />
      {hasRole(workspace.role, "manager") && (
        <>
          <Button onClick={() => setOpen("change")}>Change</Button>
          <Archiving project={project} />
          <Button onClick={() => setOpen("delete")}>Delete</Button>
        </>
      )}
      {open === "change" && <ProjectDialog project={project} onClose={close} />}
      {open === "delete" && <Delete project={project} onClose={close} />}
    </>
  );
}

function Delete({ project, onClose }: { project: Project; onClose: () => void }) {
  const [, go] = useLocation();
  return (
    <ConfirmAction
      title={`Delete ${project.name}?`}
      confirmLabel="Delete"
      action={() => remove(`/api/v1/projects/${project.id}`)}
      onDone={() => {
        refreshAfterDelete("projects", project.id);
        toast(`${project.name} is deleted.`);
        go("/projects");
      }}
      onClose={onClose}
    >
      <p>Only a project that no time was tracked on can be deleted. It cannot be brought back.</p>
    </ConfirmAction>
  );
}

function Facts({ project }: { project: Project }) {
  const { client, hourlyRate, currency, billable, archivedAt, lastTrackedAt } = project;
  return (
    <section aria-label="Terms">
      {archivedAt && (
        <p className="notice">
          Archived on {dayTime(archivedAt)}. No time on it can be added or changed; reports keep it.
        </p>
      )}
      <dl className="project-facts">
        <div>
          <dt>Client</dt>
          <dd>{client || "–"}</dd>
        </div>
        <div>
          <dt>Rate for an hour</dt>
          <dd>
            {hourlyRate === null ? `none, in ${currency}` : money({ amount: hourlyRate, currency })}
            {!billable && ", not billable"}
          </dd>
        </div>
        <div>
          <dt>Last time tracked</dt>
          <dd>{lastTrackedAt ? dayTime(lastTrackedAt) : "never"}</dd>
        </div>
        <div>
          <dt>Budget</dt>
          <dd>
            <BudgetBar project={project} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

const shownEntries = 10;

function LastEntries({ project }: { project: Project }) {
  const { workspace } = useCurrentUser();
  const everybody = hasRole(workspace.role, "manager");
  const settings = useWorkspaceSettings();
  const projects = useProjects();
  const entries = useQuery({
    queryKey: ["time-entries", workspace.id, "project", project.id],
    queryFn: ({ signal }) => {
      const parameters = { project_id: project.id, limit: shownEntries };
      return get<EntryStretch>(query("/api/v1/time-entries", parameters), { signal });
    },
  });
  return (
    <section aria-labelledby="last-entries">
      <div className="section-head">
        <h2 id="last-entries">{everybody ? "Last entries" : "My last entries"}</h2>
        <Link href={query("/time-entries", { project_id: project.id })}>All its entries</Link>
      </div>
      <Loaded query={settings}>
        {({ timezone }) => (
          <Loaded
            query={entries}
            isEmpty={({ data }) => data.length === 0}
            empty={<Empty title="No time is tracked on it yet" />}
          >
            {({ data }) => (
              <ul className="plain-list" aria-label="Last entries">
                {data.map((entry) => (
                  <li key={entry.id}>
                    <EntryRow
                      entry={entry}
                      projects={projects.data ?? [project]}
                      zone={timezone}
                      asOf={entries.dataUpdatedAt}
                      withPerson={everybody}
                      onProject
                    />
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  );
}
