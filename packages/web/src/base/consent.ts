import { type Consent, createClient, Problem } from "@svc/client";
import {
  type CategoryId,
  categoryIds,
  choiceCookie,
  choiceDays,
  cookiesToExpire,
  effective,
  policyVersion,
  refusedByGpc,
} from "@svc/core/consent/policy";
import { cookieNames, deleteCookie, readCookie, writeCookie } from "./cookie-jar.ts";

export type Action = Consent["action"];

/** A cookie choice, as stored in the consent cookie. `proof` is the id of the server's consent record, once it exists. */
export type Choice = {
  policyVersion: string;
  /** Milliseconds since 1970. */
  at: number;
  categories: CategoryId[];
  action: Action;
  proof?: string;
};

const lifeMs = choiceDays * 86_400_000;

let choice: Choice | undefined = stored();

/** True when the server saw `Sec-GPC: 1` from a browser that does not expose the signal to scripts. */
let refusedByServer = false;

const listeners = new Set<() => void>();

/** Returns the current choice; undefined while the visitor has to be asked. */
export function currentChoice(): Choice | undefined {
  return choice;
}

/** Calls the listener after each change of the choice. Returns the function that unsubscribes it. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells whether the browser sends the Global Privacy Control signal. */
export function globalPrivacyControl(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true || refusedByServer;
}

/**
 * Tells whether cookies of this category are allowed. Categories that Global Privacy Control can refuse are allowed only after
 * the server has recorded the choice.
 */
export function allowed(category: CategoryId): boolean {
  if (!choice) return effective([], false).includes(category);
  if (refusedByGpc.includes(category) && choice.proof === undefined) return false;
  return effective(choice.categories, globalPrivacyControl()).includes(category);
}

/** Stores the visitor's choice, deletes cookies that it does not allow, and then sends it to the server. */
export function choose(action: Action, categories: readonly CategoryId[]): Promise<void> {
  store({
    policyVersion,
    at: Date.now(),
    categories: effective(categories, globalPrivacyControl()),
    action,
  });
  return record();
}

/** Deletes every cookie that is not allowed. */
export function deleteForbiddenCookies(): void {
  const present = cookieNames();
  const forbidden = cookiesToExpire(categoryIds.filter(allowed), present);
  for (const name of forbidden) if (present.includes(name)) deleteCookie(name);
}

/**
 * Enforces the choice while the page is open: deletes refused cookies that a script sets again, notices when the choice expires
 * or changes in another tab, and sends a choice that the server has not recorded yet.
 */
export function enforceConsent(): void {
  deleteForbiddenCookies();
  void record();
  const check = () => {
    const now = stored();
    if (now?.at !== choice?.at || now?.proof !== choice?.proof) changed(now);
    else deleteForbiddenCookies();
  };
  (window as { cookieStore?: EventTarget }).cookieStore?.addEventListener("change", check);
  setInterval(check, 1000);
}

/** Separate from `base/api.ts`, which needs cookies, which need the consent. */
const api = createClient();

/** Sends the choice to the server and stores the id of its record. A failure is retried with the next page load. */
async function record(): Promise<void> {
  const sent = choice;
  if (!sent || sent.proof !== undefined) return;
  const { categories, action } = sent;
  let proof: Consent;
  try {
    const body = { policyVersion: sent.policyVersion, categories: [...categories], action };
    proof = await api.post("/api/v1/consents", { body, keepalive: true });
  } catch (problem) {
    if (choice === sent && problem instanceof Problem && problem.status === 409) discardChoice();
    return;
  }
  if (choice !== sent) return;
  refusedByServer = refusedByGpc.some((id) => sent.categories.includes(id) && !proof.categories.includes(id));
  store({ ...sent, categories: proof.categories, proof: proof.id });
}

/** Deletes the choice because the policy has changed. The next page load brings the new policy. */
function discardChoice(): void {
  deleteCookie(choiceCookie);
  changed(undefined);
}

function store(next: Choice): void {
  const leftSeconds = Math.max(0, Math.round((next.at + lifeMs - Date.now()) / 1000));
  writeCookie(choiceCookie, JSON.stringify(next), leftSeconds);
  changed(next);
}

function changed(next: Choice | undefined): void {
  choice = next;
  deleteForbiddenCookies();
  for (const listener of listeners) listener();
}

/** Returns the choice from the cookie if it is valid, not expired and for the current policy version. */
function stored(): Choice | undefined {
  try {
    const found = JSON.parse(readCookie(choiceCookie) ?? "null") as Choice | null;
    const valid =
      found?.policyVersion === policyVersion && found.at <= Date.now() && found.at + lifeMs > Date.now();
    return valid && Array.isArray(found.categories) ? found : undefined;
  } catch {
    return undefined;
  }
}
