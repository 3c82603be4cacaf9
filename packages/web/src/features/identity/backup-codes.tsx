import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";

/** Backup codes, shown this once: to copy, or to download as a text file. */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n");
  return (
    <>
      <p>
        Keep these backup codes where you will find them without your device. Each opens the second step once.
        They are not shown again.
      </p>
      <ul className="codes" aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label="Copy the codes" />
        <Button
          onClick={() => saveFile("svc-backup-codes.txt", new Blob([`${text}\n`], { type: "text/plain" }))}
        >
          Download
        </Button>
      </div>
    </>
  );
}
