import type { Workspace } from "@svc/client";
import { type CategoryId, categoryOf } from "@svc/core/consent/policy";
import { allowed, subscribe } from "./consent.ts";
import { deleteCookie, readCookie, writeCookie } from "./cookie-jar.ts";
import { clearPictures } from "./picture-cache.ts";

/** The cookies that the client writes. Their categories are in @svc/core/consent/policy. */
type Name =
  | "svc_current_unit"
  | "svc_current_workspace"
  | "svc_current_workspace_data"
  | "svc_language"
  | "svc_user_locale"
  | "svc_user_timezone"
  | "svc_localization_preferences"
  | "svc_sidebar_collapsed"
  | "svc_theme"
  | "svc_shortcuts";

const yearSeconds = 365 * 86_400;

/** Browsers store at most 4096 bytes of name, value and attributes. */
const maxBytes = 4000;

/** Values whose category has no consent. They last until the page is closed. */
const inMemory = new Map<Name, string>();

/** Returns the value of a cookie, or the in-memory value that replaces it. */
export function getCookie(name: Name): string | undefined {
  return inMemory.get(name) ?? readCookie(name);
}

/** Stores a value in its cookie, or only in memory when its category has no consent. `undefined` deletes it. */
export function setCookie(name: Name, value: string | undefined): void {
  inMemory.delete(name);
  if (value === undefined) deleteCookie(name);
  else if (!allowed(categoryOf(name) as CategoryId)) inMemory.set(name, value);
  else if (getCookie(name) !== value) writeCookie(name, value, yearSeconds);
}

// Once a category is allowed, its in-memory values move to cookies.
subscribe(() => {
  for (const [name, value] of [...inMemory]) setCookie(name, value);
});

/** Returns the workspace that requests are sent for; undefined before the first sign-in. */
export function currentWorkspaceId(): string | undefined {
  return getCookie("svc_current_workspace");
}

/** The workspace data that is cached to render the page frame before the first response. */
export type WorkspaceData = Pick<Workspace, "id" | "name" | "plan" | "role" | "baseCurrency">;

/** Returns the cached data of the current workspace. */
export function cachedWorkspace(): WorkspaceData | undefined {
  const data = json(getCookie("svc_current_workspace_data")) as WorkspaceData | undefined;
  return data?.id !== undefined && data.id === currentWorkspaceId() ? data : undefined;
}

/** Selects a workspace and caches its data, unless that is too large for a cookie. */
export function setCurrentWorkspace({ id, name, plan, role, baseCurrency }: Workspace): void {
  setCookie("svc_current_workspace", id);
  const data = JSON.stringify({ id, name, plan, role, baseCurrency } satisfies WorkspaceData);
  const fits = encodeURIComponent(data).length <= maxBytes;
  setCookie("svc_current_workspace_data", fits ? data : undefined);
}

/** The formats that the user chose in their profile. */
export type Localization = { dateFormat: string };

/** Returns the formats of the last session, for use before the profile is loaded. */
export function localization(): Partial<Localization> {
  return (json(getCookie("svc_localization_preferences")) as Localization | undefined) ?? {};
}

/** Deletes the cookies and pictures of the user whose session ended. The formats of dates and numbers are retained. */
export function clearUserData(): void {
  void clearPictures();
  for (const name of ["svc_current_unit", "svc_current_workspace", "svc_current_workspace_data"] as const)
    setCookie(name, undefined);
}

function json(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
