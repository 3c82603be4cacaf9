import { useEffect } from "react";
import { type Fields, writeDraft } from "../base/drafts.ts";
import { Button } from "./button.tsx";
import { messages } from "./messages.ts";

/**
 * Stores the unsaved fields of a form while it is shown, and nothing without a name. Memoize `fields`. A form that closes on its page
 * was saved or discarded, so its draft is deleted.
 */
export function useDraft(name: string | undefined, fields: Fields, idempotencyKey?: string): void {
  useEffect(() => {
    if (name !== undefined) writeDraft(name, { fields, idempotencyKey });
  }, [name, fields, idempotencyKey]);
  useEffect(() => {
    const page = location.pathname;
    return () => {
      if (name !== undefined && location.pathname === page) writeDraft(name, { fields: {} });
    };
  }, [name]);
}

/** Says that a form has changes from before a reload, and offers to discard them. */
export function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p role="status" className="hint">
      {messages.restored}{" "}
      <Button look="quiet" onClick={onDiscard}>
        {messages.discardRestored}
      </Button>
    </p>
  );
}
