/** The ids of entries that the user has deleted and can still bring back. Lists leave them out. */
const hidden = new Set<string>();

/** Leaves entries out of lists. */
export function hide(ids: readonly string[]): void {
  for (const id of ids) hidden.add(id);
}

/** Shows entries in lists again. */
export function show(ids: readonly string[]): void {
  for (const id of ids) hidden.delete(id);
}

/** Tells whether lists leave out an entry. */
export function isHidden({ id }: { id: string }): boolean {
  return hidden.has(id);
}

/** Functions that send the deletions that the user can still undo. */
export const pending = new Set<() => Promise<void>>();

/** Sends the deletions that can still be undone, because the user leaves or does something that needs them. */
export async function sendDeletions(): Promise<void> {
  await Promise.all([...pending].map((send) => send()));
}
