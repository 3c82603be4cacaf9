import { CopyButton } from "../../ui/copy-button.tsx";
import { SecretDialog } from "../../ui/dialog.tsx";
import { code, RichText } from "../../ui/rich-text.tsx";
import { messages } from "./messages.ts";

/** Shows a new signing secret, which cannot be shown again. */
export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title={messages.signingSecret.title}
      savedLabel={messages.signingSecret.saved}
      onSaved={onClose}
    >
      <p>
        <RichText text={messages.signingSecret.lead} marks={{ code }} />
      </p>
      <p className="secret">
        <code>{secret}</code>
      </p>
      <div className="row">
        <CopyButton text={secret} label={messages.signingSecret.copy} />
      </div>
    </SecretDialog>
  );
}
