import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";

/** Requests another email to sign in with. It changes when the user opens the link that was sent to it. */
export function EmailForm() {
  const { me } = useCurrentUser();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ email: "", password: "" }, async (values) => {
    setSentTo(undefined);
    await svc.put("/user/email", { body: values });
    form.reset();
    setSentTo(values.email);
  });
  return (
    <section aria-labelledby="email">
      <h2 id="email">Email</h2>
      <p>
        You sign in as <strong>{me.email}</strong>.
      </p>
      <Form form={form} submitLabel="Change email" submitLook="plain">
        <TextField form={form} name="email" label="New email" type="email" autoComplete="off" required />
        <TextField
          form={form}
          name="password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      <div role="status">
        {sentTo && (
          <p className="notice">
            Open the link that we have sent to {sentTo} within one day. Until then, you sign in as before.
          </p>
        )}
      </div>
    </section>
  );
}
