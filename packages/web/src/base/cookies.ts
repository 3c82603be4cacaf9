import { type CategoryId, categoryOf } from "@svc/core/consent/policy";
import type { View as Workspace } from "@svc/core/workspace/workspace";
import { allowed, subscribe } from "./consent.ts";
import { expire, read, write } from "./cookie-jar.ts";

/** A cookie of the specification's table that the pages write themselves. */
type Name =
  | "svc_current_unit"
  | "svc_current_workspace"
  | "svc_current_workspace_data"
  | "svc_language"
  | "svc_user_locale"
  | "svc_user_timezone"
  | "svc_localization_preferences"
  | "svc_sidebar_collapsed";

const yearSeconds = 365 * 86_400;

/** Browsers keep 4096 bytes of name, value and attributes. */
const maxBytes = 4000;

/** Values whose category is not allowed: they hold while the page is open. */
const inMemory = new Map<Name, string>();

/** The value of a cookie, or what is remembered in its place. */
export function getCookie(name: Name): string | undefined {
  return inMemory.get(name) ?? read(name);
}

/** Remember a value: in its cookie when the category is allowed, else while the page is open. Undefined forgets it. */
export function setCookie(name: Name, value: string | undefined): void {
  inMemory.delete(name);
  if (value === undefined) expire(name);
  else if (!allowed(categoryOf(name) as CategoryId)) inMemory.set(name, value);
  else if (getCookie(name) !== value) write(name, value, yearSeconds);
}

// What was set before its category was allowed is remembered from then on.
subscribe(() => {
  for (const [name, value] of [...inMemory]) setCookie(name, value);
});

/** The workspace of this browser's calls; undefined before the first sign-in. */
export function currentWorkspaceId(): string | undefined {
  return getCookie("svc_current_workspace");
}

/** What is known of it before the server answers: enough to draw the frame of the page. */
export type WorkspaceData = Pick<Workspace, "id" | "name" | "plan" | "role" | "baseCurrency">;

/** The cached workspace, if it is the current one. */
export function cachedWorkspace(): WorkspaceData | undefined {
  const data = json(getCookie("svc_current_workspace_data")) as WorkspaceData | undefined;
  return data?.id !== undefined && data.id === currentWorkspaceId() ? data : undefined;
}

/** The workspace that this browser is in from now on. The cached data is left out where it would not fit into a cookie. */
export function setCurrentWorkspace({ id, name, plan, role, baseCurrency }: Workspace): void {
  setCookie("svc_current_workspace", id);
  const data = JSON.stringify({ id, name, plan, role, baseCurrency } satisfies WorkspaceData);
  const fits = encodeURIComponent(data).length <= maxBytes;
  setCookie("svc_current_workspace_data", fits ? data : undefined);
}

/** Formats that a person chose, from their profile. */
export type Localization = { dateFormat: string };

/** The formats of last time, before the profile is loaded. */
export function localization(): Partial<Localization> {
  return (json(getCookie("svc_localization_preferences")) as Localization | undefined) ?? {};
}

/** Forget where the person who signs out was. How this browser shows dates and numbers stays. */
export function clearUserCookies(): void {
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
