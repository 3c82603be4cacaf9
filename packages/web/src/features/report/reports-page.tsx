import type { SummaryReport, WorkspaceSettings } from "@svc/client";
import "./report.css";
import type { Dimension } from "@svc/core/report/dimension";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { hasPlan, useCurrentUser } from "../../base/current-user.ts";
import { hours, number, percent, plainDay } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { Change, Figures } from "../../ui/figures.tsx";
import { FilterBar, type Filters, SelectFilter, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { amountFigure, billableFigure } from "../tracking/figures.tsx";
import { type Project, useProjects } from "../tracking/projects.ts";
import { projectColors } from "../tracking/series.ts";
import { zoneMessages } from "../workspace/messages.ts";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { useTwoZones } from "../workspace/zone-note.tsx";
import { Export } from "./export.tsx";
import { Groups } from "./groups.tsx";
import { messages } from "./messages.ts";
import { MissingRates } from "./missing-rates.tsx";
import { comparedDays, type Days, today, type Unit, unitsOf } from "./period.ts";
import { ReportBars } from "./report-bars.tsx";
import {
  bodyOf,
  defaultQuery,
  dimensionOptions,
  EntryFields,
  PeriodFields,
  parametersOf,
} from "./report-query.tsx";

const initialQuery = {
  ...defaultQuery,
  group_by: "project",
  sub_group_by: "",
  compare: "previous",
  unit: "",
  measure: "hours",
  contents: "summary",
};
type Query = typeof initialQuery;

/** Reports: figures, bars and groups of a period, compared with an earlier one. The URL restores the report. */
export default function Reports() {
  const settings = useWorkspaceSettings();
  const filters = useFilters(initialQuery, { push: true });
  const projects = useProjects();
  const { values } = filters;
  return (
    <Page
      title={messages.reports}
      actions={settings.data && <ReportExport filters={filters} settings={settings.data} />}
    >
      <Loaded query={settings}>
        {(known) => (
          <>
            <ReportFilters filters={filters} settings={known} projects={projects.data ?? []} />
            <Loaded query={projects}>
              {(all) => <Report filters={filters} query={values} settings={known} projects={all} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ReportFilters({
  filters,
  settings,
  projects,
}: {
  filters: Filters<keyof Query>;
  settings: WorkspaceSettings;
  projects: readonly Project[];
}) {
  const { group_by, sub_group_by, project_id, user_id, tag, billable, currency, convert_to, rounding } =
    filters.values;
  const inMore = [project_id, user_id, tag, billable, currency, convert_to, rounding];
  return (
    <FilterBar
      filters={filters}
      moreOpen={inMore.some((value) => value !== "")}
      more={<EntryFields filters={filters} projects={projects} />}
    >
      <PeriodFields filters={filters} settings={settings} />
      <SelectFilter
        filters={{
          ...filters,
          set: ({ group_by = "project" }) =>
            filters.set({ group_by, ...(group_by === sub_group_by && { sub_group_by: "" }) }),
        }}
        name="group_by"
        label={messages.groupBy}
        options={dimensionOptions}
      />
      <SelectFilter
        filters={filters}
        name="sub_group_by"
        label={messages.thenBy}
        options={[
          { value: "", label: messages.none },
          ...dimensionOptions.filter(({ value }) => value !== group_by),
        ]}
      />
      <SelectFilter
        filters={filters}
        name="compare"
        label={messages.compareWith}
        options={Object.entries(messages.compare).map(([value, label]) => ({ value, label }))}
      />
    </FilterBar>
  );
}

function ReportExport({ filters, settings }: { filters: Filters<keyof Query>; settings: WorkspaceSettings }) {
  const { workspace } = useCurrentUser();
  const { group_by, sub_group_by, contents } = filters.values;
  const type = contents === "detailed" ? "detailed" : "summary";
  const withCharts = type === "summary" && hasPlan(workspace.plan, "ENTERPRISE");
  return (
    <Export
      request={{
        ...bodyOf(parametersOf(filters.values, settings)),
        type,
        groupBy: type === "summary" ? levelsOf({ group_by, sub_group_by }) : [],
        ...(withCharts && { includeCharts: true }),
      }}
      contents={{
        title: messages.export.contents,
        selected: type,
        options: [
          { id: "summary", label: messages.export.summary },
          { id: "detailed", label: messages.export.detailed },
        ],
        onSelect: (contents) => filters.set({ contents }),
      }}
    />
  );
}

function levelsOf({ group_by, sub_group_by }: Pick<Query, "group_by" | "sub_group_by">): Dimension[] {
  return [group_by, sub_group_by].filter(Boolean) as Dimension[];
}

/** Loads the report, the period that it is compared with, and its groups over time. */
function useReport(query: Query, settings: WorkspaceSettings) {
  const { workspace } = useCurrentUser();
  const parameters = parametersOf(query, settings);
  const { group_by } = query;
  const unit = unitOf(query.unit, parameters);
  const level = levelsOf(query).find((one) => !isCalendar(one)) ?? "project";
  // Headline amounts are in one currency where the plan can convert.
  const convert_to =
    parameters.convert_to || (hasPlan(workspace.plan, "ENTERPRISE") ? settings.baseCurrency : "");
  const load = (all: Record<string, string>) => ({
    queryKey: ["reports", workspace.id, "summary", all],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      getFiltered("/api/v1/reports/summary", all as typeof parameters, { signal }),
    placeholderData: keepPreviousData,
  });
  // The report alone says what is wrong with a period that ends before it starts.
  const ordered = parameters.from <= parameters.to;
  const earlier = comparedDays(parameters, query.compare, today(settings));
  const report = useQuery(load({ ...parameters, group_by, sub_group_by: query.sub_group_by }));
  const previous = useQuery({
    ...load({ ...parameters, ...earlier, group_by, convert_to }),
    enabled: ordered && earlier !== undefined,
  });
  const bars = useQuery({
    ...load({ ...parameters, group_by: unit, sub_group_by: level, convert_to }),
    enabled: ordered,
  });
  return { parameters, unit, level, report, previous: earlier && previous.data, bars };
}

const isCalendar = (level: Dimension) => ["day", "week", "month", "year"].includes(level);

function unitOf(chosen: string, days: Days): Unit {
  const { units, fitting } = unitsOf(days);
  return units.find((one) => one === chosen) ?? fitting;
}

function Report({
  filters,
  query,
  settings,
  projects,
}: {
  filters: Filters<keyof Query>;
  query: Query;
  settings: WorkspaceSettings;
  projects: readonly Project[];
}) {
  const { parameters, unit, level, report, previous, bars } = useReport(query, settings);
  const levels = levelsOf(query);
  const zones = useTwoZones();
  const drillDown = { ...parameters, ...(zones && { timezone: settings.timezone }) };
  return (
    <Loaded
      query={report}
      isEmpty={({ totals }) => totals.entryCount === 0}
      empty={
        <Empty title={messages.emptyTitle}>
          <p>{messages.emptyHint}</p>
        </Empty>
      }
    >
      {(data) => (
        <div className="cards report" aria-busy={report.isPlaceholderData}>
          <p role="status" className="hint">
            {rangeText(data, previous)} {zones && zoneMessages.workspaceTimes(zones.own)}
          </p>
          <MissingRates missingRates={data.missingRates} />
          <ReportFigures
            totals={bars.data?.totals ?? data.totals}
            previous={previous?.totals}
            currency={settings.baseCurrency}
          />
          <Loaded query={bars}>
            {(overTime) => (
              <ReportBars
                report={overTime}
                level={level}
                unit={unit}
                measure={query.measure}
                filters={drillDown}
                settings={settings}
                projects={projects}
                onChange={filters.set}
              />
            )}
          </Loaded>
          <Groups
            levels={levels}
            groups={data.groups}
            totals={data.totals}
            filters={drillDown}
            previous={previous && timeByKey(previous)}
            colorOf={levels[0] === "project" ? projectColors(projects) : undefined}
          />
        </div>
      )}
    </Loaded>
  );
}

function timeByKey({ groups, totals }: SummaryReport) {
  return {
    byKey: new Map(groups.map(({ key, durationSeconds }) => [key, durationSeconds])),
    total: totals.durationSeconds,
  };
}

function rangeText({ from, to, timezone }: SummaryReport, previous: SummaryReport | undefined): string {
  const zone = timezone.replaceAll("_", " ");
  return previous
    ? messages.rangeCompared(
        plainDay(from),
        plainDay(to),
        zone,
        plainDay(previous.from),
        plainDay(previous.to),
      )
    : messages.range(plainDay(from), plainDay(to), zone);
}

type Totals = SummaryReport["totals"];

function ReportFigures({
  totals,
  previous,
  currency,
}: {
  totals: Totals;
  previous: Totals | undefined;
  currency: string;
}) {
  const note = messages.onPrevious;
  const change = (figure: (totals: Totals) => number | undefined, good = false) => {
    const [now, before] = [figure(totals), previous && figure(previous)];
    if (now === undefined || !before) return undefined;
    const value = now / before - 1;
    return (
      <>
        <Change good={good} value={value} text={percent(Math.abs(value), 1)} /> {note}
      </>
    );
  };
  const amount = amountFigure(totals, currency);
  return (
    <Figures
      label={messages.figures}
      figures={[
        {
          label: messages.hours,
          value: hours(totals.durationSeconds),
          note: change(({ durationSeconds }) => durationSeconds, true),
        },
        billableFigure(totals, previous, note),
        { ...amount, note: change(convertedAmount, true) ?? amount.note },
        {
          label: messages.entries,
          value: number(totals.entryCount),
          note: change(({ entryCount }) => entryCount),
        },
      ]}
    />
  );
}

/** The amount of totals in one currency, if all entries could be converted. */
function convertedAmount({ converted }: Totals): number | undefined {
  return converted ? Number(converted.amount) : undefined;
}
