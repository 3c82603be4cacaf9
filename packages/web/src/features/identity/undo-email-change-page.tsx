import { useState } from "react";
import { svc } from "../../base/api.ts";
import { clearUserData } from "../../base/cookies.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";

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
    <Page title="Undo the change of your email">
      {token ? (
        <>
          <p>
            Your account will use the email to which we sent the link. All sessions and API tokens end.
            Passkeys, second factors and devices that were added since, or in the day before, are removed.
            Then you choose a new password.
          </p>
          <Form form={form} submitLabel="Undo the change" />
        </>
      ) : (
        <p>This link is incomplete. Open the link in the email again.</p>
      )}
    </Page>
  );
}
