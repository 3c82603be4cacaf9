import { useState } from "react";
import { svc } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { linkMessages } from "./link-messages.ts";

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
      <Page title={linkMessages.confirmEmail.done}>
        <p>{linkMessages.confirmEmail.doneLead}</p>
        <p>
          <a href="/">{linkMessages.home}</a>
        </p>
      </Page>
    );
  return (
    <Page title={linkMessages.confirmEmail.title}>
      {token ? (
        <>
          <p>{linkMessages.confirmEmail.lead}</p>
          <Form form={form} submitLabel={linkMessages.confirmEmail.submit} />
        </>
      ) : (
        <p>{linkMessages.linkIncomplete}</p>
      )}
    </Page>
  );
}
