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
import "./profile-page.css";

/** Settings > Profile: picture, name, password, workspaces, and the download and deletion of the account's data. */
export default function ProfilePage() {
  return (
    <Page title="Profile">
      <Reauthentication>
        <AvatarSection />
        <section className="settings-columns" aria-label="Profile and password">
          <ProfileForm />
          <PasswordForm />
        </section>
        <MyWorkspaces />
        <YourData />
      </Reauthentication>
    </Page>
  );
}

function ProfileForm() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const form = useForm({ name: me.name, title: me.title, phone: me.phone }, async (values) => {
    await patch("/user/profile", values);
    await Promise.all([
      client.invalidateQueries({ queryKey: ["me"] }),
      client.invalidateQueries({ queryKey: ["members"] }),
    ]);
    toast("Profile saved.");
  });
  return (
    <section aria-labelledby="about">
      <h2 id="about">About you</h2>
      <Form form={form} submitLabel="Save changes">
        <TextField form={form} name="name" label="Name" autoComplete="name" required />
        <TextField
          form={form}
          name="title"
          label="Title"
          hint="Your job title, shown in the member list."
          autoComplete="organization-title"
        />
        <TextField form={form} name="phone" label="Phone" type="tel" autoComplete="tel" />
      </Form>
      <p className="hint">
        You sign in as {me.email}. Change your language, time zone and date format in{" "}
        <Link href="/settings/preferences">Preferences</Link>.
      </p>
    </section>
  );
}

function PasswordForm() {
  const form = useForm({ currentPassword: "", newPassword: "" }, async (values) => {
    await put("/user/password", values);
    form.reset();
    toast("Password changed. Your other sessions have ended.");
  });
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <Form form={form} submitLabel="Change password">
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
          hint="At least 12 characters. A sentence works well. Your other sessions will end."
          type="password"
          autoComplete="new-password"
          required
        />
      </Form>
    </section>
  );
}
