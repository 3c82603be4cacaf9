import { titles } from "@svc/core/report/dimension";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { number } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ComboFilter } from "../../ui/combo-filter.tsx";
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
      <ComboFilter
        filters={filters}
        name="project_id"
        label={messages.filters.project}
        options={[
          { value: "", label: messages.filters.all },
          ...projects.map(({ id, name, archivedAt }) => ({
            value: id,
            label: archivedAt ? messages.filters.archived(name) : name,
          })),
        ]}
      />
      {isManager && (
        <ComboFilter
          filters={filters}
          name="user_id"
          label={messages.filters.person}
          options={[
            { value: "", label: messages.filters.everyone },
            ...members.map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
        />
      )}
      <TextFilter filters={filters} name="tag" label={messages.filters.tag} />
      <SelectFilter
        filters={filters}
        name="billable"
        label={messages.filters.billable}
        options={[
          { value: "", label: messages.filters.all },
          { value: "true", label: messages.filters.billable },
          { value: "false", label: messages.filters.notBillable },
        ]}
      />
      <SelectFilter
        filters={filters}
        name="rounding"
        label={messages.filters.rounding}
        options={[
          { value: "", label: messages.filters.noRounding },
          ...[6, 15, 30].flatMap((minutes) => [
            { value: `up:${minutes}`, label: messages.filters.roundUp(number(minutes)) },
            { value: `nearest:${minutes}`, label: messages.filters.roundNearest(number(minutes)) },
          ]),
        ]}
      />
      {hasPlan(workspace.plan, "ENTERPRISE") ? (
        <>
          <ComboFilter
            filters={filters}
            name="currency"
            label={messages.filters.currency}
            options={[{ value: "", label: messages.filters.all }, ...currencies]}
          />
          <ComboFilter
            filters={filters}
            name="convert_to"
            label={messages.filters.convertTo}
            options={[{ value: "", label: messages.filters.noConversion }, ...currencies]}
          />
        </>
      ) : (
        <p className="hint">{messages.enterprise}</p>
      )}
    </>
  );
}
