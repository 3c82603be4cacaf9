import { useState } from "react";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";

/** Where the mailed link leads: a new password. Nobody is signed in by it, so that the second factor is still asked for. */
export default function ResetPassword() {
  const [token] = useState(takeLinkToken);
  const [done, setDone] = useState(false);
  const form = useForm({ password: "" }, async ({ password }) => {
    await post("/auth/password/reset", { token, password });
    setDone(true);
  });
  if (done)
    return (
      <Page title="Your password is set">
        <p>You were signed out everywhere.</p>
        <p>
          <Link href="/login">Sign in with the new password</Link>
        </p>
      </Page>
    );
  return (
    <Page title="New password">
      {token ? (
        <Form form={form} submitLabel="Set the password">
          <TextField
            form={form}
            name="password"
            label="New password"
            hint="At least 12 characters, of any kind. A sentence is good."
            type="password"
            autoComplete="new-password"
            required
          />
        </Form>
      ) : (
        <p>This address is not complete. Open the link in the mail once more.</p>
      )}
      <p>
        <Link href="/forgot-password">Ask for another link</Link>
      </p>
    </Page>
  );
}
