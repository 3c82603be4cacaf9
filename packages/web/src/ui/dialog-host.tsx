import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

/** Renders a dialog, which calls `close` when it is done. */
type Content = (close: () => void) => ReactNode;

const Context = createContext<(content: Content) => void>(() => {
  throw new Error("useDialogHost works only inside DialogHost.");
});

/**
 * Returns a function that opens a dialog outside the component that calls it. Use it in rows of lists: a refetch can remove the
 * row while its dialog is open, and with the dialog the text that the user has entered.
 */
export function useDialogHost(): (content: Content) => void {
  return useContext(Context);
}

/** Provides `useDialogHost` to the components inside. Shows one dialog at a time. */
export function DialogHost({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<{ content: Content }>();
  const show = useCallback((content: Content) => setOpen({ content }), []);
  return (
    <Context value={show}>
      {children}
      {open?.content(() => setOpen(undefined))}
    </Context>
  );
}
