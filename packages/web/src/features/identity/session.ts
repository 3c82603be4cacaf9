import type { Profile, User } from "@svc/client";
import { useQuery } from "@tanstack/react-query";
import { navigate } from "wouter/use-browser-location";
import { onSessionEnded, Problem, svc } from "../../base/api.ts";
import {
  clearUserData,
  currentWorkspaceId,
  getCookie,
  setCookie,
  setCurrentWorkspace,
} from "../../base/cookies.ts";
import { beginDrafts, clearDrafts } from "../../base/drafts.ts";
import { beginPictures, clearPictures } from "../../base/picture-cache.ts";
import { queryClient } from "../../base/query-client.ts";
import { signalPasskeys } from "./passkey.ts";

/** Loads the signed-in user's profile with workspaces and teams. */
export function useMe() {
  return useQuery({ queryKey: ["me"], queryFn: fetchMe });
}

async function fetchMe({ signal }: { signal: AbortSignal }): Promise<Profile> {
  // Scripts cannot read the session cookie. A browser without a workspace asks for the session first, because an expected 401
  // would appear in the console as an error.
  if (!currentWorkspaceId()) {
    const { signedIn } = await svc.get("/auth/session");
    if (!signedIn) {
      redirectToSignIn();
      return new Promise<never>(() => {});
    }
  }
  const me = await svc.get("/user/profile", { signal });
  beginPictures(me.id);
  beginDrafts(me.id);
  selectWorkspace(me);
  setCookie("svc_user_locale", me.locale);
  setCookie("svc_user_timezone", me.timezone);
  setCookie("svc_localization_preferences", JSON.stringify({ dateFormat: me.dateFormat }));
  return me;
}

/** Selects the workspace and team that this browser used last, or the user's first ones if they are no longer a member. */
export function selectWorkspace(me: User): void {
  const workspace = me.workspaces.find(({ id }) => id === currentWorkspaceId()) ?? me.workspaces[0];
  if (!workspace) {
    clearUserData();
    return;
  }
  setCurrentWorkspace(workspace);
  const teams = me.teams.filter(({ workspaceId }) => workspaceId === workspace.id);
  const team = teams.find(({ id }) => id === getCookie("svc_current_unit")) ?? teams[0];
  setCookie("svc_current_unit", team?.id);
}

/** Whether to offer a passkey. The answer is kept until the page is closed, because the cookie policy has no cookie for it. */
let passkeyOffer: "none" | "due" | "answered" = "none";

/** Offers a passkey on the pages of members, after a sign-in with the password, unless the user has answered before. */
export function offerPasskey(): void {
  if (passkeyOffer === "none") passkeyOffer = "due";
}

/** Ends the offer of a passkey because the user has answered it. */
export function endPasskeyOffer(): void {
  passkeyOffer = "answered";
}

/** Tells whether to offer a passkey. */
export function isPasskeyOffered(): boolean {
  return passkeyOffer === "due";
}

/** Continues after a sign-in: on the requested page, or on the home page. */
export function completeSignIn(user: User): void {
  void clearPictures();
  queryClient.clear();
  selectWorkspace(user);
  void signalPasskeys(user);
  navigate(nextPage(new URLSearchParams(location.search).get("next")), { replace: true });
}

/** Ends the session in the browser and on the server. */
export async function signOut(): Promise<void> {
  try {
    await svc.post("/auth/logout");
  } catch (problem) {
    // A session that has ended already needs no end.
    if (!(problem instanceof Problem) || problem.status !== 401) throw problem;
  }
  returnToSignIn();
}

/** Clears the user's data from the browser and shows the sign-in page. */
export function returnToSignIn(): void {
  clearUserData();
  clearDrafts();
  queryClient.clear();
  navigate("/login");
}

/** Returns the path to show after sign-in. Rejects other origins to prevent open redirects. */
export function nextPage(requested: string | null): string {
  if (!requested?.startsWith("/")) return "/";
  const url = new URL(requested, location.origin);
  return url.origin === location.origin ? url.pathname + url.search : "/";
}

/** Shows the sign-in page after the session has ended, and returns to the current page after sign-in. */
export function redirectToSignIn(): void {
  clearUserData();
  queryClient.clear();
  const here = location.pathname + location.search;
  if (location.pathname !== "/login")
    navigate(here === "/" ? "/login" : `/login?next=${encodeURIComponent(here)}`, { replace: true });
}

/** Asks a user whose page is open to sign in again. Returns whether they did. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;

/** Sets what asks a user to sign in again over the page that is open; undefined when there is none. */
export function askToSignInAgain(run: Ask | undefined): void {
  ask = run;
}

onSessionEnded(async () => {
  if (!ask) {
    redirectToSignIn();
    return false;
  }
  // Stored pictures end with the session, even if the user signs in again.
  void clearPictures();
  return ask();
});
