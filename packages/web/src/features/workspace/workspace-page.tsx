import type { WorkspaceSettings } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { hasPlan, hasRole } from "../../base/current-user.ts";
import { day, plainDay } from "../../base/format.ts";
import { ComboField } from "../../ui/combo-field.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { CheckField, Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { RichText, strong } from "../../ui/rich-text.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import { messages } from "./messages.ts";
import { planChangeHint, planFeatures } from "./plan-features.ts";
import { useWorkspaceSettings, weekdays, workspaceParts } from "./workspace-settings.ts";

/** Settings > Workspace: name, base currency, time zone, first day of the week, what members see, and plan. */
export default function WorkspacePage() {
  const query = useWorkspaceSettings();
  return (
    <Page title={messages.settings.title}>
      <Loaded query={query}>
        {(settings) => (
          <Panels>
            <section aria-label={messages.settings.section}>
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
      if (saved) toast(messages.settings.saved);
      await Promise.all(
        ["me", "workspace", "currencies", "time-entries", "reports"].map((noun) =>
          client.invalidateQueries({ queryKey: [noun] }),
        ),
      );
    },
    { draft: `workspace ${settings.id}` },
  );
  return (
    <Form form={form} submitLabel={messages.settings.save}>
      <TextField form={form} name="name" label={messages.name} maxLength={100} required />
      <ComboField
        form={form}
        name="baseCurrency"
        label={messages.settings.baseCurrency}
        hint={messages.settings.baseCurrencyHint}
        options={withCurrent(currencyOptions(), form.values.baseCurrency)}
      />
      <ComboField
        form={form}
        name="timezone"
        label={messages.settings.timezone}
        hint={messages.settings.timezoneHint}
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
        label={messages.settings.weekStart}
        options={weekdays().map((label, at) => ({ value: String(at + 1), label }))}
      />
      <CheckField
        form={form}
        name="membersSeeMoney"
        label={messages.settings.membersSeeMoney}
        hint={messages.settings.membersSeeMoneyHint}
      />
      {canLock && (
        <DateField
          form={form}
          name="lockedUntil"
          label={messages.settings.lockedUntil}
          hint={messages.settings.lockedUntilHint}
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
        <dt>{messages.name}</dt>
        <dd>{settings.name}</dd>
        <dt>{messages.settings.baseCurrency}</dt>
        <dd>{settings.baseCurrency}</dd>
        <dt>{messages.settings.timezone}</dt>
        <dd>{settings.timezone.replaceAll("_", " ")}</dd>
        <dt>{messages.settings.weekStart}</dt>
        <dd>{weekdays()[settings.weekStart - 1]}</dd>
        <dt>{messages.settings.money}</dt>
        <dd>
          {settings.membersSeeMoney ? messages.settings.moneyForAll : messages.settings.moneyForManagers}
        </dd>
        {settings.lockedUntil && (
          <>
            <dt>{messages.settings.lockedUntil}</dt>
            <dd>{plainDay(settings.lockedUntil)}</dd>
          </>
        )}
        <dt>{messages.settings.createdAt}</dt>
        <dd>{day(settings.createdAt)}</dd>
      </dl>
      <p>{messages.settings.readOnly(messages.roleNouns[settings.role])}</p>
    </>
  );
}

function PlanSection({ settings: { plan, role } }: { settings: WorkspaceSettings }) {
  const missing = Object.values(planFeatures).filter((feature) => !hasPlan(plan, feature.plan));
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{messages.settings.plan}</h2>
      <p>
        <RichText
          text={missing.length === 0 ? messages.settings.onLargestPlan(plan) : messages.settings.onPlan(plan)}
          marks={{ strong }}
        />
      </p>
      {missing.length > 0 && (
        <>
          <p>{messages.settings.larger}</p>
          <ul>
            {missing.map(({ title, plan: needed, about }) => (
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
