import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** Shows a new signing secret, which cannot be shown again. */
export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <p>
        Store the secret now: it is shown only once. Your receiver uses it to verify the header{" "}
        <code>webhook-signature</code> of each message.
      </p>
      <p className="secret">
        <code>{secret}</code>
      </p>
      <div className="row">
        <CopyButton text={secret} label="Copy secret" />
        <Button onClick={onClose}>I have stored it</Button>
      </div>
    </Dialog>
  );
}
