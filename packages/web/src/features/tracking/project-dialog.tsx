import { useQueryClient } from "@tanstack/react-query";
import { patch, post } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import type { Project } from "./projects.ts";

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
  const form = useForm(
    project ? valuesOf(project) : { ...newProject, currency: workspace.baseCurrency },
    async (values) => {
      const body = bodyOf(values);
      const saved = project
        ? await patch<Project>(`/api/v1/projects/${project.id}`, body)
        : await post<Project>("/api/v1/projects", body);
      onClose();
      toast(project ? "Project saved." : "Project created.");
      await client.invalidateQueries({ queryKey: ["projects"] });
      onDone?.(saved);
    },
  );
  const { values } = form;
  const currencies = currencyOptions();
  return (
    <Dialog title={project ? "Edit project" : "New project"} onClose={onClose}>
      <Form
        form={form}
        submitLabel={project ? "Save changes" : "Create project"}
        actions={<Button onClick={onClose}>Cancel</Button>}
      >
        <TextField form={form} name="name" label="Name" required maxLength={100} />
        <div className="field-pair">
          <TextField form={form} name="client" label="Client" maxLength={100} />
          <TextField form={form} name="color" label="Color" type="color" />
        </div>
        <div className="field-pair">
          <SelectField
            form={form}
            name="currency"
            label="Currency"
            options={
              currencies.some(({ value }) => value === values.currency)
                ? currencies
                : [{ value: values.currency, label: values.currency }, ...currencies]
            }
          />
          <TextField
            form={form}
            name="hourlyRate"
            label="Hourly rate"
            inputMode="decimal"
            hint="For example 95.00. Existing entries keep their rate."
          />
        </div>
        <CheckField form={form} name="billable" label="Time is billable" />
        <div className="field-pair">
          <SelectField
            form={form}
            name="budget/type"
            label="Budget"
            options={[
              { value: "", label: "None" },
              { value: "money", label: "Money" },
              { value: "hours", label: "Hours" },
            ]}
          />
          {values["budget/type"] !== "" && (
            <TextField
              form={form}
              name="budget/amount"
              label={values["budget/type"] === "money" ? `Amount in ${values.currency}` : "Hours"}
              inputMode="decimal"
            />
          )}
        </div>
        {values["budget/type"] !== "" && (
          <div className="field-pair">
            <SelectField
              form={form}
              name="budget/period"
              label="Budget period"
              options={[
                { value: "total", label: "Whole project" },
                { value: "month", label: "Each month" },
              ]}
            />
            <TextField
              form={form}
              name="budget/alertThresholdPercent"
              label="Alert threshold (percent)"
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
  "budget/type": "",
  "budget/amount": "",
  "budget/period": "total",
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
    hourlyRate: hourlyRate.trim() || null,
    budget: budget["budget/type"]
      ? {
          type: budget["budget/type"],
          amount: budget["budget/amount"].trim(),
          period: budget["budget/period"],
          alertThresholdPercent: Number(budget["budget/alertThresholdPercent"]),
        }
      : null,
  };
}
