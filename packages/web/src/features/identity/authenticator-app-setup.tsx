import type { SetUp } from "@svc/core/identity/factors/authenticator-app";
import { post } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { useReauthentication } from "./reauthentication.tsx";

export type { SetUp };

/** The secret for the app, as a picture to scan and as text to type, and the first code that proves that the app has it. */
export function AppSetUp({
  setUp: { secret, otpauthUri, qrSvg },
  onDone,
  onClose,
}: {
  setUp: SetUp;
  onDone: (backupCodes: readonly string[]) => void;
  onClose: () => void;
}) {
  const guarded = useReauthentication();
  const form = useForm({ code: "" }, async ({ code }) => {
    const { backupCodes } = await guarded(() =>
      post<{ backupCodes: string[] }>("/user/2fa/totp/verify", { code: code.trim() }),
    );
    onDone(backupCodes);
  });
  return (
    <Dialog title="Set up an authenticator app" onClose={onClose}>
      <p>
        1. Scan this with your app. On this device, <a href={otpauthUri}>open it in the app</a>.
      </p>
      <QrCode svg={qrSvg} />
      <details>
        <summary>Type it instead</summary>
        <p className="hint">Time-based, six digits, every 30 seconds.</p>
        <code className="secret-text">{grouped(secret)}</code>
        <div className="row">
          <CopyButton text={secret} label="Copy" />
        </div>
      </details>
      <p>2. Type the code that the app shows now.</p>
      <Form
        form={form}
        submitLabel="Turn it on"
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

/** The server's drawing, of which no more is taken than its size and its one path: what else is in a text is not markup of ours. */
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
