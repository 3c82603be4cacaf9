import { useQueries } from "@tanstack/react-query";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { teamMembers } from "../workspace/team-members.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";

/**
 * Returns a function that tells whether the user may change the time entries of a person: their own; managers also those of
 * members of their teams, admins everyone's. The API enforces the same rule.
 */
export function useCorrectable(): (userId: string) => boolean {
  const { me, workspace } = useCurrentUser();
  const isAdmin = hasRole(workspace.role, "admin");
  const isManager = hasRole(workspace.role, "manager");
  const teams =
    isManager && !isAdmin ? me.teams.filter(({ workspaceId }) => workspaceId === workspace.id) : [];
  const lists = useQueries({ queries: teams.map(({ id }) => teamMembers(id)) });
  const members = new Set(
    lists
      .flatMap(({ data }) => (data?.data ?? []).filter(({ role }) => role === "member"))
      .map(({ userId }) => userId),
  );
  return (userId) => userId === me.id || isAdmin || members.has(userId);
}

/** Returns the user and, for managers, the members for whom they may add time entries. */
export function useCorrectablePeople({ enabled }: { enabled: boolean }): { userId: string; name: string }[] {
  const { me, workspace } = useCurrentUser();
  const isCorrectable = useCorrectable();
  const isManager = hasRole(workspace.role, "manager");
  const all = useWorkspaceMembers({ enabled: enabled && isManager }).data?.data ?? [];
  const others = all.filter(({ userId }) => userId !== me.id && isCorrectable(userId));
  return enabled && isManager ? [{ userId: me.id, name: me.name }, ...others] : [];
}
