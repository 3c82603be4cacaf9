import { useState } from "react";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";

/** Ask for a link to set a new password. What is said does not tell whether there is such an account. */
export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ email: "" }, async ({ email }) => {
    await post("/auth/password/forgot", { email });
    setSentTo(email);
  });
  if (sentTo)
    return (
      <Page title="Look into your mail">
        <p>
          We have sent a mail to <strong>{sentTo}</strong>. The link in it is good for an hour.
        </p>
        <p>
          <Link href="/login">Back to sign in</Link>
        </p>
      </Page>
    );
  return (
    <Page title="Forgotten password">
      <p>Tell us your address, and we send you a link to set a new password.</p>
      <Form form={form} submitLabel="Send the link" actions={<Link href="/login">Back to sign in</Link>}>
        <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" required />
      </Form>
    </Page>
  );
}
