/**
 * The cookie policy. The web client shows it without asking the server first, so this file imports nothing; whoever changes
 * what a cookie is for also changes the version, and everybody is asked again.
 */
export const policyVersion = "2026-11-21";

/** How long a choice holds, whichever it was. */
export const choiceDays = 182;

/** Holds the choice itself. */
export const choiceCookie = "svc_cookie_consent";

export const categoryIds = ["essential", "functional", "analytics", "marketing"] as const;
export type CategoryId = (typeof categoryIds)[number];

/** `name` ends in `*` where it stands for all names that begin so. */
export type Cookie = { name: string; purpose: string; duration: string };

export type Category = { id: CategoryId; locked: boolean; purpose: string; cookies: readonly Cookie[] };

export const categories: readonly Category[] = [
  {
    id: "essential",
    locked: true,
    purpose: "Signing in and finding your workspace again. Nothing works without them.",
    cookies: [
      { name: choiceCookie, purpose: "Your choice about cookies", duration: "182 days" },
      { name: "svc_token", purpose: "Keeps you signed in; out of reach of scripts", duration: "90 days" },
      { name: "svc_current_unit", purpose: "The team you are looking at", duration: "1 year" },
      { name: "svc_current_workspace", purpose: "The workspace you are in", duration: "1 year" },
      {
        name: "svc_current_workspace_data",
        purpose: "Name, plan and currency of that workspace",
        duration: "1 year",
      },
      { name: "svc_language", purpose: "The language of the pages", duration: "1 year" },
    ],
  },
  {
    id: "functional",
    locked: false,
    purpose: "Showing dates, times and pages the way you like them before you are signed in.",
    cookies: [
      { name: "svc_user_locale", purpose: "How numbers and dates are written", duration: "1 year" },
      { name: "svc_user_timezone", purpose: "The time zone of what you see", duration: "1 year" },
      { name: "svc_localization_preferences", purpose: "Format of dates", duration: "1 year" },
      { name: "svc_sidebar_collapsed", purpose: "Whether the side menu is folded", duration: "1 year" },
    ],
  },
  {
    id: "analytics",
    locked: false,
    purpose: "Counting which pages are used, with Google Analytics.",
    cookies: [
      { name: "_ga", purpose: "Tells visitors apart", duration: "182 days" },
      { name: "_gid", purpose: "Tells visitors of one day apart", duration: "1 day" },
      { name: "_ga_*", purpose: "Keeps the state of a visit", duration: "182 days" },
    ],
  },
  { id: "marketing", locked: false, purpose: "Advertising. We use none.", cookies: [] },
];

/** What Global Privacy Control (`Sec-GPC: 1`) refuses on a person's behalf. */
export const refusedByGpc: readonly CategoryId[] = ["analytics", "marketing"];

/** What is allowed by a choice: the locked categories always, in the order of the policy, and never what GPC refuses. */
export function effective(chosen: readonly CategoryId[], globalPrivacyControl: boolean): CategoryId[] {
  return categories
    .filter(({ id, locked }) => locked || chosen.includes(id))
    .map(({ id }) => id)
    .filter((id) => !globalPrivacyControl || !refusedByGpc.includes(id));
}

/** The category that a cookie belongs to; undefined for one that is not in the policy. */
export function categoryOf(name: string): CategoryId | undefined {
  return categories.find(({ cookies }) => cookies.some((cookie) => matches(cookie.name, name)))?.id;
}

/** Names to expire when only these categories are allowed: all listed ones, and of the patterns those that are present. */
export function disabled(allowed: readonly CategoryId[], present: readonly string[]): string[] {
  const listed = categories
    .filter(({ id }) => !allowed.includes(id))
    .flatMap(({ cookies }) => cookies.map(({ name }) => name));
  const named = listed.filter((name) => !name.endsWith("*"));
  const found = present.filter((name) => listed.some((pattern) => matches(pattern, name)));
  return [...new Set([...named, ...found])];
}

/**
 * Domains under which another's script may have set a cookie for this host: itself and its parents. What is no domain
 * (localhost, an address) has none; a public suffix among them is refused by the browser and does no harm.
 */
export function cookieDomains(host: string): string[] {
  if (/^[\d.]+$|:/.test(host)) return [];
  const labels = host.split(".");
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
