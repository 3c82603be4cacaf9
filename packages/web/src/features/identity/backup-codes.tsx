import { useState } from "react";
import { svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import type { FactorsChanged } from "./factors-changed.ts";
import { useReauthentication } from "./reauthentication.tsx";

/** Shows how many backup codes are left, and replaces them. */
export function BackupCodes({ left, onChanged }: { left: number; onChanged: FactorsChanged }) {
  const reauthenticate = useReauthentication();
  const [confirming, setConfirming] = useState(false);
  return (
    <section aria-labelledby="backup">
      <h2 id="backup">Backup codes</h2>
      <ul className="items">
        <li>
          <div>
            <strong>{left === 0 ? "None left" : `${left} left`}</strong>
            <p className="hint">
              {left <= 3
                ? "Create new codes soon. Without your device, they are the only way to sign in."
                : "Each code works once, in place of your app or passkey."}
            </p>
          </div>
          <Button onClick={() => setConfirming(true)}>Create new codes…</Button>
        </li>
      </ul>
      {confirming && (
        <ConfirmAction
          title="Create new backup codes?"
          confirmLabel="Create new codes"
          action={() => reauthenticate(() => svc.post("/user/2fa/backup-codes"))}
          onDone={({ backupCodes }) => {
            setConfirming(false);
            void onChanged("New codes created. The old codes no longer work.", backupCodes);
          }}
          onClose={() => setConfirming(false)}
        >
          <p>You will get 12 new codes. Your current codes will stop working.</p>
        </ConfirmAction>
      )}
    </section>
  );
}
