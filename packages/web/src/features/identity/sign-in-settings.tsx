import type { SecuritySettings } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { CheckField, Form, SelectField, useForm } from "../../ui/form.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** The idle timeout of sessions, and email notifications about sign-ins on new devices. */
export function SignInSettings() {
  const query = useQuery({
    queryKey: ["security"],
    queryFn: ({ signal }) => svc.get("/user/security", { signal }),
  });
  return (
    <section aria-labelledby="sign-in-settings">
      <h2 id="sign-in-settings">Idle timeout and notifications</h2>
      <Loaded query={query}>{(settings) => <SettingsForm settings={settings} />}</Loaded>
    </section>
  );
}

/** Options within the API's limits of 15 minutes to 30 days. */
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

function SettingsForm({ settings }: { settings: SecuritySettings }) {
  const client = useQueryClient();
  const { idleTimeoutMinutes, loginNotifications } = settings;
  const form = useForm(
    { idleTimeoutMinutes: String(idleTimeoutMinutes), loginNotifications },
    async (values) => {
      const body = { ...values, idleTimeoutMinutes: Number(values.idleTimeoutMinutes) };
      const saved = await svc.patch("/user/security", { body });
      client.setQueryData(["security"], saved);
      toast("Security settings saved.");
    },
  );
  const choices = {
    ...idleMinutes,
    [idleTimeoutMinutes]: idleMinutes[idleTimeoutMinutes] ?? `${idleTimeoutMinutes} minutes`,
  };
  return (
    <Form form={form} submitLabel="Save changes">
      <SelectField
        form={form}
        name="idleTimeoutMinutes"
        label="Sign me out after inactivity of"
        hint="Also applies to current sessions. Every session ends after 90 days."
        options={Object.entries(choices).map(([value, label]) => ({ value, label }))}
      />
      <CheckField
        form={form}
        name="loginNotifications"
        label="Email me when my account is used on a new device"
        hint="We always email you about suspicious sign-ins."
      />
    </Form>
  );
}
