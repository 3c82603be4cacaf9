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
import { messages } from "./messages.ts";
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
    <Page title={messages.verify.title}>
      {token ? (
        <>
          <p>{messages.verify.lead}</p>
          <Form form={form} submitLabel={messages.verify.submit}>
            <PasswordField form={form} hint={messages.verify.hint} autoFocus />
          </Form>
        </>
      ) : (
        <p>{messages.linkIncomplete}</p>
      )}
      <p>
        <RichText
          text={messages.verify.others}
          marks={{
            up: (text) => <Link href="/register">{text}</Link>,
            in: (text) => <Link href="/login">{text}</Link>,
          }}
        />
      </p>
    </Page>
  );
}
