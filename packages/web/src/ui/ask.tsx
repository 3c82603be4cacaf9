import { type ReactNode, useState } from "react";
import { Confirm } from "./dialog.tsx";
import { Failure } from "./states.tsx";

/** Asks first, then does it. What goes wrong stands in the dialog, which stays for another try. */
export function Ask<Result>({
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
    <Confirm
      title={title}
      confirmLabel={confirmLabel}
      busy={busy}
      onConfirm={() => void go()}
      onClose={onClose}
    >
      {children}
      <Failure error={failure} />
    </Confirm>
  );
}
