import type { Dimension } from "@svc/core/report/dimension";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { type Filters, SelectFilter, TextFilter } from "../../ui/filters.tsx";
import { currencyOptions } from "../money/choice.ts";
import type { Project } from "../tracking/projects.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { daysOf, presets, today } from "./period.ts";

/** What every report is asked for, as it stands in the address of its page. */
export const unasked = {
  period: "last-30-days",
  from: "",
  to: "",
  project_id: "",
  user_id: "",
  tag: "",
  billable: "",
  currency: "",
  convert_to: "",
  rounding: "",
};
export type Asked = typeof unasked;

/** What time can be grouped by. */
export const dimensions: Readonly<Record<Dimension, string>> = {
  project: "Project",
  user: "Person",
  client: "Client",
  team: "Team",
  tag: "Tag",
  billable: "Billable",
  currency: "Currency",
  day: "Day",
  week: "Week",
  month: "Month",
  year: "Year",
};

/** The dimensions as options of a select. */
export const dimensionOptions = Object.entries(dimensions).map(([value, label]) => ({ value, label }));

/** The parameters of the API for what is asked. */
export function parametersOf(asked: Asked, settings: { timezone: string; weekStart: number }) {
  const { period, from, to, ...filters } = asked;
  return { ...filters, ...daysOf(period, today(settings), settings.weekStart, { from, to }) };
}

/** The same for a report that is made into a file. */
export function bodyOf({ from, to, convert_to, rounding, ...filters }: ReturnType<typeof parametersOf>) {
  const { project_id, user_id, tag, billable, currency } = filters;
  return {
    ...given({ from, to, convertTo: convert_to, rounding }),
    filters: {
      ...given({ projectId: project_id, userId: user_id, tag, currency }),
      ...(billable && { billable: billable === "true" }),
    },
  };
}

function given(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** The days of a report. */
export function PeriodFields<Name extends string>({ filters }: { filters: Filters<Name | keyof Asked> }) {
  return (
    <>
      <SelectFilter filters={filters} name="period" label="Period" options={presets} />
      {filters.values.period === "custom" && (
        <>
          <TextFilter filters={filters} name="from" label="From" type="date" />
          <TextFilter filters={filters} name="to" label="To" type="date" />
        </>
      )}
    </>
  );
}

/** Which entries a report is of, and how they count. */
export function EntryFields<Name extends string>({
  filters,
  projects,
}: {
  filters: Filters<Name | keyof Asked>;
  projects: readonly Project[];
}) {
  const { workspace } = useCurrentUser();
  const everybody = hasRole(workspace.role, "manager");
  const people = useWorkspaceMembers(everybody).data?.data ?? [];
  const currencies = currencyOptions();
  return (
    <>
      <SelectFilter
        filters={filters}
        name="project_id"
        label="Project"
        options={[
          { value: "", label: "All" },
          ...projects.map(({ id, name, archivedAt }) => ({
            value: id,
            label: archivedAt ? `${name} (archived)` : name,
          })),
        ]}
      />
      {everybody && (
        <SelectFilter
          filters={filters}
          name="user_id"
          label="Person"
          options={[
            { value: "", label: "Everybody" },
            ...people.map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
        />
      )}
      <TextFilter filters={filters} name="tag" label="Tag" type="search" />
      <SelectFilter
        filters={filters}
        name="billable"
        label="Billable"
        options={[
          { value: "", label: "All" },
          { value: "true", label: "Billable" },
          { value: "false", label: "Not billable" },
        ]}
      />
      <SelectFilter
        filters={filters}
        name="rounding"
        label="Round each entry"
        options={[
          { value: "", label: "Not at all" },
          ...[6, 15, 30].flatMap((minutes) => [
            { value: `up:${minutes}`, label: `Up to ${minutes} minutes` },
            { value: `nearest:${minutes}`, label: `To the nearest ${minutes} minutes` },
          ]),
        ]}
      />
      {hasPlan(workspace.plan, "ENTERPRISE") ? (
        <>
          <SelectFilter
            filters={filters}
            name="currency"
            label="Currency of entries"
            options={[{ value: "", label: "All" }, ...currencies]}
          />
          <SelectFilter
            filters={filters}
            name="convert_to"
            label="Convert to"
            options={[{ value: "", label: "Nothing" }, ...currencies]}
          />
        </>
      ) : (
        <p className="hint">
          Charts, currencies, conversion and custom reports belong to the plan ENTERPRISE.
        </p>
      )}
    </>
  );
}
