import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { SecretDialog } from "../../ui/dialog.tsx";
import "./two-factor.css";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.backupCodes;

/** Shows new backup codes, with buttons to copy them or download them as a text file. */
export function BackupCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join("\n");
  const download = () => saveFile("svc-backup-codes.txt", new Blob([`${text}\n`], { type: "text/plain" }));
  return (
    <SecretDialog title={messages.newTitle} savedLabel={messages.saved} onSaved={onClose}>
      <p>{messages.save}</p>
      <ul className="codes" aria-label={messages.title}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label={messages.copy} />
        <Button onClick={download}>{messages.download}</Button>
      </div>
    </SecretDialog>
  );
}
