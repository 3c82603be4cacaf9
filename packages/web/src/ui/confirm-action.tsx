import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

/** A confirmation dialog that runs an action. If the action fails, the dialog stays open and shows the error. */
export function ConfirmAction<Result>({
  title,
  confirmLabel,
  children,
  action,
  onDone,
  onClose,
}: {
  title: string;
  confirmLabel: string;
  children: ReactNode;
  action: () => Promise<Result>;
  /** Receives the result of the action. Must unmount the dialog. */
  onDone: (result: Result) => void;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  async function go(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await action().then(onDone, (problem) => {
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
