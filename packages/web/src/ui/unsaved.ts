import { createContext, useContext, useEffect, useId, useState } from "react";

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
