import type { View as Member } from "@svc/core/workspace/members/member";
import { useQuery } from "@tanstack/react-query";
import { get } from "../../base/api.ts";
import { useCurrent } from "../../base/current.ts";

/** Everybody of the current workspace. Asked for only where `enabled`. */
export function usePeople(enabled = true) {
  const { workspace } = useCurrent();
  return useQuery({
    queryKey: ["people", workspace.id],
    enabled,
    queryFn: ({ signal }) => get<{ data: Member[] }>("/api/v1/workspace/members", { signal }),
  });
}
