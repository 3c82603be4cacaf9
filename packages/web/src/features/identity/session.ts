import type { Me, Profile } from "@svc/core/identity/profile/profile";
import { useQuery } from "@tanstack/react-query";
import { navigate } from "wouter/use-browser-location";
import { get, onSignedOut, post } from "../../base/api.ts";
import {
  cachedWorkspace,
  clearUserCookies,
  currentWorkspaceId,
  getCookie,
  setCookie,
  setCurrentWorkspace,
} from "../../base/cookies.ts";
import { queryClient } from "../../base/query-client.ts";

/** The person who is signed in: their profile with workspaces and teams. Fetched by the frame; elsewhere it is there at once. */
export function useMe() {
  return useQuery({ queryKey: ["me"], queryFn: fetchMe });
}

async function fetchMe(): Promise<Profile> {
  // The token is out of reach of scripts. A browser that never was in a workspace asks first, since a 401 that everybody
  // expects would stand in the console as an error.
  if (!currentWorkspaceId()) {
    const { signedIn } = await get<{ signedIn: boolean }>("/auth/session");
    if (!signedIn) {
      over();
      return new Promise<never>(() => {});
    }
  }
  const me = await get<Profile>("/user/profile");
  settle(me);
  setCookie("svc_user_locale", me.locale);
  setCookie("svc_user_timezone", me.timezone);
  setCookie("svc_localization_preferences", JSON.stringify({ dateFormat: me.dateFormat }));
  return me;
}

/** Be where this browser was before, if the person is still a member there; else in their first workspace and team. */
export function settle(me: Me): void {
  const workspace = me.workspaces.find(({ id }) => id === currentWorkspaceId()) ?? me.workspaces[0];
  if (!workspace) {
    clearUserCookies();
    return;
  }
  if (JSON.stringify(cachedWorkspace()) !== JSON.stringify(workspace)) setCurrentWorkspace(workspace);
  const teams = me.teams.filter(({ workspaceId }) => workspaceId === workspace.id);
  const team = teams.find(({ id }) => id === getCookie("svc_current_unit")) ?? teams[0];
  setCookie("svc_current_unit", team?.id);
}

/** Go on after a login: to the page that was asked for, or the first one. */
export function signedIn(user: Me): void {
  queryClient.clear();
  settle(user);
  navigate(nextPage(new URLSearchParams(location.search).get("next")), { replace: true });
}

/** End the session, here and on the server. */
export async function signOut(): Promise<void> {
  await post("/auth/logout");
  leave();
}

/** Nobody is signed in any more: nothing of the person stays on the screen. */
export function leave(): void {
  clearUserCookies();
  queryClient.clear();
  navigate("/login");
}

/** A path of this site and nothing else: a link must not lead astray whoever signs in. */
export function nextPage(asked: string | null): string {
  if (!asked?.startsWith("/")) return "/";
  const url = new URL(asked, location.origin);
  return url.origin === location.origin ? url.pathname + url.search : "/";
}

/** The session is over, on the server's word: to the sign-in page, and from there back to this one. */
function over(): void {
  clearUserCookies();
  queryClient.clear();
  const here = location.pathname + location.search;
  if (location.pathname !== "/login")
    navigate(here === "/" ? "/login" : `/login?next=${encodeURIComponent(here)}`, { replace: true });
}

onSignedOut.add(over);
