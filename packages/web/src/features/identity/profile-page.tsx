import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { patch, put } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { AvatarSection } from "../avatar/avatar-section.tsx";
import { MyWorkspaces } from "../workspace/my-workspaces.tsx";
import { YourData } from "./account-data.tsx";
import { Reauthentication } from "./reauthentication.tsx";
import "./settings.css";

/** Settings > Profile: who the person is to others, the password, the workspaces, and all that is kept about them. */
export default function ProfilePage() {
  return (
    <Page title="Profile">
      <Reauthentication>
        <AvatarSection />
        <section className="settings-columns" aria-label="Person and password">
          <Person />
          <Password />
        </section>
        <MyWorkspaces />
        <YourData />
      </Reauthentication>
    </Page>
  );
}

function Person() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const form = useForm({ name: me.name, title: me.title, phone: me.phone }, async (values) => {
    await patch("/user/profile", values);
    await Promise.all([
      client.invalidateQueries({ queryKey: ["me"] }),
      client.invalidateQueries({ queryKey: ["members"] }),
    ]);
    toast("Your profile is saved.");
  });
  return (
    <section aria-labelledby="person">
      <h2 id="person">About you</h2>
      <Form form={form} submitLabel="Save">
        <TextField form={form} name="name" label="Name" autoComplete="name" required />
        <TextField
          form={form}
          name="title"
          label="Title"
          hint="What you do, as the team list shows it."
          autoComplete="organization-title"
        />
        <TextField form={form} name="phone" label="Telephone" type="tel" autoComplete="tel" />
      </Form>
      <p className="hint">
        You sign in as {me.email}. Language, time zone and the format of dates are under{" "}
        <Link href="/settings/preferences">Preferences</Link>.
      </p>
    </section>
  );
}

function Password() {
  const form = useForm({ currentPassword: "", newPassword: "" }, async (values) => {
    await put("/user/password", values);
    form.reset();
    toast("Your password is changed, and all your other sessions are over.");
  });
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <Form form={form} submitLabel="Change the password">
        <TextField
          form={form}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          form={form}
          name="newPassword"
          label="New password"
          hint="At least 12 characters, of any kind. A sentence is good. All your other sessions will end."
          type="password"
          autoComplete="new-password"
          required
        />
      </Form>
    </section>
  );
}
