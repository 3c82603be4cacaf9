import "./time.css";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, query } from "../../base/api.ts";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { plainDay, weekday } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { FilterBar, type Filters, SelectFilter, TextFilter, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { currencyOptions } from "../money/choice.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import type { EntryStretch, TimeEntry } from "./entries.ts";
import { EntryDialog } from "./entry-dialog.tsx";
import { EntryRow } from "./entry-row.tsx";
import { type Project, useProjects } from "./projects.ts";
import { dayIn } from "./zone.ts";

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

/** Time entries: a person's own, for a manager everybody's; found by filters, written, changed and deleted. */
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
          Add an entry
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
  const folded: readonly Name[] = ["tag", "billable", "currency", "convert_to"];
  return (
    <FilterBar
      filters={filters}
      moreOpen={folded.some((name) => filters.values[name] !== "")}
      more={
        <>
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
          {enterprise ? (
            <>
              <SelectFilter
                filters={filters}
                name="currency"
                label="Currency of the entry"
                options={[{ value: "", label: "All" }, ...currencies]}
              />
              <SelectFilter
                filters={filters}
                name="convert_to"
                label="Show amounts also in"
                options={[{ value: "", label: "Nothing else" }, ...currencies]}
              />
            </>
          ) : (
            <p className="hint">Currencies and conversion belong to the plan ENTERPRISE.</p>
          )}
        </>
      }
    >
      <TextFilter filters={filters} name="q" label="Description" type="search" />
      <TextFilter filters={filters} name="from" label="From" type="date" />
      <TextFilter filters={filters} name="to" label="To" type="date" />
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
        { value: "", label: "Everybody" },
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
    queryFn: ({ pageParam: cursor, signal }) =>
      get<EntryStretch>(query("/api/v1/time-entries", { ...values, cursor }), { signal }),
    getNextPageParam: ({ meta }) => meta.nextCursor,
    placeholderData: keepPreviousData,
  });
  const everybody = hasRole(workspace.role, "manager");
  return (
    <Loaded
      query={entries}
      isEmpty={({ pages }) => pages[0]?.data.length === 0}
      empty={
        count > 0 ? (
          <Empty title="No entry fits these filters">
            <Button onClick={clear}>Clear the filters</Button>
          </Empty>
        ) : (
          <Empty title="No time is written down yet">
            <p>Start the timer on the first page, or add an entry by hand.</p>
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
              {entries.hasNextPage ? ", and there are more" : ""}. Times of {zone.replaceAll("_", " ")}.
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
                    withPerson={everybody}
                  />
                </>
              )}
            </VirtualList>
            {entries.isFetchNextPageError && (
              <p role="alert" className="error">
                The next entries could not be fetched. Try again.
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

/** Entries in their order, the first of each day with that day. */
function byDay(entries: readonly TimeEntry[], zone: string) {
  let before = "";
  return entries.map((entry) => {
    const day = dayIn(zone, new Date(entry.startedAt));
    const firstOf = day === before ? undefined : day;
    before = day;
    return { entry, firstOf };
  });
}
