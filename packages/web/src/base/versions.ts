import { Problem } from "./api.ts";

/** A resource that says which version of it this is. */
export type Versioned = { version: string };

/** The changes that a request sends, by the names of the API. */
export type Changes = Record<string, unknown>;

/** A part of a resource that people compare as a whole: its label, the names of its fields, and how to read it. */
export type Part<T> = { label: string; names: readonly (keyof T & string)[]; show: (resource: T) => string };

/** A part as the user saw it, as they would change it, and as it is now. */
export type Difference = { label: string; seen: string; mine: string; theirs: string };

/** Returns the resource as it is now, if a request failed because it was changed meanwhile. */
export function currentIn<T extends Versioned>(problem: unknown): T | undefined {
  if (!(problem instanceof Problem) || problem.code !== "changed_meanwhile") return undefined;
  return (problem.body.current ?? undefined) as T | undefined;
}

/** Returns the parts that differ between what the user saw, what they would change it to, and what it is now. */
export function differences<T extends Versioned>(
  parts: readonly Part<T>[],
  seen: T,
  changes: Changes,
  current: T,
): Difference[] {
  return parts
    .map(({ label, show }) => ({
      label,
      seen: show(seen),
      mine: show({ ...seen, ...changes }),
      theirs: show(current),
    }))
    .filter(({ seen, mine, theirs }) => seen !== theirs || mine !== theirs);
}

/** Returns the changes for the current version: the parts that the user did not change become what they are now. */
export function rebased<T extends Versioned, C extends Changes>(
  parts: readonly Part<T>[],
  seen: T,
  changes: C,
  current: T,
): C {
  const untouched = parts.filter(({ show }) => show({ ...seen, ...changes }) === show(seen));
  const names = untouched.flatMap(({ names }) => names).filter((name) => name in changes);
  return { ...changes, ...Object.fromEntries(names.map((name) => [name, current[name]])) };
}
