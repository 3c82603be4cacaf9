import type { Settings } from "@svc/core/identity/settings/settings";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, patch } from "../../base/api.ts";
import { CheckField, Form, SelectField, useForm } from "../../ui/form.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** How long a session may lie idle, and whether a sign-in on a new device is told by mail. */
export function SignInSettings() {
  const query = useQuery({
    queryKey: ["security"],
    queryFn: ({ signal }) => get<Settings>("/user/security", { signal }),
  });
  return (
    <section aria-labelledby="sign-in-settings">
      <h2 id="sign-in-settings">Idle time and notifications</h2>
      <Loaded query={query}>{(settings) => <SettingsForm settings={settings} />}</Loaded>
    </section>
  );
}

/** Within what the server takes: a quarter of an hour to thirty days. */
const idleMinutes: Record<number, string> = {
  15: "15 minutes",
  30: "30 minutes",
  60: "1 hour",
  240: "4 hours",
  480: "8 hours",
  1440: "1 day",
  10080: "7 days",
  43200: "30 days",
};

function SettingsForm({ settings }: { settings: Settings }) {
  const client = useQueryClient();
  const { idleTimeoutMinutes, loginNotifications } = settings;
  const form = useForm(
    { idleTimeoutMinutes: String(idleTimeoutMinutes), loginNotifications },
    async (values) => {
      const saved = await patch<Settings>("/user/security", {
        ...values,
        idleTimeoutMinutes: Number(values.idleTimeoutMinutes),
      });
      client.setQueryData(["security"], saved);
      toast("Your security settings are saved.");
    },
  );
  const choices = {
    ...idleMinutes,
    [idleTimeoutMinutes]: idleMinutes[idleTimeoutMinutes] ?? `${idleTimeoutMinutes} minutes`,
  };
  return (
    <Form form={form} submitLabel="Save">
      <SelectField
        form={form}
        name="idleTimeoutMinutes"
        label="Sign me out when I was away for"
        hint="It holds for sessions that are open already, too. After 90 days every session is over."
        options={Object.entries(choices).map(([value, label]) => ({ value, label }))}
      />
      <CheckField
        form={form}
        name="loginNotifications"
        label="Mail me when my account is used on a new device"
        hint="Suspicious sign-ins are mailed in any case."
      />
    </Form>
  );
}
