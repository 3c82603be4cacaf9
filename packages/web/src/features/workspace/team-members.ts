import { queryOptions, useQuery } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { everyMember } from "./every-member.ts";

/** Returns the query of the members of a team. Without an id it loads nothing. */
export function teamMembers(teamId: string | undefined) {
  return queryOptions({
    queryKey: ["members", teamId],
    enabled: teamId !== undefined,
    queryFn: ({ signal }) =>
      everyMember(svc.each("/team/{id}/members", { path: { id: teamId ?? "" }, signal })),
  });
}

/** Loads the members of a team. Without an id it loads nothing. */
export function useTeamMembers(teamId: string | undefined) {
  return useQuery(teamMembers(teamId));
}
