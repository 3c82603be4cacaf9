import type { View as Workspace } from "@svc/core/workspace/settings";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, patch } from "../../base/api.ts";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "../money/choice.ts";
import { planFeatures } from "./plan-features.ts";

/** Settings > Workspace: its name, base currency, time zone and first day of the week, and its plan. */
export default function WorkspacePage() {
  const { workspace } = useCurrentUser();
  const query = useQuery({
    queryKey: ["workspace", workspace.id],
    queryFn: ({ signal }) => get<Workspace>("/api/v1/workspace", { signal }),
  });
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
      toast("The workspace is saved.");
      await Promise.all(
        ["me", "workspace", "currencies"].map((noun) => client.invalidateQueries({ queryKey: [noun] })),
      );
    },
  );
  return (
    <Form form={form} submitLabel="Save">
      <TextField form={form} name="name" label="Name" maxLength={100} required />
      <SelectField
        form={form}
        name="baseCurrency"
        label="Base currency"
        hint="New projects begin with it. Time that is booked already keeps its currency."
        options={withCurrent(currencyOptions(), baseCurrency)}
      />
      <SelectField
        form={form}
        name="timezone"
        label="Time zone"
        hint="It decides where a day of reports begins."
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
        <dt>Week begins</dt>
        <dd>{weekdays()[settings.weekStart - 1]}</dd>
        <dt>Since</dt>
        <dd>{day(settings.createdAt)}</dd>
      </dl>
      <p>Its admins can change this. Your role is {settings.role}.</p>
    </>
  );
}

function PlanSection({ settings: { plan, role } }: { settings: Workspace }) {
  const more = Object.entries(planFeatures).filter(([, offer]) => !hasPlan(plan, offer.plan));
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <p>
        This workspace has the plan <strong>{plan}</strong>.
        {more.length === 0 && " It has everything there is."}
      </p>
      {more.length > 0 && (
        <>
          <p>With a larger plan there would also be:</p>
          <ul>
            {more.map(([title, { plan: needed, about }]) => (
              <li key={title}>
                <strong>{title}</strong> <span className="badge">{needed}</span>
                <div className="hint">{about}</div>
              </li>
            ))}
          </ul>
          <p>
            {role === "owner"
              ? "As the owner you can have the plan changed by the operator of this service."
              : "The owner of the workspace can have it changed."}
          </p>
        </>
      )}
    </section>
  );
}

/** Monday to Sunday. */
function weekdays(): string[] {
  const format = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, at) => format.format(Date.UTC(2024, 0, 1 + at)));
}

type Option = { value: string; label: string };

function withCurrent(options: Option[], value: string): Option[] {
  return options.some((one) => one.value === value) ? options : [...options, { value, label: value }];
}
