import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { linkMessages } from "./link-messages.ts";
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
      <Page title={linkMessages.reset.done}>
        <p>{linkMessages.reset.doneLead}</p>
        <p>
          <Link href="/login">{linkMessages.reset.signIn}</Link>
        </p>
      </Page>
    );
  return (
    <Page title={linkMessages.reset.title}>
      {token ? (
        <Form form={form} submitLabel={linkMessages.reset.submit}>
          <NewPasswordField form={form} name="password" label={messages.newPassword.label} />
        </Form>
      ) : (
        <p>{linkMessages.linkIncomplete}</p>
      )}
      <p>
        <Link href="/forgot-password">{linkMessages.reset.newLink}</Link>
      </p>
    </Page>
  );
}
