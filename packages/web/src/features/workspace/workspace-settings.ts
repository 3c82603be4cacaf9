import type { View as Settings } from "@svc/core/workspace/settings";
import { useQuery } from "@tanstack/react-query";
import { get } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";

/** Settings of the current workspace: its time zone, by which days are counted, its first day of the week and its currency. */
export function useWorkspaceSettings() {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["workspace", workspace.id],
    queryFn: ({ signal }) => get<Settings>("/api/v1/workspace", { signal }),
  });
}
