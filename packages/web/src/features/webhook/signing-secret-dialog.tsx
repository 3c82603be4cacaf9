import { CopyButton } from "../../ui/copy-button.tsx";
import { SecretDialog } from "../../ui/dialog.tsx";

/** Shows a new signing secret, which cannot be shown again. */
export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog title="Signing secret" savedLabel="I have stored it" onSaved={onClose}>
      <p>
        Store the secret now: it is shown only once. Your receiver uses it to verify the header{" "}
        <code>webhook-signature</code> of each message.
      </p>
      <p className="secret">
        <code>{secret}</code>
      </p>
      <div className="row">
        <CopyButton text={secret} label="Copy secret" />
      </div>
    </SecretDialog>
  );
}
