import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../base/api.ts";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { toast } from "../../ui/toast.tsx";
import { entriesChanged } from "./entries.ts";
import type { Project } from "./projects.ts";

/**
 * The button that archives a project, or opens it again. Whose role does not reach so far is not offered it; with a smaller
 * plan it says which one has it.
 */
export function Archiving({ project }: { project: Project }) {
  const { workspace } = useCurrentUser();
  if (!hasRole(workspace.role, "manager")) return null;
  if (!hasPlan(workspace.plan, "ENTERPRISE"))
    return (
      <p className="hint">Archiving belongs to the plan ENTERPRISE; this workspace has {workspace.plan}.</p>
    );
  return project.archivedAt ? <Unarchive project={project} /> : <Archive project={project} />;
}

function Archive({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  return (
    <>
      <Button onClick={() => setAsking(true)}>Archive</Button>
      {asking && (
        <ConfirmAction
          title={`Archive ${project.name}?`}
          confirmLabel="Archive"
          action={() => post<Project>(`/api/v1/projects/${project.id}/archive`)}
          onDone={() => {
            setAsking(false);
            toast(`${project.name} is archived.`);
            void entriesChanged(client);
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Its running timers stop, and no time on it can be added or changed. Reports keep it, and it can be
            opened again.
          </p>
        </ConfirmAction>
      )}
    </>
  );
}

function Unarchive({ project }: { project: Project }) {
  const client = useQueryClient();
  const unarchive = useMutation({
    mutationFn: () => post<Project>(`/api/v1/projects/${project.id}/unarchive`),
    onSuccess: async () => {
      toast(`${project.name} is open again.`);
      await entriesChanged(client);
    },
  });
  return (
    <>
      <Button busy={unarchive.isPending} onClick={() => unarchive.mutate()}>
        Open again
      </Button>
      <Failure error={unarchive.error} />
    </>
  );
}
