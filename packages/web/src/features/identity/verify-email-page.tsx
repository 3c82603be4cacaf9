import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { browserRegion } from "../../base/format.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import { PasswordField } from "./credential-fields.tsx";
import { storeDeviceToken } from "./device-token.ts";
import { linkMessages } from "./link-messages.ts";
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
    <Page title={linkMessages.verify.title}>
      {token ? (
        <>
          <p>{linkMessages.verify.lead}</p>
          <Form form={form} submitLabel={linkMessages.verify.submit}>
            <PasswordField form={form} hint={linkMessages.verify.hint} autoFocus />
          </Form>
        </>
      ) : (
        <p>{linkMessages.linkIncomplete}</p>
      )}
      <p>
        <RichText
          text={linkMessages.verify.others}
          marks={{
            up: (text) => <Link href="/register">{text}</Link>,
            in: (text) => <Link href="/login">{text}</Link>,
          }}
        />
      </p>
    </Page>
  );
}
