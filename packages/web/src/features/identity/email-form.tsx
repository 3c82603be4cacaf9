import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { RichText, strong } from "../../ui/rich-text.tsx";
import { profileMessages } from "./settings-messages.ts";

const messages = profileMessages.email;

/** Requests another email to sign in with. It changes when the user opens the link that was sent to it. */
export function EmailForm() {
  const { me } = useCurrentUser();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm(
    { email: "", password: "" },
    async (values) => {
      setSentTo(undefined);
      await svc.put("/user/email", { body: values });
      form.reset();
      setSentTo(values.email);
    },
    { draft: "email" },
  );
  return (
    <section aria-labelledby="email">
      <h2 id="email">{messages.title}</h2>
      <p>
        <RichText text={messages.current(me.email)} marks={{ strong }} />
      </p>
      <Form form={form} submitLabel={messages.submit} submitLook="plain">
        <TextField form={form} name="email" label={messages.new} type="email" autoComplete="off" required />
        <TextField
          form={form}
          name="password"
          label={messages.password}
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      <div role="status">{sentTo && <p className="notice">{messages.sent(sentTo)}</p>}</div>
    </section>
  );
}
