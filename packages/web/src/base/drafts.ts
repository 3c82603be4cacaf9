/**
 * Text that a user has entered in a form and not saved, in the session storage of the tab. It survives a reload, a session that
 * ends, and a server that is away. It ends when it is saved or discarded, when the user signs out or another one signs in, and
 * with the tab.
 */
export type Draft = Record<string, string | boolean>;

type Stored = { userId: string; drafts: Record<string, Draft> };

/** The name in the session storage, as in @svc/core/consent/policy. */
const storageKey = "svc_drafts";

/** Fields with these words in their names are never stored. */
const secret = /password|secret|token|code|header/i;

function read(): Stored {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? "") as Stored;
  } catch {
    return { userId: "", drafts: {} };
  }
}

function write(stored: Stored): void {
  try {
    if (Object.keys(stored.drafts).length === 0 && stored.userId === "")
      sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(stored));
  } catch {
    // The storage is full or turned off. The form itself still has the text.
  }
}

/** Deletes the drafts of another user of this tab. */
export function beginDrafts(userId: string): void {
  if (read().userId !== userId) write({ userId, drafts: {} });
}

/** Deletes all drafts. */
export function clearDrafts(): void {
  write({ userId: "", drafts: {} });
}

/** Returns the fields of a form that the user had changed. */
export function readDraft(name: string): Draft {
  return read().drafts[name] ?? {};
}

/** Stores the changed fields of a form, except secrets. Without any, the draft is deleted. */
export function writeDraft(name: string, changed: Draft): void {
  const { userId, drafts } = read();
  const kept = Object.entries(changed).filter(([field]) => !secret.test(field));
  const { [name]: _, ...others } = drafts;
  if (kept.length === 0 && drafts[name] === undefined) return;
  write({ userId, drafts: kept.length === 0 ? others : { ...others, [name]: Object.fromEntries(kept) } });
}
