import type { View as Workspace } from "@svc/core/workspace/settings";
import { useQueryClient } from "@tanstack/react-query";
import { patch } from "../../base/api.ts";
import { hasPlan, hasRole } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import { planChangeHint, planFeatures } from "./plan-features.ts";
import { useWorkspaceSettings } from "./workspace-settings.ts";

/** Settings > Workspace: name, base currency, time zone, first day of the week and plan. */
export default function WorkspacePage() {
  const query = useWorkspaceSettings();
  return (
    <Page title="Workspace">
      <Loaded query={query}>
        {(settings) => (
          <>
            {hasRole(settings.role, "admin") ? (
              <Settings settings={settings} />
            ) : (
              <Facts settings={settings} />
            )}
            <PlanSection settings={settings} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Settings({ settings }: { settings: Workspace }) {
  const client = useQueryClient();
  const { name, baseCurrency, timezone, weekStart } = settings;
  const form = useForm(
    { name, baseCurrency, timezone, weekStart: String(weekStart) },
    async ({ weekStart, ...values }) => {
      await patch("/api/v1/workspace", { ...values, weekStart: Number(weekStart) });
      toast("Workspace saved.");
      await Promise.all(
        ["me", "workspace", "currencies"].map((noun) => client.invalidateQueries({ queryKey: [noun] })),
      );
    },
  );
  return (
    <Form form={form} submitLabel="Save changes">
      <TextField form={form} name="name" label="Name" maxLength={100} required />
      <SelectField
        form={form}
        name="baseCurrency"
        label="Base currency"
        hint="The default for new projects. Existing time entries keep their currency."
        options={withCurrent(currencyOptions(), baseCurrency)}
      />
      <SelectField
        form={form}
        name="timezone"
        label="Time zone"
        hint="Determines when a day starts in reports."
        options={withCurrent(
          ["UTC", ...Intl.supportedValuesOf("timeZone")].map((value) => ({
            value,
            label: value.replaceAll("_", " "),
          })),
          timezone,
        )}
      />
      <SelectField
        form={form}
        name="weekStart"
        label="First day of the week"
        options={weekdays().map((label, at) => ({ value: String(at + 1), label }))}
      />
    </Form>
  );
}

function Facts({ settings }: { settings: Workspace }) {
  return (
    <>
      <dl className="facts">
        <dt>Name</dt>
        <dd>{settings.name}</dd>
        <dt>Base currency</dt>
        <dd>{settings.baseCurrency}</dd>
        <dt>Time zone</dt>
        <dd>{settings.timezone.replaceAll("_", " ")}</dd>
        <dt>First day of the week</dt>
        <dd>{weekdays()[settings.weekStart - 1]}</dd>
        <dt>Created</dt>
        <dd>{day(settings.createdAt)}</dd>
      </dl>
      <p>Only admins can change these settings. Your role is {settings.role}.</p>
    </>
  );
}

function PlanSection({ settings: { plan, role } }: { settings: Workspace }) {
  const missing = Object.entries(planFeatures).filter(([, feature]) => !hasPlan(plan, feature.plan));
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <p>
        This workspace is on the <strong>{plan}</strong> plan.
        {missing.length === 0 && " It includes all features."}
      </p>
      {missing.length > 0 && (
        <>
          <p>A larger plan also includes:</p>
          <ul>
            {missing.map(([title, { plan: needed, about }]) => (
              <li key={title}>
                <strong>{title}</strong> <span className="badge">{needed}</span>
                <div className="hint">{about}</div>
              </li>
            ))}
          </ul>
          <p>{planChangeHint(role)}</p>
        </>
      )}
    </section>
  );
}

/** Returns the weekdays from Monday to Sunday. */
function weekdays(): string[] {
  const format = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, at) => format.format(Date.UTC(2024, 0, 1 + at)));
}

type Option = { value: string; label: string };

function withCurrent(options: Option[], value: string): Option[] {
  return options.some((one) => one.value === value) ? options : [...options, { value, label: value }];
}
