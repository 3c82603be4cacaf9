import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";

/** Requests a link to set a new password. The response does not reveal whether the account exists. */
export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ email: "" }, async ({ email }) => {
    await svc.post("/auth/password/forgot", { body: { email } });
    setSentTo(email);
  });
  if (sentTo)
    return (
      <Page title="Check your email">
        <p>
          If <strong>{sentTo}</strong> has an account, we have sent a link to it. The link expires in one
          hour.
        </p>
        <p>
          <Link href="/login">Back to sign in</Link>
        </p>
      </Page>
    );
  return (
    <Page title="Reset your password">
      <p>Enter your email and we will send you a link to set a new password.</p>
      <Form form={form} submitLabel="Send link" actions={<Link href="/login">Back to sign in</Link>}>
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" required />
      </Form>
    </Page>
  );
}
