import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

/** Sets a new password from the emailed link. Does not sign the user in, so that the second factor is still required. */
export default function ResetPassword() {
  const [token] = useState(takeLinkToken);
  const [done, setDone] = useState(false);
  const form = useForm({ password: "" }, async ({ password }) => {
    await svc.post("/auth/password/reset", { body: { token, password } });
    setDone(true);
  });
  if (done)
    return (
      <Page title="Password changed">
        <p>All your sessions have ended, and your API tokens are revoked.</p>
        <p>
          <Link href="/login">Sign in with your new password</Link>
        </p>
      </Page>
    );
  return (
    <Page title="New password">
      {token ? (
        <Form form={form} submitLabel="Change password">
          <NewPasswordField form={form} name="password" label="New password" />
        </Form>
      ) : (
        <p>This link is incomplete. Open the link in the email again.</p>
      )}
      <p>
        <Link href="/forgot-password">Request a new link</Link>
      </p>
    </Page>
  );
}
