import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { RichText, strong } from "../../ui/rich-text.tsx";
import { messages } from "./messages.ts";
import { NewPasswordField } from "./new-password-field.tsx";

const link = (text: string) => <Link href="/login">{text}</Link>;

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
      <Page title={messages.checkEmail}>
        <p>
          <RichText text={messages.signUp.sent(sentTo)} marks={{ strong }} />
        </p>
        <p>
          <RichText text={messages.signUp.noEmail} marks={{ link }} />
        </p>
      </Page>
    );
  return (
    <Page title={messages.signUp.title}>
      <Form form={form} submitLabel={messages.signUp.title}>
        <TextField form={form} name="name" label={messages.signUp.name} autoComplete="name" required />
        <TextField
          form={form}
          name="email"
          label={messages.email}
          type="email"
          autoComplete="username"
          required
        />
        <NewPasswordField form={form} name="password" label={messages.password} owner={form.values} />
        <TextField
          form={form}
          name="workspaceName"
          label={messages.signUp.workspace}
          hint={messages.signUp.workspaceHint}
          autoComplete="organization"
        />
      </Form>
      <p>
        <RichText text={messages.signUp.hasAccount} marks={{ link }} />
      </p>
    </Page>
  );
}
