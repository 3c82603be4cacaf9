import type { WorkspaceSettings } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { hasPlan, hasRole } from "../../base/current-user.ts";
import { day, plainDay } from "../../base/format.ts";
import { useEdit } from "../../ui/conflict.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { CheckField, Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import { planChangeHint, planFeatures } from "./plan-features.ts";
import { useWorkspaceSettings, weekdays, workspaceParts } from "./workspace-settings.ts";

/** Settings > Workspace: name, base currency, time zone, first day of the week, what members see, and plan. */
export default function WorkspacePage() {
  const query = useWorkspaceSettings();
  return (
    <Page title="Workspace">
      <Loaded query={query}>
        {(settings) => (
          <Panels>
            <section aria-label="Workspace settings">
              {hasRole(settings.role, "admin") ? (
                <Settings settings={settings} />
              ) : (
                <Facts settings={settings} />
              )}
            </section>
            <PlanSection settings={settings} />
          </Panels>
        )}
      </Loaded>
    </Page>
  );
}

function Settings({ settings }: { settings: WorkspaceSettings }) {
  const client = useQueryClient();
  const canLock = hasPlan(settings.plan, "ENTERPRISE") || settings.lockedUntil !== null;
  const edit = useEdit(settings, workspaceParts);
  const form = useForm(
    valuesOf(settings),
    async ({ weekStart, lockedUntil: day, ...values }) => {
      const { resource, saved } = await edit.save(
        { ...values, weekStart: Number(weekStart), lockedUntil: day || null },
        (changes, ifMatch) => svc.patch("/api/v1/workspace", { body: changes, ifMatch }),
      );
      form.replace(valuesOf(resource));
      if (saved) toast("Workspace saved.");
      await Promise.all(
        ["me", "workspace", "currencies", "time-entries", "reports"].map((noun) =>
          client.invalidateQueries({ queryKey: [noun] }),
        ),
      );
    },
    { draft: `workspace ${settings.id}` },
  );
  return (
    <Form form={form} submitLabel="Save changes">
      <TextField form={form} name="name" label="Name" maxLength={100} required />
      <SelectField
        form={form}
        name="baseCurrency"
        label="Base currency"
        hint="The default for new projects. Existing time entries keep their currency."
        options={withCurrent(currencyOptions(), form.values.baseCurrency)}
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
          form.values.timezone,
        )}
      />
      <SelectField
        form={form}
        name="weekStart"
        label="First day of the week"
        options={weekdays().map((label, at) => ({ value: String(at + 1), label }))}
      />
      <CheckField
        form={form}
        name="membersSeeMoney"
        label="Members see hourly rates and budgets"
        hint="Members always see the amounts on their own time entries. Managers and admins see everything."
      />
      {canLock && (
        <DateField
          form={form}
          name="lockedUntil"
          label="Locked until"
          hint="No one can change time entries and exchange rates of this day and earlier ones. Clear it to lift the lock."
        />
      )}
    </Form>
  );
}

function valuesOf(settings: WorkspaceSettings) {
  const { name, baseCurrency, timezone, weekStart, membersSeeMoney, lockedUntil } = settings;
  return {
    name,
    baseCurrency,
    timezone,
    weekStart: String(weekStart),
    membersSeeMoney,
    lockedUntil: lockedUntil ?? "",
  };
}

function Facts({ settings }: { settings: WorkspaceSettings }) {
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
        <dt>Hourly rates and budgets</dt>
        <dd>{settings.membersSeeMoney ? "Visible to all members" : "Visible to managers and admins"}</dd>
        {settings.lockedUntil && (
          <>
            <dt>Locked until</dt>
            <dd>{plainDay(settings.lockedUntil)}</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>{day(settings.createdAt)}</dd>
      </dl>
      <p>Only admins can change these settings. Your role is {settings.role}.</p>
    </>
  );
}

function PlanSection({ settings: { plan, role } }: { settings: WorkspaceSettings }) {
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

type Option = { value: string; label: string };

function withCurrent(options: Option[], value: string): Option[] {
  return options.some((one) => one.value === value) ? options : [...options, { value, label: value }];
}
