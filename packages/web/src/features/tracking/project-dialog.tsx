import type { NewBudgetSettings } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { money, number, percent } from "../../base/format.ts";
import type { Part } from "../../base/versions.ts";
import { Button } from "../../ui/button.tsx";
import { ComboField } from "../../ui/combo-field.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, DecimalField, Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import { projectMessages } from "./messages.ts";
import type { Project } from "./projects.ts";

/** The parts of a project that people compare. Amounts depend on the currency, so they are one part with it. */
export const projectParts: Part<Project>[] = [
  { label: projectMessages.name, names: ["name"], show: ({ name }) => name },
  { label: projectMessages.client, names: ["client"], show: ({ client }) => client },
  { label: projectMessages.color, names: ["color"], show: ({ color }) => color },
  {
    label: projectMessages.billable,
    names: ["billable"],
    show: ({ billable }) => (billable ? projectMessages.yes : projectMessages.no),
  },
  {
    label: projectMessages.rateAndBudget,
    names: ["currency", "hourlyRate", "budget"],
    show: ({ currency, hourlyRate, budget }) =>
      [
        hourlyRate === null
          ? projectMessages.noRateIn(currency)
          : projectMessages.perHour(amountText(hourlyRate, currency)),
        budget === null ? projectMessages.noBudget : budgetText(budget, currency),
      ].join("\n"),
  },
];

function budgetText(
  { type, amount, period, alertThresholdPercent }: NonNullable<Project["budget"]>,
  currency: string,
): string {
  const limit = type === "money" ? amountText(amount, currency) : projectMessages.hours(number(amount));
  return projectMessages.budgetOf[period](limit, percent(alertThresholdPercent / 100));
}

/** Formats an amount that the user may have mistyped. */
function amountText(amount: string, currency: string): string {
  return Number.isNaN(Number(amount))
    ? projectMessages.unclearAmount(amount, currency)
    : money({ amount, currency });
}

/** Creates or edits a project. */
export function ProjectDialog({
  project,
  onClose,
  onDone,
}: {
  /** The project to edit; omitted to create one. */
  project?: Project;
  onClose: () => void;
  onDone?: (project: Project) => void;
}) {
  const client = useQueryClient();
  const { workspace } = useCurrentUser();
  const edit = useEdit(project, projectParts);
  const form = useForm(
    project ? valuesOf(project) : { ...newProject, currency: workspace.baseCurrency },
    async (values, idempotencyKey) => {
      const body = bodyOf(values);
      const { resource, saved } = project
        ? await edit.save(body, (changes, ifMatch) =>
            svc.patch("/api/v1/projects/{id}", { path: { id: project.id }, body: changes, ifMatch }),
          )
        : { resource: await svc.post("/api/v1/projects", { body, idempotencyKey }), saved: true };
      onClose();
      if (saved) toast(project ? projectMessages.saved : projectMessages.created);
      await client.invalidateQueries({ queryKey: ["projects"] });
      onDone?.(resource);
    },
    { draft: `project ${project?.id ?? `new ${workspace.id}`}`, creates: !project },
  );
  const { values } = form;
  const currencies = currencyOptions();
  return (
    <Dialog title={project ? projectMessages.edit : projectMessages.create} onClose={onClose}>
      <Form
        form={form}
        submitLabel={project ? projectMessages.submit : projectMessages.submitNew}
        actions={<Button onClick={onClose}>{projectMessages.cancel}</Button>}
      >
        <TextField form={form} name="name" label={projectMessages.name} required maxLength={100} />
        <div className="field-pair">
          <TextField form={form} name="client" label={projectMessages.client} maxLength={100} />
          <TextField form={form} name="color" label={projectMessages.color} type="color" />
        </div>
        <div className="field-pair">
          <ComboField
            form={form}
            name="currency"
            label={projectMessages.currency}
            options={
              currencies.some(({ value }) => value === values.currency)
                ? currencies
                : [{ value: values.currency, label: values.currency }, ...currencies]
            }
          />
          <DecimalField
            form={form}
            name="hourlyRate"
            label={projectMessages.hourlyRate}
            hint={projectMessages.hourlyRateHint}
          />
        </div>
        <CheckField form={form} name="billable" label={projectMessages.billable} />
        <div className="field-pair">
          <SelectField
            form={form}
            name="budget/type"
            label={projectMessages.budget}
            options={[
              { value: "", label: projectMessages.budgetTypes.none },
              { value: "money", label: projectMessages.budgetTypes.money },
              { value: "hours", label: projectMessages.budgetTypes.hours },
            ]}
          />
          {values["budget/type"] !== "" && (
            <DecimalField
              form={form}
              name="budget/amount"
              label={
                values["budget/type"] === "money"
                  ? projectMessages.amountIn(values.currency)
                  : projectMessages.budgetHours
              }
              required
            />
          )}
        </div>
        {values["budget/type"] !== "" && (
          <div className="field-pair">
            <SelectField
              form={form}
              name="budget/period"
              label={projectMessages.budgetPeriod}
              options={[
                { value: "total", label: projectMessages.budgetPeriods.total },
                { value: "month", label: projectMessages.budgetPeriods.month },
              ]}
            />
            <TextField
              form={form}
              name="budget/alertThresholdPercent"
              label={projectMessages.alertThreshold}
              type="number"
              min={1}
              max={100}
            />
          </div>
        )}
      </Form>
    </Dialog>
  );
}

const newProject = {
  name: "",
  client: "",
  color: "#64748b",
  currency: "EUR",
  hourlyRate: "",
  billable: true,
  "budget/type": "" as NewBudgetSettings["type"] | "",
  "budget/amount": "",
  "budget/period": "total" as NonNullable<NewBudgetSettings["period"]>,
  "budget/alertThresholdPercent": "75",
};
type Values = typeof newProject;

function valuesOf({ name, client, color, currency, hourlyRate, billable, budget }: Project): Values {
  return {
    ...{ name, client, color, currency, billable },
    hourlyRate: hourlyRate ?? "",
    "budget/type": budget?.type ?? "",
    "budget/amount": budget?.amount ?? "",
    "budget/period": budget?.period ?? newProject["budget/period"],
    "budget/alertThresholdPercent": String(
      budget?.alertThresholdPercent ?? newProject["budget/alertThresholdPercent"],
    ),
  };
}

/** Sends every field each time, because a change of currency requires the amounts in the new currency. */
function bodyOf({ name, client, color, currency, hourlyRate, billable, ...budget }: Values) {
  return {
    ...{ name, client, color, currency, billable },
    hourlyRate: hourlyRate || null,
    budget: budget["budget/type"]
      ? {
          type: budget["budget/type"],
          amount: budget["budget/amount"],
          period: budget["budget/period"],
          alertThresholdPercent: Number(budget["budget/alertThresholdPercent"]),
        }
      : null,
  };
}
