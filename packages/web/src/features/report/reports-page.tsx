import type { WorkspaceSettings } from "@svc/client";
import { type Dimension, titles } from "@svc/core/report/dimension";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { hasPlan, useCurrentUser } from "../../base/current-user.ts";
import { plainDay } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { FilterBar, SelectFilter, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { useProjects } from "../tracking/projects.ts";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { Export } from "./export.tsx";
import { Groups } from "./groups.tsx";
import { MissingRates } from "./missing-rates.tsx";
import {
  bodyOf,
  defaultQuery,
  dimensionOptions,
  EntryFields,
  PeriodFields,
  parametersOf,
} from "./report-query.tsx";

const Charts = lazy(async () => ({ default: (await import("./charts.tsx")).Charts }));

const initialQuery = { ...defaultQuery, group_by: "project", sub_group_by: "" };

/** Reports: time and amounts by group, with charts and export. */
export default function Reports() {
  const settings = useWorkspaceSettings();
  const filters = useFilters(initialQuery);
  const projects = useProjects();
  const { period, from, to, group_by, sub_group_by, ...inMore } = filters.values;
  return (
    <Page title="Reports">
      <FilterBar
        filters={filters}
        moreOpen={Object.values(inMore).some((value) => value !== "")}
        more={<EntryFields filters={filters} projects={projects.data ?? []} />}
      >
        <PeriodFields filters={filters} />
        <SelectFilter
          filters={{
            ...filters,
            set: ({ group_by = "project" }) =>
              filters.set({ group_by, ...(group_by === sub_group_by && { sub_group_by: "" }) }),
          }}
          name="group_by"
          label="Group by"
          options={dimensionOptions}
        />
        <SelectFilter
          filters={filters}
          name="sub_group_by"
          label="Then by"
          options={[
            { value: "", label: "None" },
            ...dimensionOptions.filter(({ value }) => value !== group_by),
          ]}
        />
      </FilterBar>
      <Loaded query={settings}>{(data) => <Report reportQuery={filters.values} settings={data} />}</Loaded>
    </Page>
  );
}

function Report({
  reportQuery,
  settings,
}: {
  reportQuery: typeof initialQuery;
  settings: WorkspaceSettings;
}) {
  const { workspace } = useCurrentUser();
  const [type, setType] = useState<"summary" | "detailed">("summary");
  const enterprise = hasPlan(workspace.plan, "ENTERPRISE");
  const { group_by, sub_group_by, ...rest } = reportQuery;
  const parameters = parametersOf(rest, settings);
  const body = bodyOf(parameters);
  const summary = useQuery({
    queryKey: ["reports", workspace.id, "summary", group_by, sub_group_by, parameters],
    queryFn: ({ signal }) => {
      const all = { ...parameters, group_by, sub_group_by, ...(enterprise && { include_charts: true }) };
      return getFiltered("/api/v1/reports/summary", all, { signal });
    },
    placeholderData: keepPreviousData,
  });
  const levels = [group_by, sub_group_by].filter(Boolean) as Dimension[];
  return (
    <Loaded
      query={summary}
      isEmpty={({ totals }) => totals.entryCount === 0}
      empty={
        <Empty title="No time entries match this report">
          <p>Choose another period, or remove filters.</p>
        </Empty>
      }
    >
      {({ from, to, timezone, groups, totals, missingRates, charts }) => (
        <div aria-busy={summary.isPlaceholderData}>
          <p role="status" className="hint">
            {plainDay(from)} – {plainDay(to)}, days in {timezone.replaceAll("_", " ")}
          </p>
          <Groups
            heading={levels.map((level) => titles[level]).join(" / ")}
            groups={groups}
            totals={totals}
          />
          <MissingRates missingRates={missingRates} />
          <Export
            request={{
              ...body,
              type,
              groupBy: type === "summary" ? levels : [],
              ...(enterprise && type === "summary" && { includeCharts: true }),
            }}
          >
            <select
              aria-label="Export contents"
              value={type}
              onChange={({ target }) => setType(target.value as typeof type)}
            >
              <option value="summary">Summary</option>
              <option value="detailed">All entries</option>
            </select>
          </Export>
          {charts && (
            <Suspense fallback={<Loading />}>
              <Charts charts={charts} />
            </Suspense>
          )}
        </div>
      )}
    </Loaded>
  );
}
