import { useState } from "react";
import { svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import type { FactorsChanged } from "./factors-changed.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.backupCodes;

/** Shows how many backup codes are left, and replaces them. */
export function BackupCodes({ left, onChanged }: { left: number; onChanged: FactorsChanged }) {
  const reauthenticate = useReauthentication();
  const [confirming, setConfirming] = useState(false);
  return (
    <section aria-labelledby="backup">
      <h2 id="backup">{messages.title}</h2>
      <ul className="items">
        <li>
          <div>
            <strong>{messages.left(left)}</strong>
            <p className="hint">{left <= 3 ? messages.fewHint : messages.hint}</p>
          </div>
          <Button onClick={() => setConfirming(true)}>{messages.ask}</Button>
        </li>
      </ul>
      {confirming && (
        <ConfirmAction
          title={messages.question}
          confirmLabel={messages.confirm}
          action={() => reauthenticate(() => svc.post("/user/2fa/backup-codes"))}
          onDone={({ backupCodes }) => {
            setConfirming(false);
            void onChanged(messages.created, backupCodes);
          }}
          onClose={() => setConfirming(false)}
        >
          <p>{messages.warning}</p>
        </ConfirmAction>
      )}
    </section>
  );
}
