import type { View as Proof } from "@svc/core/consent/consent";
import {
  type CategoryId,
  categoryIds,
  choiceCookie,
  choiceDays,
  disabled,
  effective,
  policyVersion,
  refusedByGpc,
} from "@svc/core/consent/policy";
import { expire, names, read, write } from "./cookie-jar.ts";

export type Action = Proof["action"];

/** A choice that holds, as its cookie keeps it. `proof` is missing until the server has written it down. */
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

/** The server saw `Sec-GPC: 1`, in a browser that does not tell its scripts. */
let refusedByServer = false;

const listeners = new Set<() => void>();

/** The choice that holds now; undefined while the visitor has to be asked. */
export function current(): Choice | undefined {
  return choice;
}

/** Calls this after each change. Answers how to stop it. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the browser itself refuses on the visitor's behalf (Global Privacy Control). */
export function globalPrivacyControl(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true || refusedByServer;
}

/** Whether cookies of this category may exist. What GPC can refuse is allowed only once the server has written it down. */
export function allowed(category: CategoryId): boolean {
  if (!choice) return effective([], false).includes(category);
  if (refusedByGpc.includes(category) && choice.proof === undefined) return false;
  return effective(choice.categories, globalPrivacyControl()).includes(category);
}

/** The visitor has chosen. Cookies that are no longer allowed are gone when this returns; the proof follows. */
export function choose(action: Action, categories: readonly CategoryId[]): Promise<void> {
  keep({
    policyVersion,
    at: Date.now(),
    categories: effective(categories, globalPrivacyControl()),
    action,
  });
  return prove();
}

/** Take away every cookie that is not allowed now. */
export function sweep(): void {
  const present = names();
  const forbidden = disabled(categoryIds.filter(allowed), present);
  for (const name of forbidden) if (present.includes(name)) expire(name);
}

/**
 * Watch over the choice: nothing that was refused comes back, whoever sets it; a choice runs out while the page is open; one
 * made in another tab holds here; one that the server has not heard of is told again.
 */
export function guard(): void {
  sweep();
  void prove();
  const check = () => {
    const now = stored();
    if (now?.at !== choice?.at || now?.proof !== choice?.proof) changed(now);
    else sweep();
  };
  (window as { cookieStore?: EventTarget }).cookieStore?.addEventListener("change", check);
  setInterval(check, 1000);
}

/** Have the choice written down. What fails is tried again with the next page load; until then the proof is missing. */
async function prove(): Promise<void> {
  const made = choice;
  if (!made || made.proof !== undefined) return;
  const { categories, action } = made;
  const answer = await fetch("/api/v1/consents", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ policyVersion: made.policyVersion, categories, action }),
    keepalive: true,
  }).catch(() => undefined);
  if (choice !== made || !answer) return;
  if (answer.status === 409) return forget();
  if (!answer.ok) return;
  const proof = (await answer.json()) as Proof;
  if (choice !== made) return;
  refusedByServer = refusedByGpc.some((id) => made.categories.includes(id) && !proof.categories.includes(id));
  keep({ ...made, categories: proof.categories, proof: proof.id });
}

/** The policy is another one by now: ask again, about the one that the next page load brings. */
function forget(): void {
  expire(choiceCookie);
  changed(undefined);
}

function keep(made: Choice): void {
  const leftSeconds = Math.max(0, Math.round((made.at + lifeMs - Date.now()) / 1000));
  write(choiceCookie, JSON.stringify(made), leftSeconds);
  changed(made);
}

function changed(next: Choice | undefined): void {
  choice = next;
  sweep();
  for (const listener of listeners) listener();
}

/** The choice of the cookie: of today's policy, and not too old. Whatever else the cookie holds is no choice. */
function stored(): Choice | undefined {
  try {
    const found = JSON.parse(read(choiceCookie) ?? "null") as Choice | null;
    const holds =
      found?.policyVersion === policyVersion && found.at <= Date.now() && found.at + lifeMs > Date.now();
    return holds && Array.isArray(found.categories) ? found : undefined;
  } catch {
    return undefined;
  }
}
