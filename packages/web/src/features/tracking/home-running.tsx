import { useQuery } from "@tanstack/react-query";
import { useCurrentUser } from "../../base/current-user.ts";
import { number } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Elapsed } from "./elapsed.tsx";
import { listEntries } from "./entries.ts";
import { messages } from "./messages.ts";
import { ProjectDot } from "./project-name.tsx";
import type { Project } from "./projects.ts";

const shown = 50;
const refreshMs = 30_000;

/** The running timers of the workspace, for managers. */
export function RunningCard({ projects }: { projects: readonly Project[] }) {
  const { workspace } = useCurrentUser();
  const running = useQuery({
    queryKey: ["time-entries", workspace.id, "running"],
    queryFn: ({ signal }) => listEntries({ running: true, limit: shown }, signal),
    refetchInterval: refreshMs,
  });
  const { data } = running;
  return (
    <Card title={messages.running} count={data && number(data.data.length)}>
      <Loaded
        query={running}
        isEmpty={({ data }) => data.length === 0}
        empty={<p className="card-note hint">{messages.nobodyRuns}</p>}
      >
        {({ data }) => (
          <ul className="card-rows">
            {data.map(({ id, user, description, projectId, durationSeconds }) => {
              const project = projects.find((one) => one.id === projectId);
              return (
                <li key={id} className="card-row">
                  <Avatar id={user.id} name={user.name} picture={user} size={32} />
                  <div className="card-row-name">
                    <strong>{user.name || messages.formerMember}</strong>
                    <span className="card-row-detail">
                      {project && <ProjectDot color={project.color} />}
                      <span>{description || project?.name || messages.noDescription}</span>
                    </span>
                  </div>
                  <Elapsed seconds={durationSeconds} asOf={running.dataUpdatedAt} />
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
