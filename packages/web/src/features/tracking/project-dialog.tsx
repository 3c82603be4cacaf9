import { useQueryClient } from "@tanstack/react-query";
import { patch, post } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "../money/choice.ts";
import type { Project } from "./projects.ts";

/** A new project, or a change of one. */
export function ProjectDialog({
  project,
  onClose,
  onDone,
}: {
  /** The one to change; without it a new one is made. */
  project?: Project;
  onClose: () => void;
  onDone?: (project: Project) => void;
}) {
  const client = useQueryClient();
  const { workspace } = useCurrentUser();
  const form = useForm(
    project ? valuesOf(project) : { ...fresh, currency: workspace.baseCurrency },
    async (values) => {
      const body = bodyOf(values);
      const saved = project
        ? await patch<Project>(`/api/v1/projects/${project.id}`, body)
        : await post<Project>("/api/v1/projects", body);
      onClose();
      toast(project ? `${saved.name} is changed.` : `${saved.name} is there.`);
      await client.invalidateQueries({ queryKey: ["projects"] });
      onDone?.(saved);
    },
  );
  const { values } = form;
  const currencies = currencyOptions();
  return (
    <Dialog title={project ? `Change ${project.name}` : "New project"} onClose={onClose}>
      <Form
        form={form}
        submitLabel={project ? "Save" : "Create"}
        actions={<Button onClick={onClose}>Cancel</Button>}
      >
        <TextField form={form} name="name" label="Name" required maxLength={100} />
        <div className="field-pair">
          <TextField form={form} name="client" label="Client" maxLength={100} />
          <TextField form={form} name="color" label="Colour" type="color" />
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
            label="Rate for an hour"
            inputMode="decimal"
            hint="Such as 95.00. Entries keep the rate that they were written with."
          />
        </div>
        <CheckField form={form} name="billable" label="Time on it is billable" />
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
              label="For"
              options={[
                { value: "total", label: "The whole project" },
                { value: "month", label: "Each month" },
              ]}
            />
            <TextField
              form={form}
              name="budget/alertThresholdPercent"
              label="Warn at percent spent"
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

const fresh = {
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
type Values = typeof fresh;

function valuesOf({ name, client, color, currency, hourlyRate, billable, budget }: Project): Values {
  return {
    ...{ name, client, color, currency, billable },
    hourlyRate: hourlyRate ?? "",
    "budget/type": budget?.type ?? "",
    "budget/amount": budget?.amount ?? "",
    "budget/period": budget?.period ?? fresh["budget/period"],
    "budget/alertThresholdPercent": String(
      budget?.alertThresholdPercent ?? fresh["budget/alertThresholdPercent"],
    ),
  };
}

/** All of it each time: with another currency its amounts have to be said anew. */
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
