import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { messages } from "./messages.ts";

/**
 * A dialog that asks for confirmation before an action that cannot be undone, and runs it. If the action fails, the dialog stays
 * open and shows the error.
 */
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
    <Dialog title={title} onClose={onClose}>
      {children}
      <Failure error={failure} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.cancel}</Button>
        <Button look="danger" busy={busy} onClick={() => void go()}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
