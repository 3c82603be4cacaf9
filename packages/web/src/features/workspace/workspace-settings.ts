import type { View as Settings } from "@svc/core/workspace/settings";
import { useQuery } from "@tanstack/react-query";
import { get } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";

/** Loads the settings of the current workspace, such as its time zone, first day of the week and currency. */
export function useWorkspaceSettings() {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["workspace", workspace.id],
    queryFn: ({ signal }) => get<Settings>("/api/v1/workspace", { signal }),
  });
}
