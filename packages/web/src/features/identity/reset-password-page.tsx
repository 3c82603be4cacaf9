import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { messages } from "./messages.ts";
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
      <Page title={messages.reset.done}>
        <p>{messages.reset.doneLead}</p>
        <p>
          <Link href="/login">{messages.reset.signIn}</Link>
        </p>
      </Page>
    );
  return (
    <Page title={messages.reset.title}>
      {token ? (
        <Form form={form} submitLabel={messages.reset.submit}>
          <NewPasswordField form={form} name="password" label={messages.newPassword.label} />
        </Form>
      ) : (
        <p>{messages.linkIncomplete}</p>
      )}
      <p>
        <Link href="/forgot-password">{messages.reset.newLink}</Link>
      </p>
    </Page>
  );
}
