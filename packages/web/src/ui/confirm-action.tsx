import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

/** Asks first, then does it. What goes wrong stands in the dialog, which stays for another try. */
export function ConfirmAction<Result>({
  title,
  confirmLabel,
  children,
  work,
  onDone,
  onClose,
}: {
  title: string;
  confirmLabel: string;
  children: ReactNode;
  work: () => Promise<Result>;
  /** With what the work answered. It unmounts the dialog. */
  onDone: (result: Result) => void;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  async function go(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await work().then(onDone, (problem) => {
      setFailure(problem);
      setBusy(false);
    });
  }
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      busy={busy}
      onConfirm={() => void go()}
      onClose={onClose}
    >
      {children}
      <Failure error={failure} />
    </ConfirmDialog>
  );
}
