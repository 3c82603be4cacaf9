import type { EmergencyBypass } from "@svc/client";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { Form, SelectField, TextArea, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { EmailField, PasswordField } from "./credential-fields.tsx";
import { storeDeviceToken, storedDeviceToken } from "./device-token.ts";
import { askForPasskey } from "./passkey.ts";
import { completeSignIn } from "./session.ts";
import { webauthnAvailable } from "./webauthn.ts";

/** Emergency access for admins whose IP address the workspace's IP allowlist blocks. */
export default function EmergencyBypassPage() {
  const form = useForm(
    { email: "", password: "", method: "totp" as EmergencyBypass["method"], code: "", reason: "" },
    async ({ code, reason, method, ...credentials }) => {
      const request = { reason, deviceToken: storedDeviceToken() };
      const body =
        method === "passkey"
          ? { ...request, method, ...(await askForPasskey()) }
          : { ...request, method, ...credentials, code: code.trim() };
      const answer = await svc.post("/auth/emergency-bypass", { body });
      storeDeviceToken(answer.deviceToken);
      completeSignIn(answer.user);
    },
  );
  const typed = form.values.method !== "passkey";
  return (
    <Page title="Emergency access">
      <p>
        For admins whose IP address is blocked by their workspace. You need your password and a second factor,
        or a passkey. Access lasts one hour. All admins receive an email with your reason, and the audit log
        records it.
      </p>
      <Form form={form} submitLabel="Get access" actions={<Link href="/login">Back to sign in</Link>}>
        <SelectField
          form={form}
          name="method"
          label="Sign in with"
          options={[
            { value: "totp", label: "Password and authenticator app" },
            { value: "backup_code", label: "Password and backup code" },
            ...(webauthnAvailable ? [{ value: "passkey", label: "Passkey" }] : []),
          ]}
        />
        {typed && (
          <>
            <EmailField form={form} />
            <PasswordField form={form} />
            <TextField form={form} name="code" label="Code" autoComplete="one-time-code" required />
          </>
        )}
        <TextArea
          form={form}
          name="reason"
          label="Reason"
          hint="At least 10 characters. The other admins will see it."
          rows={2}
          maxLength={500}
          required
        />
      </Form>
    </Page>
  );
}
