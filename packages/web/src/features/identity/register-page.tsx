import { useState } from "react";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";

/** Sign up: the account exists once the mailed link is opened. */
export default function Register() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ name: "", email: "", password: "", workspaceName: "" }, async (values) => {
    const { workspaceName, ...account } = values;
    await post("/auth/register", { ...account, ...(workspaceName.trim() && { workspaceName }) });
    setSentTo(values.email);
  });
  if (sentTo)
    return (
      <Page title="Look into your mail">
        <p>
          We have sent a mail to <strong>{sentTo}</strong>. Open the link in it within a day to start.
        </p>
        <p>
          Nothing there? Look among the unwanted mail, or <Link href="/login">sign in</Link> if you have an
          account already.
        </p>
      </Page>
    );
  return (
    <Page title="Sign up">
      <Form form={form} submitLabel="Sign up">
        <TextField form={form} name="name" label="Name" autoComplete="name" required />
        <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" required />
        <TextField
          form={form}
          name="password"
          label="Password"
          hint="At least 12 characters, of any kind. A sentence is good."
          type="password"
          autoComplete="new-password"
          required
        />
        <TextField
          form={form}
          name="workspaceName"
          label="Workspace (optional)"
          hint="How your company or team is called."
          autoComplete="organization"
        />
      </Form>
      <p>
        You have an account? <Link href="/login">Sign in</Link>
      </p>
    </Page>
  );
}
