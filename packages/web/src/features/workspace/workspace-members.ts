import type { View as Member } from "@svc/core/workspace/members/member";
import { useQuery } from "@tanstack/react-query";
import { get } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";

/** Loads the members of the current workspace. */
export function useWorkspaceMembers(enabled = true) {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["people", workspace.id],
    enabled,
    queryFn: ({ signal }) => get<{ data: Member[] }>("/api/v1/workspace/members", { signal }),
  });
}
