import type { LoggedIn } from "@svc/core/identity/sign-in/login";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { Form, SelectField, TextArea, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { storeDeviceToken } from "./device-token.ts";
import { completeSignIn } from "./session.ts";

/** Emergency access for admins whose IP address the workspace's IP allowlist blocks. */
export default function EmergencyBypass() {
  const form = useForm(
    { email: "", password: "", method: "totp", code: "", reason: "" },
    async ({ code, ...values }) => {
      const answer = await post<LoggedIn>("/auth/emergency-bypass", { ...values, code: code.trim() });
      storeDeviceToken(answer.deviceToken);
      completeSignIn(answer.user);
    },
  );
  return (
    <Page title="Emergency access">
      <p>
        For admins whose IP address is blocked by their workspace. You need your password and a second factor.
        Access lasts one hour. All admins receive an email with your reason, and the audit log records it.
      </p>
      <Form form={form} submitLabel="Get access" actions={<Link href="/login">Back to sign in</Link>}>
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" required />
        <TextField
          form={form}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <SelectField
          form={form}
          name="method"
          label="Second factor"
          options={[
            { value: "totp", label: "Authenticator app" },
            { value: "backup_code", label: "Backup code" },
          ]}
        />
        <TextField form={form} name="code" label="Code" autoComplete="one-time-code" required />
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
