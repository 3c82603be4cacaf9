import type { LoggedIn } from "@svc/core/identity/sign-in/login";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { Form, SelectField, TextArea, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { storeDeviceToken } from "./device-token.ts";
import { signedIn } from "./session.ts";

/** The way in for admins whom the address list of their own workspace keeps out. */
export default function EmergencyBypass() {
  const form = useForm(
    { email: "", password: "", method: "totp", code: "", reason: "" },
    async ({ code, ...values }) => {
      const answer = await post<LoggedIn>("/auth/emergency-bypass", { ...values, code: code.trim() });
      storeDeviceToken(answer.deviceToken);
      signedIn(answer.user);
    },
  );
  return (
    <Page title="Emergency access">
      <p>
        For admins of a workspace that cannot be reached from their address. It takes your password and your
        second factor, and lasts for an hour. Every admin is told by mail, with the reason that you give, and
        it is in the audit log.
      </p>
      <Form form={form} submitLabel="Let me in" actions={<Link href="/login">Ordinary sign-in</Link>}>
        <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" required />
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
          hint="At least ten letters. The other admins will read it."
          rows={2}
          maxLength={500}
          required
        />
      </Form>
    </Page>
  );
}
