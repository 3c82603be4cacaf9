/**
 * The cookie policy. The web client bundles this file, so it imports nothing. Change the version together with the purpose of
 * any cookie or stored data: visitors are then asked again.
 */
export const policyVersion = "2026-11-23";

/** How long a choice is valid, in days. */
export const choiceDays = 182;

/** Name of the cookie that stores the choice. */
export const choiceCookie = "svc_cookie_consent";

export const categoryIds = ["essential", "functional", "analytics", "marketing"] as const;
export type CategoryId = (typeof categoryIds)[number];

/** A cookie. A `name` that ends in `*` matches all names with that prefix. */
export type Cookie = { name: string; purpose: string; duration: string };

/** Data that the client stores in the browser otherwise: in Cache Storage or local storage. */
export type Storage = Cookie;

export type Category = {
  id: CategoryId;
  locked: boolean;
  purpose: string;
  cookies: readonly Cookie[];
  storage: readonly Storage[];
};

export const categories: readonly Category[] = [
  {
    id: "essential",
    locked: true,
    purpose: "These cookies sign you in and remember your workspace. The service does not work without them.",
    cookies: [
      { name: choiceCookie, purpose: "Stores your cookie choices", duration: "182 days" },
      { name: "svc_token", purpose: "Keeps you signed in", duration: "90 days" },
      { name: "svc_current_unit", purpose: "Remembers the team you selected", duration: "1 year" },
      { name: "svc_current_workspace", purpose: "Remembers the workspace you selected", duration: "1 year" },
      {
        name: "svc_current_workspace_data",
        purpose: "Stores the name, plan and currency of the workspace you selected",
        duration: "1 year",
      },
      { name: "svc_language", purpose: "Remembers your language", duration: "1 year" },
    ],
    storage: [
      {
        name: "svc_drafts",
        purpose: "Stores what you have entered and not saved yet, until you save it or sign out",
        duration: "the tab is closed",
      },
      {
        name: "svc_device",
        purpose:
          "Recognizes this browser when you sign in, so that you are not warned of a new device, and failed attempts by others do not lock you out",
        duration: "1 year without a sign-in",
      },
    ],
  },
  {
    id: "functional",
    locked: false,
    purpose:
      "These cookies show pages, dates and times in your preferred format and colors. Pictures that you have seen are stored, so that they load at once.",
    cookies: [
      { name: "svc_user_locale", purpose: "Remembers your format of numbers and dates", duration: "1 year" },
      { name: "svc_user_timezone", purpose: "Remembers your time zone", duration: "1 year" },
      { name: "svc_localization_preferences", purpose: "Remembers your date format", duration: "1 year" },
      {
        name: "svc_sidebar_collapsed",
        purpose: "Remembers whether the sidebar is collapsed",
        duration: "1 year",
      },
      { name: "svc_theme", purpose: "Remembers whether you chose light or dark colors", duration: "1 year" },
      {
        name: "svc_shortcuts",
        purpose: "Remembers that you turned off keyboard shortcuts",
        duration: "1 year",
      },
    ],
    storage: [
      {
        name: "svc_pictures",
        purpose: "Stores the pictures of people that you have seen, until you sign out",
        duration: "7 days",
      },
    ],
  },
  {
    id: "analytics",
    locked: false,
    purpose: "These cookies count page visits with Google Analytics.",
    cookies: [
      { name: "_ga", purpose: "Distinguishes visitors", duration: "182 days" },
      { name: "_gid", purpose: "Distinguishes visitors within a day", duration: "1 day" },
      { name: "_ga_*", purpose: "Stores the state of a visit", duration: "182 days" },
    ],
    storage: [],
  },
  {
    id: "marketing",
    locked: false,
    purpose: "These cookies show advertising. We currently use none.",
    cookies: [],
    storage: [],
  },
];

/** Categories that a browser rejects with Global Privacy Control (`Sec-GPC: 1`). */
export const refusedByGpc: readonly CategoryId[] = ["analytics", "marketing"];

/**
 * Returns the categories that a choice allows, in policy order. Always includes locked categories, and omits those that
 * Global Privacy Control rejects.
 */
export function effective(chosen: readonly CategoryId[], globalPrivacyControl: boolean): CategoryId[] {
  return categories
    .filter(({ id, locked }) => locked || chosen.includes(id))
    .map(({ id }) => id)
    .filter((id) => !globalPrivacyControl || !refusedByGpc.includes(id));
}

/** Returns the category of a cookie, or undefined if it is not in the policy. */
export function categoryOf(name: string): CategoryId | undefined {
  return categories.find(({ cookies }) => cookies.some((cookie) => matches(cookie.name, name)))?.id;
}

/**
 * Returns the cookie names to expire when only these categories are allowed: all listed names of the other categories, and
 * the present names that match their patterns.
 */
export function cookiesToExpire(allowed: readonly CategoryId[], present: readonly string[]): string[] {
  const listed = categories
    .filter(({ id }) => !allowed.includes(id))
    .flatMap(({ cookies }) => cookies.map(({ name }) => name));
  const named = listed.filter((name) => !name.endsWith("*"));
  const found = present.filter((name) => listed.some((pattern) => matches(pattern, name)));
  return [...new Set([...named, ...found])];
}

/**
 * Returns the domains under which a third-party script may have set a cookie for this host: the host and its parents. IP
 * addresses and localhost have none. Browsers ignore public suffixes, so including them is harmless.
 */
export function cookieDomains(host: string): string[] {
  if (/^[\d.]+$|:/.test(host)) return [];
  const labels = host.split(".");
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
