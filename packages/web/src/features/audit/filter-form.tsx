import { actions, categories } from "@svc/core/event/action";
import { timeZone } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { Button } from "../../ui/button.tsx";
import { ComboField } from "../../ui/combo-field.tsx";
import { DateTimeField } from "../../ui/date-field.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { addDays, instantOf, localTime } from "../tracking/time-zone.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { messages } from "./messages.ts";

export const path = "/api/v1/audit-logs";

export const noFilters = {
  category: "",
  actor: "",
  action: "",
  target: "",
  ip: "",
  from: "",
  to: "",
  outcome: "",
};

export type Filters = typeof noFilters;

/** The filters of the audit log. Times are those of the user's time zone, in which the list shows them. */
export function FilterForm({
  filters,
  isFiltered,
  show,
}: {
  filters: Filters;
  isFiltered: boolean;
  show: (filters: Filters) => void;
}) {
  const actors = useActorOptions(filters.actor);
  const initial = { ...filters, from: localOf(filters.from), to: localOf(filters.to, 1) };
  const form = useForm<Filters>(initial, async ({ from, to, ...entered }) => {
    const texts = Object.entries(entered).map(([name, value]) => [name, value.trim()]);
    const next = { ...Object.fromEntries(texts), from: instantText(from), to: instantText(to) } as Filters;
    // Request the entries here first, so that validation errors appear at the fields and the list stays unchanged.
    await getFiltered(path, { ...next, limit: 1 }, {});
    show(next);
  });
  return (
    <Form
      form={form}
      submitLabel={messages.apply}
      wide
      actions={isFiltered && <Button onClick={() => show(noFilters)}>{messages.clear}</Button>}
    >
      <div className="filters audit-filters">
        <SelectField
          form={form}
          name="category"
          label={messages.category}
          options={[
            { value: "", label: messages.any },
            ...categories.map((value) => ({ value, label: messages.categories[value] })),
          ]}
        />
        <ComboField form={form} name="actor" label={messages.actor} options={actors} />
        <ComboField
          form={form}
          name="action"
          label={messages.action}
          placeholder={messages.actionExample}
          options={Object.keys(actions).map((action) => ({ value: action, label: action }))}
          custom
        />
        <SelectField
          form={form}
          name="outcome"
          label={messages.outcome}
          options={[
            { value: "", label: messages.any },
            { value: "success", label: messages.success },
            { value: "failure", label: messages.failure },
          ]}
        />
        <DateTimeField form={form} name="from" label={messages.from} />
        <DateTimeField form={form} name="to" label={messages.to} />
        <TextField form={form} name="target" label={messages.target} />
        <TextField form={form} name="ip" label={messages.ip} />
      </div>
    </Form>
  );
}

/** Returns the local time of a filter. A day, as earlier links have it, begins at midnight; `days` later ends the range. */
function localOf(filter: string, days = 0): string {
  if (/^\d{4}-\d\d-\d\d$/.test(filter)) return `${addDays(filter, days)}T00:00`;
  const at = new Date(filter);
  return Number.isNaN(at.getTime()) ? "" : localTime(at, timeZone());
}

function instantText(local: string): string {
  return local === "" ? "" : instantOf(local, timeZone()).toISOString();
}

/** Returns the members of the workspace as options, and the selected actor even if they are not a member. */
function useActorOptions(selected: string): { value: string; label: string }[] {
  const { data } = useWorkspaceMembers();
  const members = (data?.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }));
  const isOther = selected && !members.some(({ value }) => value === selected);
  return [
    { value: "", label: messages.anyone },
    ...members,
    ...(isOther ? [{ value: selected, label: selected }] : []),
  ];
}
