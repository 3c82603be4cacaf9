import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

/** A signing secret in the only moment in which it is ever seen. */
export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <p>
        Keep it where your receiver finds it: it is shown this once. With it the receiver checks the header{" "}
        <code>webhook-signature</code> of each message.
      </p>
      <p className="secret">
        <code>{secret}</code>
      </p>
      <div className="row">
        <Button
          look="primary"
          onClick={async () => {
            await navigator.clipboard.writeText(secret);
            setCopied(true);
            toast("The secret is copied.");
          }}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
        <Button onClick={onClose}>I have kept it</Button>
      </div>
    </Dialog>
  );
}
