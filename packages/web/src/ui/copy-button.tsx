import { useState } from "react";
import { Button } from "./button.tsx";
import { messages } from "./messages.ts";

/** A button that copies a text and reports the result beside it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome(messages.copied),
      () => setOutcome(messages.copyFailed),
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
