import { titles } from "@svc/core/report/dimension";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { DateFilter } from "../../ui/date-filter.tsx";
import { type Filters, SelectFilter, TextFilter } from "../../ui/filters.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import type { Project } from "../tracking/projects.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { messages } from "./messages.ts";
import { type Days, daysOf, moved, presets, today } from "./period.ts";

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

type Calendar = { timezone: string; weekStart: number };

/** Returns the API's parameters for a report. */
export function parametersOf(reportQuery: ReportQuery, settings: Calendar) {
  const { project_id, user_id, tag, billable, currency, convert_to, rounding } = reportQuery;
  const filters = { project_id, user_id, tag, billable, currency, convert_to, rounding };
  return { ...filters, ...shownDays(reportQuery, settings) };
}

/** Returns the days of a report. Those of a custom period that are missing are the last 30 days. */
function shownDays(
  { period, from, to }: Pick<ReportQuery, "period" | "from" | "to">,
  settings: Calendar,
): Days {
  const now = today(settings);
  const preset = period === "custom" && !(from && to) ? "" : period;
  return daysOf(preset, now, settings.weekStart, { from, to });
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

/** The fields of the period of a report, with buttons that move it. */
export function PeriodFields<Name extends string>({
  filters,
  settings,
}: {
  filters: Filters<Name | keyof ReportQuery>;
  settings: Calendar;
}) {
  const { period, from, to } = filters.values;
  const days = shownDays({ period, from, to }, settings);
  const set = filters.set as (changes: Partial<ReportQuery>) => void;
  const move = (by: 1 | -1) => set({ period: "custom", ...moved(days, by) });
  const choose = (chosen: string | undefined = "") =>
    // A custom period begins with the days that are shown, and others need none.
    set(chosen === "custom" ? { period: chosen, ...days } : { period: chosen, from: "", to: "" });
  return (
    <>
      <div className="period">
        <Button data-icon="" aria-label={messages.earlier} onClick={() => move(-1)}>
          <ChevronLeft />
        </Button>
        <SelectFilter
          filters={{ ...filters, set: (changes) => choose((changes as Partial<ReportQuery>).period) }}
          name="period"
          label={messages.period}
          options={presets}
        />
        <Button data-icon="" aria-label={messages.later} onClick={() => move(1)}>
          <ChevronRight />
        </Button>
      </div>
      {period === "custom" && (
        <>
          <DateFilter filters={filters} name="from" label={messages.from} />
          <DateFilter filters={filters} name="to" label={messages.to} />
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
        <p className="hint">{messages.enterprise}</p>
      )}
    </>
  );
}
