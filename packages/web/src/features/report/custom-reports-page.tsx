import type { CustomReport, ReportColumn, ReportMetric, ReportSort, WorkspaceSettings } from "@svc/client";
import "./report.css";
import type { Dimension } from "@svc/core/report/dimension";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCurrentUser } from "../../base/current-user.ts";
import { dayTime, duration, list, number, plainDay } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { FilterBar, type Filters, SelectFilter, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table, type Column as TableColumn } from "../../ui/table.tsx";
import { useProjects } from "../tracking/projects.ts";
import { zoneMessages } from "../workspace/messages.ts";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { useTwoZones } from "../workspace/zone-note.tsx";
import { Export, type ExportRequest } from "./export.tsx";
import { type Group, Groups } from "./groups.tsx";
import { messages } from "./messages.ts";
import { MissingRates } from "./missing-rates.tsx";
import {
  bodyOf,
  defaultQuery,
  dimensionOptions,
  EntryFields,
  PeriodFields,
  parametersOf,
} from "./report-query.tsx";

const metrics: Readonly<Record<ReportMetric, string>> = messages.custom.metricNames;

/** The columns that the table of entries can show. */
const columns: Partial<Readonly<Record<ReportColumn, string>>> = messages.custom.columnNames;

const numeric: ReadonlySet<string> = new Set(["duration_seconds", "hours", "hourly_rate", "amount"]);

const sorts: readonly { value: ReportSort | ""; label: string }[] = [
  { value: "", label: messages.custom.sorts.default },
  { value: "-duration_seconds", label: messages.custom.sorts.mostTime },
  { value: "duration_seconds", label: messages.custom.sorts.leastTime },
  { value: "-billable_seconds", label: messages.custom.sorts.mostBillable },
  { value: "-entry_count", label: messages.custom.sorts.mostEntries },
  { value: "label", label: messages.custom.sorts.nameUp },
  { value: "-label", label: messages.custom.sorts.nameDown },
];

const initialQuery = {
  ...defaultQuery,
  level_1: "project",
  level_2: "",
  level_3: "",
  metrics: "duration_seconds,billable_seconds,entry_count,amounts",
  columns: "",
  sort: "",
};
type CustomQuery = typeof initialQuery;

/** Custom reports: the user chooses groups, metrics, columns and sort order. */
export default function CustomReports() {
  const settings = useWorkspaceSettings();
  const projects = useProjects();
  const filters = useFilters(initialQuery, { push: true });
  const { values } = filters;
  const levels = ["level_1", "level_2", "level_3"] as const;
  const inMore = ["project_id", "user_id", "tag", "billable", "currency", "convert_to", "rounding"] as const;
  return (
    <Page
      title={messages.custom.title}
      actions={settings.data && <Export request={requestOf(values, settings.data)} />}
    >
      <FilterBar
        filters={filters}
        moreOpen={inMore.some((name) => values[name] !== "")}
        more={<EntryFields filters={filters} projects={projects.data ?? []} />}
      >
        {settings.data && <PeriodFields filters={filters} settings={settings.data} />}
        {levels.map((name, at) => (
          <SelectFilter
            key={name}
            filters={filters}
            name={name}
            label={messages.custom.level(number(at + 1))}
            options={[
              { value: "", label: messages.none },
              ...dimensionOptions.filter(
                ({ value }) => !levels.some((other) => other !== name && values[other] === value),
              ),
            ]}
          />
        ))}
        <SelectFilter filters={filters} name="sort" label={messages.custom.sort} options={sorts} />
      </FilterBar>
      <Choices
        filters={filters}
        name="metrics"
        legend={messages.custom.metrics}
        options={metrics}
        minimum={1}
      />
      <Choices filters={filters} name="columns" legend={messages.custom.columns} options={columns} />
      <Loaded query={settings}>{(data) => <Report reportQuery={values} settings={data} />}</Loaded>
    </Page>
  );
}

/** Checkboxes. The selection keeps the order of the options. */
function Choices({
  filters,
  name,
  legend,
  options,
  minimum = 0,
}: {
  filters: Filters<keyof CustomQuery>;
  name: "metrics" | "columns";
  legend: string;
  options: Readonly<Record<string, string>>;
  /** How many options must stay selected. */
  minimum?: number;
}) {
  const selected = filters.values[name].split(",").filter(Boolean);
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {Object.entries(options).map(([value, label]) => {
        const checked = selected.includes(value);
        return (
          <label key={value} className="check">
            <input
              type="checkbox"
              checked={checked}
              disabled={checked && selected.length <= minimum}
              onChange={() => {
                const next = Object.keys(options).filter((one) => selected.includes(one) !== (one === value));
                filters.set({ [name]: next.join(",") });
              }}
            />
            {label}
          </label>
        );
      })}
    </fieldset>
  );
}

/** Returns the request for a file of a report. */
function requestOf(
  { metrics, columns, sort, ...query }: CustomQuery,
  settings: WorkspaceSettings,
): ExportRequest {
  return {
    ...bodyOf(parametersOf(query, settings)),
    type: "custom",
    groupBy: levelsOf(query),
    metrics: metrics.split(",") as ReportMetric[],
    ...(columns && { columns: columns.split(",") as ReportColumn[] }),
    ...(sort && { sort: sort as ReportSort }),
  };
}

function levelsOf({ level_1, level_2, level_3 }: Pick<CustomQuery, "level_1" | "level_2" | "level_3">) {
  return [level_1, level_2, level_3].filter(Boolean) as Dimension[];
}

function Report({ reportQuery, settings }: { reportQuery: CustomQuery; settings: WorkspaceSettings }) {
  const { workspace } = useCurrentUser();
  const { metrics, columns, sort } = reportQuery;
  const levels = levelsOf(reportQuery);
  const parameters = parametersOf(reportQuery, settings);
  const zones = useTwoZones();
  const drillDown = { ...parameters, ...(zones && { timezone: settings.timezone }) };
  const custom = useQuery({
    queryKey: ["reports", workspace.id, "custom", parameters, levels, metrics, columns, sort],
    queryFn: ({ signal }) => {
      const all = { ...parameters, group_by: levels.join(","), metrics, columns, sort };
      return getFiltered("/api/v1/reports/custom", all, { signal });
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={custom}>
      {(report) => (
        <div className="cards report" aria-busy={custom.isPlaceholderData}>
          <p role="status" className="hint">
            {messages.range(plainDay(report.from), plainDay(report.to), report.timezone.replaceAll("_", " "))}{" "}
            {zones && zoneMessages.workspaceTimes(zones.own)}
          </p>
          <MissingRates missingRates={report.missingRates} />
          <Groups levels={levels} groups={report.groups ?? []} totals={report.totals} filters={drillDown} />
          {report.columns.length > 0 && <Entries report={report} />}
        </div>
      )}
    </Loaded>
  );
}

/** A deepest group with its entries. */
type EntryGroup = { id: string; title: string; entries: readonly Record<string, unknown>[] };

/** Lists the entries of each deepest group. */
function Entries({ report }: { report: CustomReport }) {
  const entryGroups = [
    ...entryGroupsOf(report.groups ?? []),
    ...(report.entries ? [{ id: "all", title: messages.custom.allEntries, entries: report.entries }] : []),
  ];
  return (
    <section aria-labelledby="entries">
      <h2 id="entries">{messages.custom.entries}</h2>
      {entryGroups.length === 0 && <Empty title={messages.emptyTitle} />}
      {entryGroups.map(({ id, title, entries }) => (
        <details key={id} open={entryGroups.length === 1 || undefined}>
          <summary>{messages.custom.group(title, number(entries.length))}</summary>
          <Table
            caption={title}
            rows={entries.map((entry, at) => ({ entry, at }))}
            rowKey={({ at }) => String(at)}
            columns={report.columns.map(
              ({ id, title: fallback }): TableColumn<{ entry: Record<string, unknown>; at: number }> => ({
                heading: columns[id as ReportColumn] ?? fallback,
                ...(numeric.has(id) && { numeric: true }),
                cell: ({ entry }) => formatted(id, entry[camel(id)]),
              }),
            )}
          />
        </details>
      ))}
    </section>
  );
}

function entryGroupsOf(groups: readonly Group[], parent?: Pick<EntryGroup, "id" | "title">): EntryGroup[] {
  return groups.flatMap((group) => {
    const { entries } = group as { entries?: EntryGroup["entries"] };
    const current = {
      id: `${parent?.id ?? ""}/${group.key}`,
      title: parent ? messages.custom.path(parent.title, group.label) : group.label,
    };
    return [...(entries ? [{ ...current, entries }] : []), ...entryGroupsOf(group.groups ?? [], current)];
  });
}

function formatted(column: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (column === "duration_seconds") return duration(Number(value));
  if (column === "day") return plainDay(String(value));
  if (column === "started_at" || column === "ended_at") return dayTime(String(value), "UTC");
  if (column === "started_local" || column === "ended_local")
    return dayTime(`${String(value).replace(" ", "T")}Z`, "UTC");
  if (typeof value === "boolean") return value ? messages.custom.yes : messages.custom.no;
  return Array.isArray(value) ? list(value.map(String)) : String(value);
}

/** Converts a column's name to the name of its field in the API's response. */
function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
