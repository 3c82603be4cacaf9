import type { AuthenticatorAppSetup as SetUp } from "@svc/client";
import { svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { useReauthentication } from "./reauthentication.tsx";

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
    <Dialog title="Set up an authenticator app" onClose={onClose}>
      <p>
        1. Scan this QR code with your app. If the app is on this device,{" "}
        <a href={otpauthUri}>open it there</a>.
      </p>
      <QrCode svg={qrSvg} />
      <details>
        <summary>Enter the key manually</summary>
        <p className="hint">Time-based (TOTP), 6 digits, 30 seconds.</p>
        <code className="secret-text">{grouped(secret)}</code>
        <div className="row">
          <CopyButton text={secret} label="Copy key" />
        </div>
      </details>
      <p>2. Enter the code that the app shows.</p>
      <Form
        form={form}
        submitLabel="Turn on"
        actions={
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <TextField
          form={form}
          name="code"
          label="Code"
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
      aria-label="QR code for the authenticator app"
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
