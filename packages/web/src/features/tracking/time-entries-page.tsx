import "./time.css";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { plainDay, weekday } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { DateFilter } from "../../ui/date-filter.tsx";
import { FilterBar, type Filters, SelectFilter, TextFilter, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { listEntries, type TimeEntry } from "./entries.ts";
import { EntryDialog } from "./entry-dialog.tsx";
import { EntryRow } from "./entry-row.tsx";
import { type Project, useProjects } from "./projects.ts";
import { dayIn } from "./time-zone.ts";

const unfiltered = {
  q: "",
  from: "",
  to: "",
  project_id: "",
  user_id: "",
  tag: "",
  billable: "",
  currency: "",
  convert_to: "",
};
type Name = keyof typeof unfiltered;

/** Time entries with filters: everyone's for managers, the user's own for members. Entries can be added, edited and deleted. */
export default function TimeEntries() {
  const [adding, setAdding] = useState(false);
  const filters = useFilters<Name>(unfiltered);
  const projects = useProjects();
  const settings = useWorkspaceSettings();
  return (
    <Page
      title="Time entries"
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          Add entry
        </Button>
      }
    >
      <EntryFilters filters={filters} projects={projects.data ?? []} />
      <Loaded query={projects}>
        {(all) => (
          <Loaded query={settings}>
            {({ timezone }) => (
              <>
                <EntryList filters={filters} projects={all} zone={timezone} />
                {adding && <EntryDialog projects={all} zone={timezone} onClose={() => setAdding(false)} />}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function EntryFilters({ filters, projects }: { filters: Filters<Name>; projects: readonly Project[] }) {
  const { workspace } = useCurrentUser();
  const enterprise = hasPlan(workspace.plan, "ENTERPRISE");
  const currencies = currencyOptions();
  const inMore: readonly Name[] = ["tag", "billable", "currency", "convert_to"];
  return (
    <FilterBar
      filters={filters}
      moreOpen={inMore.some((name) => filters.values[name] !== "")}
      more={
        <>
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
          {enterprise ? (
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
                label="Convert amounts to"
                options={[{ value: "", label: "Do not convert" }, ...currencies]}
              />
            </>
          ) : (
            <p className="hint">Currency filters and conversion are available on the ENTERPRISE plan.</p>
          )}
        </>
      }
    >
      <TextFilter filters={filters} name="q" label="Description" />
      <DateFilter filters={filters} name="from" label="From" />
      <DateFilter filters={filters} name="to" label="To" />
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
      {hasRole(workspace.role, "manager") && <PersonFilter filters={filters} />}
    </FilterBar>
  );
}

function PersonFilter({ filters }: { filters: Filters<Name> }) {
  const { me } = useCurrentUser();
  const people = useWorkspaceMembers().data?.data ?? [];
  const others = people.filter(({ userId }) => userId !== me.id);
  return (
    <SelectFilter
      filters={filters}
      name="user_id"
      label="Person"
      options={[
        { value: "", label: "Everyone" },
        { value: me.id, label: "Me" },
        ...others.map(({ userId, name }) => ({ value: userId, label: name })),
      ]}
    />
  );
}

function EntryList({
  filters: { values, count, clear },
  projects,
  zone,
}: {
  filters: Filters<Name>;
  projects: readonly Project[];
  zone: string;
}) {
  const { workspace } = useCurrentUser();
  const entries = useInfiniteQuery({
    queryKey: ["time-entries", workspace.id, "list", values],
    initialPageParam: "",
    queryFn: ({ pageParam: cursor, signal }) => listEntries({ ...values, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  const isManager = hasRole(workspace.role, "manager");
  return (
    <Loaded
      query={entries}
      isEmpty={({ pages }) => pages[0]?.data.length === 0}
      empty={
        count > 0 ? (
          <Empty title="No entries match these filters">
            <Button onClick={clear}>Clear filters</Button>
          </Empty>
        ) : (
          <Empty title="No time entries yet">
            <p>Start the timer on the home page, or add an entry.</p>
          </Empty>
        )
      }
    >
      {({ pages }) => {
        const rows = byDay(
          pages.flatMap(({ data }) => data),
          zone,
        );
        return (
          <div aria-busy={entries.isPlaceholderData}>
            <p role="status" className="hint">
              {rows.length} {rows.length === 1 ? "entry" : "entries"}
              {entries.hasNextPage ? " shown, more available" : ""}. Times in {zone.replaceAll("_", " ")}.
            </p>
            <VirtualList label="Time entries" items={rows} itemKey={({ entry }) => entry.id} rowHeight={74}>
              {({ entry, firstOf }) => (
                <>
                  {firstOf && (
                    <h2 className="entry-day">
                      {weekday(firstOf)}, {plainDay(firstOf)}
                    </h2>
                  )}
                  <EntryRow
                    entry={entry}
                    projects={projects}
                    zone={zone}
                    asOf={entries.dataUpdatedAt}
                    withPerson={isManager}
                  />
                </>
              )}
            </VirtualList>
            {entries.isFetchNextPageError && (
              <p role="alert" className="error">
                More entries could not be loaded. Try again.
              </p>
            )}
            {entries.hasNextPage && (
              <div className="state">
                <Button busy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
                  {entries.isFetchingNextPage ? "Loading…" : "Load more"}
                </Button>
              </div>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** Marks the first entry of each day with its date. */
function byDay(entries: readonly TimeEntry[], zone: string) {
  let previous = "";
  return entries.map((entry) => {
    const day = dayIn(zone, new Date(entry.startedAt));
    const firstOf = day === previous ? undefined : day;
    previous = day;
    return { entry, firstOf };
  });
}
