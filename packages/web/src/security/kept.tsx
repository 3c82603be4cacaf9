import { useState } from "react";
import { save } from "../file.ts";
import { Button } from "../ui/button.tsx";

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
        <Copy text={text} label="Copy the codes" />
        <Button onClick={() => save("svc-backup-codes.txt", `${text}\n`, "text/plain")}>Download</Button>
      </div>
    </>
  );
}

/** Copies a text, and says beside the button whether that worked. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("Copied"),
      () => setOutcome("The browser does not allow it: select the text and copy it."),
    );
  return (
    <>
      <Button onClick={() => void copy()}>{label}</Button>
      <span role="status" className="hint">
        {outcome}
      </span>
    </>
  );
}
