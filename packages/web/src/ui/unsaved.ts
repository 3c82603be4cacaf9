import { createContext, useContext, useEffect, useEffectEvent, useId, useState } from "react";

/** The forms in a dialog that have unsaved changes, by their ids. */
export type UnsavedForms = Set<string>;

/** The dialog around a form. */
export const UnsavedContext = createContext<UnsavedForms | undefined>(undefined);

/** Returns the set for the provider of `UnsavedContext`. */
export function useUnsavedForms(): UnsavedForms {
  return useState(() => new Set<string>())[0];
}

/** Tells whether the component is in a dialog. */
export function useInDialog(): boolean {
  return useContext(UnsavedContext) !== undefined;
}

/** Tells the dialog around a form whether the form has changes that are not saved. */
export function useUnsaved(changed: boolean): void {
  const forms = useContext(UnsavedContext);
  const id = useId();
  useEffect(() => {
    if (!forms || !changed) return;
    forms.add(id);
    return () => void forms.delete(id);
  }, [forms, id, changed]);
}

/** Makes the browser ask before it reloads or closes the page, if `isNeeded` says so then. */
export function useWarnBeforeUnload(isNeeded: () => boolean): void {
  useEffect(() => {
    const warn = (event: Event) => {
      if (isNeeded()) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  });
}

/** Calls `onBack` instead of leaving the page when the user goes back in the history. */
export function useBackButton(onBack: () => void): void {
  const stay = useEffectEvent(onBack);
  useEffect(() => {
    // Going back leads from this entry to the one before it, which is the same page.
    const entry = { stays: crypto.randomUUID() };
    const { href } = location;
    const isCurrent = () => (history.state as { stays?: string } | null)?.stays === entry.stays;
    history.pushState(entry, "");
    const onPopState = () => {
      if (isCurrent()) return;
      history.pushState(entry, "", href);
      stay();
    };
    // Before the listener of the router, which would show the other page.
    addEventListener("popstate", onPopState, true);
    return () => {
      removeEventListener("popstate", onPopState, true);
      if (isCurrent()) history.back();
    };
  }, []);
}
