import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";

/**
 * A modal dialog that keeps the focus inside and restores it when closed. It is open while mounted. Escape and the close button
 * call `onClose`, which must unmount it.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement as HTMLElement | null;
    element?.showModal();
    // Focus the first form field. The browser would focus the close button.
    element?.querySelector<HTMLElement>("form input, form select, form textarea")?.focus();
    return () => {
      element?.close();
      // React has already removed the dialog, so the browser does not restore the focus itself.
      if (before?.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button look="quiet" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">✕</span>
        </Button>
      </header>
      {children}
    </dialog>
  );
}

/** A dialog that asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  busy,
  onConfirm,
  onClose,
}: {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="row">
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
