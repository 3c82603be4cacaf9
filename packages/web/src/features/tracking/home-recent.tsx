import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loaded } from "../../ui/states.tsx";
import { useRunningTimer, useTimer } from "./entries.ts";
import { messages } from "./messages.ts";
import { ProjectName } from "./project-name.tsx";

/** The projects that the user tracked time on last. One click starts a timer. */
export function RecentProjects() {
  const { me, workspace } = useCurrentUser();
  const running = useRunningTimer().data;
  const { start } = useTimer();
  const recent = useQuery({
    queryKey: ["projects", workspace.id, "recent", me.id],
    queryFn: ({ signal }) => svc.get("/api/v1/projects/recent", { signal }),
  });
  return (
    <Card title={messages.recent}>
      <Failure error={start.error} />
      <Loaded
        query={recent}
        isEmpty={({ data }) => data.length === 0}
        empty={<p className="card-note hint">{messages.noRecent}</p>}
      >
        {({ data }) => (
          <ul className="card-rows">
            {data.map((project) => (
              <li key={project.id} className="card-row">
                <div className="card-row-name">
                  <Link href={`/projects/${project.id}`}>
                    <ProjectName project={project} />
                  </Link>
                  {project.client && <span className="card-row-detail">{project.client}</span>}
                </div>
                {running?.projectId === project.id ? (
                  <span className="badge">{messages.runs}</span>
                ) : (
                  <Button
                    look="quiet"
                    data-icon=""
                    busy={start.isPending}
                    aria-label={(running ? messages.switchTo : messages.startFor)(project.name)}
                    onClick={() => start.mutate({ projectId: project.id })}
                  >
                    <Play />
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
