import type { AuthenticatorAppSetup as SetUp } from "@svc/client";
import { svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import { useReauthentication } from "./reauthentication.tsx";
import { securityMessages } from "./settings-messages.ts";

const { app } = securityMessages;

/** Shows the secret as a QR code and as text, and asks for the first code to confirm that the app has it. */
export function AuthenticatorAppSetup({
  setUp: { secret, otpauthUri, qrSvg },
  onDone,
  onClose,
}: {
  setUp: SetUp;
  onDone: (backupCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const reauthenticate = useReauthentication();
  const form = useForm({ code: "" }, async ({ code }) => {
    const { backupCodes } = await reauthenticate(() =>
      svc.post("/user/2fa/totp/verify", { body: { code: code.trim() } }),
    );
    onDone(backupCodes);
  });
  return (
    <Dialog title={app.setUpTitle} onClose={onClose}>
      <p>
        <RichText text={app.scan} marks={{ link: (text) => <a href={otpauthUri}>{text}</a> }} />
      </p>
      <QrCode svg={qrSvg} />
      <details>
        <summary>{app.manually}</summary>
        <p className="hint">{app.manuallyHint}</p>
        <code className="secret-text">{grouped(secret)}</code>
        <div className="row">
          <CopyButton text={secret} label={app.copyKey} />
        </div>
      </details>
      <p>{app.enterCode}</p>
      <Form
        form={form}
        submitLabel={app.turnOn}
        actions={
          <Button look="quiet" onClick={onClose}>
            {securityMessages.cancel}
          </Button>
        }
      >
        <TextField
          form={form}
          name="code"
          label={app.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
        />
      </Form>
    </Dialog>
  );
}

/** Draws the API's QR code. Uses only its size and path, so that no other markup of the response reaches the page. */
function QrCode({ svg }: { svg: string }) {
  const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return (
    <svg
      className="qr"
      role="img"
      aria-label={app.qr}
      viewBox={drawing.getAttribute("viewBox") ?? undefined}
      shapeRendering="crispEdges"
    >
      <path fill="currentColor" d={drawing.querySelector("path")?.getAttribute("d") ?? undefined} />
    </svg>
  );
}

function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
