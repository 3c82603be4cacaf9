import { useState } from "react";
import { svc } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";

/** Confirms the new email of an account from the emailed link. */
export default function ConfirmEmail() {
  const [token] = useState(takeLinkToken);
  const [done, setDone] = useState(false);
  const form = useForm({}, async () => {
    await svc.post("/auth/email/confirm", { body: { token } });
    setDone(true);
  });
  if (done)
    return (
      <Page title="Email changed">
        <p>From now on, you sign in with the new email.</p>
        <p>
          <a href="/">Go to home page</a>
        </p>
      </Page>
    );
  return (
    <Page title="Confirm your new email">
      {token ? (
        <>
          <p>Your account will use the email to which we sent the link.</p>
          <Form form={form} submitLabel="Confirm email" />
        </>
      ) : (
        <p>This link is incomplete. Open the link in the email again.</p>
      )}
    </Page>
  );
}
