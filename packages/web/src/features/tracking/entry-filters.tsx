import { Calendar, Coins, FolderKanban, Search, Tag, User } from "lucide-react";
import { useState } from "react";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { plainDay } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { DateFilter } from "../../ui/date-filter.tsx";
import { ChipDialog, FilterChip, PickChip } from "../../ui/filter-chip.tsx";
import { type Filters, useTyped } from "../../ui/filters.tsx";
import { currencyOptions } from "../money/currency-options.ts";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { entryMessages as text } from "./messages.ts";
import { ProjectName } from "./project-name.tsx";
import type { Project } from "./projects.ts";
import { useTagSuggestions } from "./suggestions.ts";

export const unfiltered = {
  q: "",
  from: "",
  to: "",
  /** The time zone of the dates, if it is not the user's: that of the workspace in links of reports. */
  timezone: "",
  project_id: "",
  user_id: "",
  tag: "",
  billable: "",
  currency: "",
  convert_to: "",
};
export type Name = keyof typeof unfiltered;

const common = { empty: text.nothing };

/** The filters of the list, as chips. */
export function EntryFilters({
  filters,
  projects,
}: {
  filters: Filters<Name>;
  projects: readonly Project[];
}) {
  const { workspace } = useCurrentUser();
  const currencies = currencyOptions().map(({ value, label }) => ({ id: value, text: label }));
  return (
    <search className="filter-chips" aria-label={text.filters}>
      <Find filters={filters} />
      <Dates filters={filters} />
      {hasRole(workspace.role, "manager") && <Person filters={filters} />}
      <PickChip
        {...common}
        filters={filters}
        name="project_id"
        label={text.project}
        Icon={FolderKanban}
        removeLabel={text.removeFilter(text.project)}
        options={projects.map((project) => ({
          id: project.id,
          text: project.name,
          content: (
            <>
              <ProjectName project={project} />{" "}
              {project.archivedAt && <span className="hint">{text.archivedProject}</span>}
            </>
          ),
        }))}
      />
      <Tags filters={filters} />
      <PickChip
        {...common}
        filters={filters}
        name="billable"
        label={text.billable}
        removeLabel={text.removeFilter(text.billable)}
        options={[
          { id: "true", text: text.billable },
          { id: "false", text: text.notBillable },
        ]}
      />
      {hasPlan(workspace.plan, "ENTERPRISE") && (
        <>
          <PickChip
            {...common}
            filters={filters}
            name="currency"
            label={text.currency}
            Icon={Coins}
            removeLabel={text.removeFilter(text.currency)}
            options={currencies}
          />
          <PickChip
            {...common}
            filters={filters}
            name="convert_to"
            label={text.convertTo}
            Icon={Coins}
            removeLabel={text.removeFilter(text.convertTo)}
            options={currencies}
          />
        </>
      )}
      {filters.count > 0 && (
        <Button look="quiet" onClick={filters.clear}>
          {text.clearFilters}
        </Button>
      )}
    </search>
  );
}

function Find({ filters }: { filters: Filters<Name> }) {
  const [typed, setTyped] = useTyped(filters, "q");
  return (
    <label className="filter-search">
      <Search aria-hidden="true" />
      <input
        type="search"
        aria-keyshortcuts="/"
        aria-label={text.find}
        placeholder={text.find}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </label>
  );
}

function Dates({ filters }: { filters: Filters<Name> }) {
  const { from, to, timezone } = filters.values;
  const dates =
    from && to
      ? text.datesFromTo(plainDay(from), plainDay(to))
      : from
        ? text.datesFrom(plainDay(from))
        : to
          ? text.datesTo(plainDay(to))
          : undefined;
  const value = dates && timezone ? text.dayIn(dates, timezone.replaceAll("_", " ")) : dates;
  return (
    <FilterChip
      label={text.dates}
      Icon={Calendar}
      value={value}
      removeLabel={text.removeFilter(text.dates)}
      onRemove={() => filters.set({ from: "", to: "", timezone: "" })}
    >
      {(anchor, close) => (
        <ChipDialog label={text.dates} anchor={anchor} onClose={close}>
          <DateFilter filters={filters} name="from" label={text.from} />
          <DateFilter filters={filters} name="to" label={text.to} />
        </ChipDialog>
      )}
    </FilterChip>
  );
}

function Person({ filters }: { filters: Filters<Name> }) {
  const { me } = useCurrentUser();
  const people = useWorkspaceMembers().data?.data ?? [];
  const others = people.filter(({ userId }) => userId !== me.id);
  return (
    <PickChip
      {...common}
      filters={filters}
      name="user_id"
      label={text.person}
      Icon={User}
      removeLabel={text.removeFilter(text.person)}
      options={[
        { id: me.id, text: text.me },
        ...others.map(({ userId, name }) => ({ id: userId, text: name })),
      ]}
    />
  );
}

function Tags({ filters }: { filters: Filters<Name> }) {
  const [typed, setTyped] = useState("");
  const tags = useTagSuggestions(typed);
  return (
    <PickChip
      {...common}
      filters={filters}
      name="tag"
      label={text.tag}
      Icon={Tag}
      removeLabel={text.removeFilter(text.tag)}
      options={tags.map((tag) => ({ id: tag, text: tag }))}
      onSearch={setTyped}
    />
  );
}
