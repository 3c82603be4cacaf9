import { useState } from "react";
import { svc } from "../../base/api.ts";
import { clearUserData } from "../../base/cookies.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { linkMessages } from "./link-messages.ts";

/** Undoes a change of the account's email from the emailed link, then asks for a new password. */
export default function UndoEmailChange() {
  const [token] = useState(takeLinkToken);
  const form = useForm({}, async () => {
    const { resetToken } = await svc.post("/auth/email/undo", { body: { token } });
    clearUserData();
    // Loads the page, which clears everything that the ended session has left in memory.
    location.replace(`/reset-password#token=${resetToken}`);
  });
  return (
    <Page title={linkMessages.undoEmail.title}>
      {token ? (
        <>
          <p>{linkMessages.undoEmail.lead}</p>
          <Form form={form} submitLabel={linkMessages.undoEmail.submit} />
        </>
      ) : (
        <p>{linkMessages.linkIncomplete}</p>
      )}
    </Page>
  );
}
