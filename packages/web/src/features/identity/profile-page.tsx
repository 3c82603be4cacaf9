import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { useEdit } from "../../ui/conflict.tsx";
import { CheckField, Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { toast } from "../../ui/toast.tsx";
import { AvatarSection } from "../avatar/avatar-section.tsx";
import { MyWorkspaces } from "../workspace/my-workspaces.tsx";
import { YourData } from "./account-data.tsx";
import { EmailForm } from "./email-form.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { profileParts } from "./profile-parts.ts";

/** Settings > Profile: picture, name, email, password, workspaces, and the download and deletion of the account's data. */
export default function ProfilePage() {
  return (
    <Page title="Profile">
      <Panels>
        <AvatarSection />
        <Panels columns>
          <ProfileForm />
          <EmailForm />
          <PasswordForm />
        </Panels>
        <MyWorkspaces />
        <YourData />
      </Panels>
    </Page>
  );
}

function ProfileForm() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const edit = useEdit(me, profileParts);
  const form = useForm(
    { name: me.name, title: me.title, phone: me.phone },
    async (values) => {
      const { resource, saved } = await edit.save(values, (changes, ifMatch) =>
        svc.patch("/user/profile", { body: changes, ifMatch }),
      );
      form.replace({ name: resource.name, title: resource.title, phone: resource.phone });
      await Promise.all([
        client.invalidateQueries({ queryKey: ["me"] }),
        client.invalidateQueries({ queryKey: ["members"] }),
      ]);
      if (saved) toast("Profile saved.");
    },
    { draft: "profile" },
  );
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
        Change your language, time zone and date format in{" "}
        <Link href="/settings/preferences">Preferences</Link>.
      </p>
    </section>
  );
}

function PasswordForm() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const initial = { currentPassword: "", newPassword: "", keepApiTokens: false };
  const form = useForm(initial, async (values) => {
    await svc.put("/user/password", { body: values });
    form.reset();
    await client.invalidateQueries({ queryKey: ["tokens"] });
    toast("Password changed. Your other sessions have ended.");
  });
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <Form form={form} submitLabel="Change password" submitLook="plain">
        <TextField
          form={form}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPasswordField form={form} name="newPassword" label="New password" owner={me} />
        <CheckField
          form={form}
          name="keepApiTokens"
          label="Keep my API tokens"
          hint="Otherwise they are revoked. Your other sessions end in any case."
        />
      </Form>
    </section>
  );
}
