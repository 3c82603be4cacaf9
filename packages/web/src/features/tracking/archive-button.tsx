import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { toast } from "../../ui/toast.tsx";
import { refreshEntries } from "./entries.ts";
import { messages } from "./messages.ts";
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
    return <p className="hint">{messages.archivingNeedsPlan(workspace.plan)}</p>;
  return <Archive project={project} />;
}

function Archive({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{messages.archive}</Button>
      {asking && <ArchiveDialog project={project} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Asks whether to archive a project, and archives it. */
export function ArchiveDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      title={messages.archiveTitle(project.name)}
      confirmLabel={messages.archive}
      action={() => svc.post("/api/v1/projects/{id}/archive", { path: { id: project.id } })}
      onDone={() => {
        onClose();
        toast(messages.archived);
        void refreshEntries(client);
      }}
      onClose={onClose}
    >
      <p>{messages.archiveConsequence}</p>
    </ConfirmAction>
  );
}

/** Makes an archived project active again. */
export function useRestore({ id }: Project) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => svc.post("/api/v1/projects/{id}/unarchive", { path: { id } }),
    onSuccess: async () => {
      toast(messages.restored);
      await refreshEntries(client);
    },
  });
}

function Restore({ project }: { project: Project }) {
  const restore = useRestore(project);
  return (
    <>
      <Button busy={restore.isPending} onClick={() => restore.mutate()}>
        {messages.restore}
      </Button>
      <Failure error={restore.error} />
    </>
  );
}
