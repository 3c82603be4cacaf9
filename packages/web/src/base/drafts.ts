/** The entered values of a form by field. */
export type Fields = Readonly<Record<string, string | boolean | null | readonly string[]>>;

/**
 * The input of a form that the user has not saved, in the session storage of the tab. It survives a reload, a session that ends,
 * and a server that is away. It ends when it is saved or discarded, when the user signs out or another one signs in, and with the
 * tab.
 */
export type Draft = {
  fields: Fields;
  /** The key of the request that was sent with exactly these fields and had no response yet. */
  idempotencyKey?: string | undefined;
};

type Stored = { userId: string; drafts: Readonly<Record<string, Draft>> };

/** The name in the session storage, as in @svc/core/consent/policy. */
const storageKey = "svc_drafts";

/** Fields with these words in their names are never stored. */
const secret = /password|secret|token|code|header/i;

const none: Draft = { fields: {} };

let stored = read();
const listeners = new Set<() => void>();

function read(): Stored {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? "") as Stored;
  } catch {
    return { userId: "", drafts: {} };
  }
}

function write(next: Stored): void {
  stored = next;
  try {
    if (Object.keys(next.drafts).length === 0 && next.userId === "") sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(next));
  } catch {
    // The storage is full or turned off. The page itself still has the text.
  }
  for (const listener of listeners) listener();
}

/** Deletes the drafts of another user of this tab. */
export function beginDrafts(userId: string): void {
  if (stored.userId !== userId) write({ userId, drafts: {} });
}

/** Deletes all drafts. */
export function clearDrafts(): void {
  write({ userId: "", drafts: {} });
}

/** Calls the listener after each change of the drafts. Returns the function that unsubscribes it. */
export function subscribeToDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the draft with this name, or one without fields. The object is the same until the draft changes. */
export function readDraft(name: string): Draft {
  return stored.drafts[name] ?? none;
}

/** Stores fields of a form, except secrets. Without any, the draft is deleted. */
export function writeDraft(name: string, { fields, idempotencyKey }: Draft): void {
  const { userId, drafts } = stored;
  const entries = Object.entries(fields);
  const kept = entries.filter(([field]) => !secret.test(field));
  const { [name]: before, ...others } = drafts;
  if (kept.length === 0 && before === undefined) return;
  // A request whose secrets are lost cannot be repeated.
  const draft = {
    fields: Object.fromEntries(kept),
    idempotencyKey: kept.length === entries.length ? idempotencyKey : undefined,
  };
  write({ userId, drafts: kept.length === 0 ? others : { ...others, [name]: draft } });
}
