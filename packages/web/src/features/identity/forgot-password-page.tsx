import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { RichText, strong } from "../../ui/rich-text.tsx";
import { linkMessages } from "./link-messages.ts";
import { messages } from "./messages.ts";

/** Requests a link to set a new password. The response does not reveal whether the account exists. */
export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ email: "" }, async ({ email }) => {
    await svc.post("/auth/password/forgot", { body: { email } });
    setSentTo(email);
  });
  if (sentTo)
    return (
      <Page title={messages.checkEmail}>
        <p>
          <RichText text={linkMessages.forgot.sent(sentTo)} marks={{ strong }} />
        </p>
        <p>
          <Link href="/login">{messages.backToSignIn}</Link>
        </p>
      </Page>
    );
  return (
    <Page title={linkMessages.forgot.title}>
      <p>{linkMessages.forgot.lead}</p>
      <Form
        form={form}
        submitLabel={linkMessages.forgot.submit}
        actions={<Link href="/login">{messages.backToSignIn}</Link>}
      >
        <TextField
          form={form}
          name="email"
          label={messages.email}
          type="email"
          autoComplete="username"
          required
        />
      </Form>
    </Page>
  );
}
