import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

/** Signs up. The account is created when the user opens the emailed link. */
export default function Register() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ name: "", email: "", password: "", workspaceName: "" }, async (values) => {
    const { workspaceName, ...account } = values;
    const body = { ...account, workspaceName: workspaceName.trim() ? workspaceName : undefined };
    await svc.post("/auth/register", { body });
    setSentTo(values.email);
  });
  if (sentTo)
    return (
      <Page title="Check your email">
        <p>
          We have sent an email to <strong>{sentTo}</strong>. Open its link within one day to get started.
        </p>
        <p>
          No email? Check your spam folder, or <Link href="/login">sign in</Link> if you already have an
          account.
        </p>
      </Page>
    );
  return (
    <Page title="Sign up">
      <Form form={form} submitLabel="Sign up">
        <TextField form={form} name="name" label="Name" autoComplete="name" required />
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" required />
        <NewPasswordField form={form} name="password" label="Password" owner={form.values} />
        <TextField
          form={form}
          name="workspaceName"
          label="Workspace (optional)"
          hint="The name of your company or team."
          autoComplete="organization"
        />
      </Form>
      <p>
        Already have an account? <Link href="/login">Sign in</Link>
      </p>
    </Page>
  );
}
