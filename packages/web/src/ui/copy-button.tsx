import { useState } from "react";
import { Button } from "./button.tsx";

/** Copies a text, and says beside the button whether that worked. */
export function CopyButton({ text, label }: { text: string; label: string }) {
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
