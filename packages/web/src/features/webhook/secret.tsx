import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** A signing secret in the only moment in which it is ever seen. */
export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
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
        <CopyButton text={secret} label="Copy" />
        <Button onClick={onClose}>I have kept it</Button>
      </div>
    </Dialog>
  );
}
