import type { EmergencyBypass } from "@svc/client";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { Form, SelectField, TextArea, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { EmailField, PasswordField } from "./credential-fields.tsx";
import { storeDeviceToken, storedDeviceToken } from "./device-token.ts";
import { linkMessages } from "./link-messages.ts";
import { messages } from "./messages.ts";
import { askForPasskey } from "./passkey.ts";
import { completeSignIn } from "./session.ts";
import { webauthnAvailable } from "./webauthn.ts";

const methods = webauthnAvailable
  ? (["totp", "backup_code", "passkey"] as const)
  : (["totp", "backup_code"] as const);

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
    <Page title={linkMessages.emergency.title}>
      <p>{linkMessages.emergency.lead}</p>
      <Form
        form={form}
        submitLabel={linkMessages.emergency.submit}
        actions={<Link href="/login">{messages.backToSignIn}</Link>}
      >
        <SelectField
          form={form}
          name="method"
          label={linkMessages.emergency.method}
          options={methods.map((value) => ({ value, label: linkMessages.emergency.methods[value] }))}
        />
        {typed && (
          <>
            <EmailField form={form} />
            <PasswordField form={form} />
            <TextField form={form} name="code" label={messages.code} autoComplete="one-time-code" required />
          </>
        )}
        <TextArea
          form={form}
          name="reason"
          label={linkMessages.emergency.reason}
          hint={linkMessages.emergency.reasonHint}
          rows={2}
          maxLength={500}
          required
        />
      </Form>
    </Page>
  );
}
