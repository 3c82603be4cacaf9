import "./time.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { Problem, svc } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { dayTime, money } from "../../base/format.ts";
import { refreshAfterDelete } from "../../base/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useSeesMoney } from "../workspace/workspace-settings.ts";
import { OwnTimes } from "../workspace/zone-note.tsx";
import { ArchiveButton } from "./archive-button.tsx";
import { ProjectBudget } from "./budget-bar.tsx";
import { listEntries, useRunningTimer, useTimer } from "./entries.ts";
import { EntryRow } from "./entry-row.tsx";
import { projectMessages } from "./messages.ts";
import { ProjectDialog, projectParts } from "./project-dialog.tsx";
import { type Project, useProjects } from "./projects.ts";

/** A project: its details, budget and latest entries, with actions. */
export default function ProjectPage() {
  const { id = "" } = useParams<{ id: string }>();
  const { workspace } = useCurrentUser();
  const project = useQuery({
    queryKey: ["projects", workspace.id, id],
    queryFn: ({ signal }) => svc.get("/api/v1/projects/{id}", { path: { id }, signal }),
  });
  if (project.error instanceof Problem && project.error.status === 404)
    return (
      <Page title={projectMessages.title}>
        <Empty title={projectMessages.missing}>
          <p>
            <Link href="/projects">{projectMessages.all}</Link>
          </p>
        </Empty>
      </Page>
    );
  return (
    <Page
      title={project.data?.name ?? projectMessages.title}
      actions={project.data && <Actions project={project.data} />}
    >
      <Loaded query={project}>
        {(data) => (
          <>
            <Details project={data} />
            <LatestEntries project={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ project }: { project: Project }) {
  const { workspace } = useCurrentUser();
  const [open, setOpen] = useState<"edit" | "delete">();
  const running = useRunningTimer().data;
  const { start } = useTimer();
  const close = () => setOpen(undefined);
  return (
    <>
      {!project.archivedAt && running?.projectId !== project.id && (
        <Button look="primary" busy={start.isPending} onClick={() => start.mutate({ projectId: project.id })}>
          {running ? projectMessages.switchTimer : projectMessages.startTimer}
        </Button>
      )}
      <Failure error={start.error} />
      {hasRole(workspace.role, "manager") && (
        <>
          <Button onClick={() => setOpen("edit")}>{projectMessages.edit}</Button>
          <ArchiveButton project={project} />
          <Button onClick={() => setOpen("delete")}>{projectMessages.remove}</Button>
        </>
      )}
      {open === "edit" && <ProjectDialog project={project} onClose={close} />}
      {open === "delete" && <Delete project={project} onClose={close} />}
    </>
  );
}

function Delete({ project, onClose }: { project: Project; onClose: () => void }) {
  const [, go] = useLocation();
  const edit = useEdit(project, projectParts);
  return (
    <ConfirmAction
      title={projectMessages.removeQuestion(project.name)}
      confirmLabel={projectMessages.remove}
      action={() =>
        edit.remove((ifMatch) => svc.delete("/api/v1/projects/{id}", { path: { id: project.id }, ifMatch }))
      }
      onDone={() => {
        refreshAfterDelete("projects", project.id);
        toast(projectMessages.removed);
        go("/projects");
      }}
      onClose={onClose}
    >
      <p>{projectMessages.removeWarning}</p>
    </ConfirmAction>
  );
}

function Details({ project }: { project: Project }) {
  const seesMoney = useSeesMoney();
  const { client, hourlyRate, currency, billable, archivedAt, lastTrackedAt } = project;
  const rate =
    hourlyRate === null ? projectMessages.noRate(currency) : money({ amount: hourlyRate, currency });
  return (
    <section aria-label={projectMessages.details}>
      {archivedAt && <p className="notice">{projectMessages.archivedNotice(dayTime(archivedAt))}</p>}
      <dl className="project-details">
        <div>
          <dt>{projectMessages.client}</dt>
          <dd>{client || projectMessages.none}</dd>
        </div>
        {seesMoney && (
          <div>
            <dt>{projectMessages.hourlyRate}</dt>
            <dd>{billable ? rate : projectMessages.notBillable(rate)}</dd>
          </div>
        )}
        <div>
          <dt>{projectMessages.lastTracked}</dt>
          <dd>{lastTrackedAt ? dayTime(lastTrackedAt) : projectMessages.never}</dd>
        </div>
        {seesMoney && (
          <div>
            <dt>{projectMessages.budget}</dt>
            <dd>
              <ProjectBudget project={project} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

const shownEntries = 10;

function LatestEntries({ project }: { project: Project }) {
  const { workspace } = useCurrentUser();
  const isManager = hasRole(workspace.role, "manager");
  const projects = useProjects();
  const entries = useQuery({
    queryKey: ["time-entries", workspace.id, "project", project.id],
    queryFn: ({ signal }) => listEntries({ project_id: project.id, limit: shownEntries }, signal),
  });
  return (
    <section aria-labelledby="latest-entries">
      <div className="section-head">
        <h2 id="latest-entries">{isManager ? projectMessages.latest : projectMessages.myLatest}</h2>
        <Link href={`/time-entries?project_id=${project.id}`}>{projectMessages.viewAll}</Link>
      </div>
      <OwnTimes />
      <Loaded
        query={entries}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title={projectMessages.noTime} />}
      >
        {({ data }) => (
          <ul className="plain-list" aria-label={projectMessages.latest}>
            {data.map((entry) => (
              <li key={entry.id}>
                <EntryRow
                  entry={entry}
                  projects={projects.data ?? [project]}
                  asOf={entries.dataUpdatedAt}
                  withPerson={isManager}
                  onProject
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
