import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { toast } from "../../ui/toast.tsx";
import { refreshEntries } from "./entries.ts";
import type { Project } from "./projects.ts";

/**
 * Archives or restores a project. Renders nothing for members below manager. Every plan can restore; on a smaller plan than
 * ENTERPRISE, the plan that includes archiving is named instead of the button.
 */
export function ArchiveButton({ project }: { project: Project }) {
  const { workspace } = useCurrentUser();
  if (!hasRole(workspace.role, "manager")) return null;
  if (project.archivedAt) return <Restore project={project} />;
  if (!hasPlan(workspace.plan, "ENTERPRISE"))
    return (
      <p className="hint">
        Archiving is available on the ENTERPRISE plan. This workspace is on the {workspace.plan} plan.
      </p>
    );
  return <Archive project={project} />;
}

function Archive({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  return (
    <>
      <Button onClick={() => setAsking(true)}>Archive project</Button>
      {asking && (
        <ConfirmAction
          title={`Archive ${project.name}?`}
          confirmLabel="Archive project"
          action={() => svc.post("/api/v1/projects/{id}/archive", { path: { id: project.id } })}
          onDone={() => {
            setAsking(false);
            toast("Project archived.");
            void refreshEntries(client);
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Running timers on this project stop, and its time can no longer be added or changed. Reports still
            include it. You can restore it later.
          </p>
        </ConfirmAction>
      )}
    </>
  );
}

function Restore({ project }: { project: Project }) {
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () => svc.post("/api/v1/projects/{id}/unarchive", { path: { id: project.id } }),
    onSuccess: async () => {
      toast("Project restored.");
      await refreshEntries(client);
    },
  });
  return (
    <>
      <Button busy={restore.isPending} onClick={() => restore.mutate()}>
        Restore project
      </Button>
      <Failure error={restore.error} />
    </>
  );
}
