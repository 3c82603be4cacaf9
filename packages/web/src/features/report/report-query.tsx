import { titles } from "@svc/core/report/dimension";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { DateFilter } from "../../ui/date-filter.tsx";
import { type Filters, SelectFilter, TextFilter } from "../../ui/filters.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import type { Project } from "../tracking/projects.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { daysOf, presets, today } from "./period.ts";

/** The parameters of every report with their defaults. The page keeps them in its URL. */
export const defaultQuery = {
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
export type ReportQuery = typeof defaultQuery;

/** The options of a select of dimensions. */
export const dimensionOptions = Object.entries(titles).map(([value, label]) => ({ value, label }));

/** Returns the API's parameters for a report. */
export function parametersOf(reportQuery: ReportQuery, settings: { timezone: string; weekStart: number }) {
  const { period, from, to, ...filters } = reportQuery;
  return { ...filters, ...daysOf(period, today(settings), settings.weekStart, { from, to }) };
}

/** Converts the parameters into the body of a request for a report file. */
export function bodyOf({ from, to, convert_to, rounding, ...filters }: ReturnType<typeof parametersOf>) {
  const { project_id, user_id, tag, billable, currency } = filters;
  return {
    ...withoutEmpty({ from, to, convertTo: convert_to, rounding }),
    filters: {
      ...withoutEmpty({ projectId: project_id, userId: user_id, tag, currency }),
      ...(billable && { billable: billable === "true" }),
    },
  };
}

function withoutEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** The fields of the period of a report. */
export function PeriodFields<Name extends string>({
  filters,
}: {
  filters: Filters<Name | keyof ReportQuery>;
}) {
  return (
    <>
      <SelectFilter filters={filters} name="period" label="Period" options={presets} />
      {filters.values.period === "custom" && (
        <>
          <DateFilter filters={filters} name="from" label="From" />
          <DateFilter filters={filters} name="to" label="To" />
        </>
      )}
    </>
  );
}

/** The fields that filter, round and convert the entries of a report. */
export function EntryFields<Name extends string>({
  filters,
  projects,
}: {
  filters: Filters<Name | keyof ReportQuery>;
  projects: readonly Project[];
}) {
  const { workspace } = useCurrentUser();
  const isManager = hasRole(workspace.role, "manager");
  const members = useWorkspaceMembers({ enabled: isManager }).data?.data ?? [];
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
      {isManager && (
        <SelectFilter
          filters={filters}
          name="user_id"
          label="Person"
          options={[
            { value: "", label: "Everyone" },
            ...members.map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
        />
      )}
      <TextFilter filters={filters} name="tag" label="Tag" />
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
          { value: "", label: "Do not round" },
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
            label="Entry currency"
            options={[{ value: "", label: "All" }, ...currencies]}
          />
          <SelectFilter
            filters={filters}
            name="convert_to"
            label="Convert to"
            options={[{ value: "", label: "Do not convert" }, ...currencies]}
          />
        </>
      ) : (
        <p className="hint">
          Charts, currency filters, conversion and custom reports are available on the ENTERPRISE plan.
        </p>
      )}
    </>
  );
}
