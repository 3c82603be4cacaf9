import type { SecuritySettings } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { CheckField, Form, SelectField, useForm } from "../../ui/form.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.settings;

/** The idle timeout of sessions, and email notifications about sign-ins on new devices. */
export function SignInSettings() {
  const query = useQuery({
    queryKey: ["security"],
    queryFn: ({ signal }) => svc.get("/user/security", { signal }),
  });
  return (
    <section aria-labelledby="sign-in-settings">
      <h2 id="sign-in-settings">{messages.title}</h2>
      <Loaded query={query}>{(settings) => <SettingsForm settings={settings} />}</Loaded>
    </section>
  );
}

/** Options within the API's limits of 15 minutes to 30 days. */
const idleMinutes = [15, 30, 60, 240, 480, 1440, 10080, 43200];

function SettingsForm({ settings }: { settings: SecuritySettings }) {
  const client = useQueryClient();
  const { idleTimeoutMinutes, loginNotifications } = settings;
  const form = useForm(
    { idleTimeoutMinutes: String(idleTimeoutMinutes), loginNotifications },
    async (values) => {
      const body = { ...values, idleTimeoutMinutes: Number(values.idleTimeoutMinutes) };
      const saved = await svc.patch("/user/security", { body });
      client.setQueryData(["security"], saved);
      toast(messages.saved);
    },
    { draft: "sign-in settings" },
  );
  const choices = [...new Set([...idleMinutes, idleTimeoutMinutes])].sort((a, b) => a - b);
  return (
    <Form form={form} submitLabel={messages.save}>
      <SelectField
        form={form}
        name="idleTimeoutMinutes"
        label={messages.idle}
        hint={messages.idleHint}
        options={choices.map((minutes) => ({ value: String(minutes), label: messages.idleTime(minutes) }))}
      />
      <CheckField form={form} name="loginNotifications" label={messages.notify} hint={messages.notifyHint} />
    </Form>
  );
}
