import "./time.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { duration, plainDay, weekday } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { Elapsed, useElapsed } from "./elapsed.tsx";
import { listEntries, type TimeEntry, useRunningTimer, useTimer } from "./entries.ts";
import { EntryRow } from "./entry-row.tsx";
import { ProjectName } from "./project-name.tsx";
import { type Project, projectOptions, useProjects } from "./projects.ts";
import { StopButton } from "./stop-button.tsx";
import { dayIn } from "./time-zone.ts";

/** Home: the timer, the user's recent projects and today's entries. */
export default function Home() {
  const projects = useProjects();
  return (
    <Page title="Home">
      <Loaded query={projects}>
        {(data) => (
          <>
            <Timer projects={data} />
            <RecentProjects />
            <Today projects={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Timer({ projects }: { projects: readonly Project[] }) {
  const running = useRunningTimer();
  return (
    <section aria-label="Timer" className="timer-card">
      <Loaded query={running}>
        {(entry) => {
          if (!entry) return <StartForm projects={projects} />;
          const project = projects.find(({ id }) => id === entry.projectId);
          return (
            <>
              <div className="timer-description">
                <strong>{entry.description || "No description"}</strong>
                {project ? <ProjectName project={project} /> : <span className="hint">No project</span>}
              </div>
              <Elapsed seconds={entry.durationSeconds} asOf={running.dataUpdatedAt} />
              <StopButton />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function StartForm({ projects }: { projects: readonly Project[] }) {
  const { start } = useTimer();
  const form = useForm({ description: "", projectId: "" }, ({ description, projectId }) =>
    start.mutateAsync({ description, projectId: projectId || null }),
  );
  return (
    <Form form={form} submitLabel="Start timer">
      <TextField form={form} name="description" label="What are you working on?" maxLength={2000} />
      <SelectField
        form={form}
        name="projectId"
        label="Project"
        options={[{ value: "", label: "No project" }, ...projectOptions(projects)]}
      />
    </Form>
  );
}

function RecentProjects() {
  const { me, workspace } = useCurrentUser();
  const running = useRunningTimer().data;
  const { start } = useTimer();
  const recent = useQuery({
    queryKey: ["projects", workspace.id, "recent", me.id],
    queryFn: ({ signal }) => svc.get("/api/v1/projects/recent", { signal }),
  });
  return (
    <section aria-labelledby="recent-projects">
      <h2 id="recent-projects">Recent projects</h2>
      <Failure error={start.error} />
      <Loaded
        query={recent}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <p className="hint">Projects you track time on appear here. Start their timer with one click.</p>
        }
      >
        {({ data }) => (
          <ul className="recent-projects">
            {data.map((project) => (
              <li key={project.id}>
                <Link href={`/projects/${project.id}`}>
                  <ProjectName project={project} />
                </Link>
                {running?.projectId === project.id ? (
                  <span className="badge">running</span>
                ) : (
                  <Button
                    busy={start.isPending}
                    aria-label={`${running ? "Switch timer to" : "Start timer for"} ${project.name}`}
                    onClick={() => start.mutate({ projectId: project.id })}
                  >
                    {running ? "Switch" : "Start"}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

const shownEntries = 200;

function Today({ projects }: { projects: readonly Project[] }) {
  const { me, workspace } = useCurrentUser();
  const settings = useWorkspaceSettings();
  const zone = settings.data?.timezone ?? "UTC";
  const today = dayIn(zone, new Date());
  const entries = useQuery({
    queryKey: ["time-entries", workspace.id, "day", today, me.id],
    enabled: settings.isSuccess,
    queryFn: ({ signal }) =>
      listEntries({ user_id: me.id, from: today, to: today, limit: shownEntries }, signal),
  });
  return (
    <section aria-labelledby="today">
      <div className="section-head">
        <h2 id="today">{settings.isSuccess ? `Today, ${weekday(today)} ${plainDay(today)}` : "Today"}</h2>
        {entries.data && <Total data={entries.data.data} />}
      </div>
      <Loaded query={settings}>
        {() => (
          <Loaded
            query={entries}
            isEmpty={({ data }) => data.length === 0}
            empty={
              <Empty title="No time tracked today">
                <p>
                  Start the timer above, or <Link href="/time-entries">add an entry</Link>.
                </p>
              </Empty>
            }
          >
            {({ data, nextCursor }) => (
              <>
                <ul className="plain-list" aria-label="Today’s entries">
                  {data.map((entry) => (
                    <li key={entry.id}>
                      <EntryRow entry={entry} projects={projects} zone={zone} asOf={entries.dataUpdatedAt} />
                    </li>
                  ))}
                </ul>
                {nextCursor && (
                  <p>
                    Showing the last {shownEntries} entries.{" "}
                    <Link href="/time-entries">View all time entries</Link>
                  </p>
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  );
}

function Total({ data }: { data: readonly TimeEntry[] }) {
  const running = useRunningTimer();
  const ended = data
    .filter(({ endedAt }) => endedAt !== null)
    .reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const counting = running.data && data.some(({ id }) => id === running.data?.id) ? running.data : undefined;
  const elapsed = useElapsed(counting?.durationSeconds ?? 0, running.dataUpdatedAt);
  return (
    <p>
      Total <strong className="elapsed">{duration(counting ? ended + elapsed : ended)}</strong>
    </p>
  );
}
