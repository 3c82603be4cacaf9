import { useQueryClient } from "@tanstack/react-query";

/** Returns a function that refetches teams, members, invitations and the user's own profile. */
export function useRefreshTeams(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      ["teams", "members", "people", "invitations", "me"].map((noun) =>
        client.invalidateQueries({ queryKey: [noun] }),
      ),
    );
}
