import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { browserRegion } from "../../base/format.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { PasswordField } from "./credential-fields.tsx";
import { storeDeviceToken } from "./device-token.ts";
import { completeSignIn } from "./session.ts";

/** Creates the account from the emailed link and the password of the registration, and signs the user in. */
export default function VerifyEmail() {
  const [token] = useState(takeLinkToken);
  const form = useForm({ password: "" }, async ({ password }) => {
    const { deviceToken, user } = await svc.post("/auth/email/verify", {
      body: { token, password, ...browserRegion() },
    });
    storeDeviceToken(deviceToken);
    completeSignIn(user);
  });
  return (
    <Page title="Confirm your email">
      {token ? (
        <>
          <p>Enter the password that you chose when you signed up.</p>
          <Form form={form} submitLabel="Create account">
            <PasswordField
              form={form}
              hint="If you didn't sign up, close this page. No account is created."
              autoFocus
            />
          </Form>
        </>
      ) : (
        <p>This link is incomplete. Open the link in the email again.</p>
      )}
      <p>
        <Link href="/register">Sign up</Link> or <Link href="/login">sign in</Link>
      </p>
    </Page>
  );
}
