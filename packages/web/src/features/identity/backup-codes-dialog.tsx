import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { SecretDialog } from "../../ui/dialog.tsx";
import "./two-factor.css";

/** Shows new backup codes, with buttons to copy them or download them as a text file. */
export function BackupCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join("\n");
  const download = () => saveFile("svc-backup-codes.txt", new Blob([`${text}\n`], { type: "text/plain" }));
  return (
    <SecretDialog title="Your backup codes" savedLabel="I have saved them" onSaved={onClose}>
      <p>
        Save these codes somewhere you can reach without your device. Each code works once. They will not be
        shown again.
      </p>
      <ul className="codes" aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label="Copy codes" />
        <Button onClick={download}>Download codes</Button>
      </div>
    </SecretDialog>
  );
}
