import { useQuery } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { everyMember } from "./every-member.ts";

/** Loads the members of a workspace, by default the current one. */
export function useWorkspaceMembers({ enabled = true, id }: { enabled?: boolean; id?: string } = {}) {
  const { workspace } = useCurrentUser();
  const workspaceId = id ?? workspace.id;
  return useQuery({
    queryKey: ["people", workspaceId],
    enabled,
    queryFn: ({ signal }) => everyMember(svc.each("/api/v1/workspace/members", { signal, workspaceId })),
  });
}
