import { useState } from "react";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";

/** Sets a new password from the emailed link. Does not sign the user in, so that the second factor is still required. */
export default function ResetPassword() {
  const [token] = useState(takeLinkToken);
  const [done, setDone] = useState(false);
  const form = useForm({ password: "" }, async ({ password }) => {
    await post("/auth/password/reset", { token, password });
    setDone(true);
  });
  if (done)
    return (
      <Page title="Password changed">
        <p>All your sessions have ended.</p>
        <p>
          <Link href="/login">Sign in with your new password</Link>
        </p>
      </Page>
    );
  return (
    <Page title="New password">
      {token ? (
        <Form form={form} submitLabel="Change password">
          <TextField
            form={form}
            name="password"
            label="New password"
            hint="At least 12 characters. A sentence works well."
            type="password"
            autoComplete="new-password"
            required
          />
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
