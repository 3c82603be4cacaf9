import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { useEdit } from "../../ui/conflict.tsx";
import { CheckField, Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import { toast } from "../../ui/toast.tsx";
import { AvatarSection } from "../avatar/avatar-section.tsx";
import { MyWorkspaces } from "../workspace/my-workspaces.tsx";
import { YourData } from "./account-data.tsx";
import { EmailForm } from "./email-form.tsx";
import { messages as publicMessages } from "./messages.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { profileParts } from "./profile-parts.ts";
import { profileMessages as messages } from "./settings-messages.ts";

/** Settings > Profile: picture, name, email, password, workspaces, and the download and deletion of the account's data. */
export default function ProfilePage() {
  return (
    <Page title={messages.title}>
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
      if (saved) toast(messages.saved);
    },
    { draft: "profile" },
  );
  return (
    <section aria-labelledby="about">
      <h2 id="about">{messages.about}</h2>
      <Form form={form} submitLabel={messages.save}>
        <TextField form={form} name="name" label={messages.name} autoComplete="name" required />
        <TextField
          form={form}
          name="title"
          label={messages.jobTitle}
          hint={messages.jobTitleHint}
          autoComplete="organization-title"
        />
        <TextField form={form} name="phone" label={messages.phone} type="tel" autoComplete="tel" />
      </Form>
      <p className="hint">
        <RichText
          text={messages.toPreferences}
          marks={{ link: (text) => <Link href="/settings/preferences">{text}</Link> }}
        />
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
    toast(messages.password.changed);
  });
  return (
    <section aria-labelledby="password">
      <h2 id="password">{messages.password.title}</h2>
      <Form form={form} submitLabel={messages.password.submit} submitLook="plain">
        <TextField
          form={form}
          name="currentPassword"
          label={messages.password.current}
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPasswordField
          form={form}
          name="newPassword"
          label={publicMessages.newPassword.label}
          owner={me}
        />
        <CheckField
          form={form}
          name="keepApiTokens"
          label={messages.password.keepTokens}
          hint={messages.password.keepTokensHint}
        />
      </Form>
    </section>
  );
}
