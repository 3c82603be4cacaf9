import type { AuditEntry } from "@svc/client";
import { categories } from "@svc/core/event/action";
import { type ReactNode, useId } from "react";
import { useSearchParams } from "wouter";
import { useCurrentUser } from "../../base/current-user.ts";
import { country, dayTime } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { Button } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { Feed, useFeed } from "../../ui/feed.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { useWorkspaceMembers } from "../workspace/workspace-members.ts";
import { Changes } from "./changes.tsx";
import { Export } from "./export.tsx";
import "./audit.css";

const path = "/api/v1/audit-logs";

const noFilters = { category: "", actor: "", action: "", target: "", ip: "", from: "", to: "", outcome: "" };

type Filters = typeof noFilters;

const categoryLabels: Record<(typeof categories)[number], string> = {
  sign_in: "Sign-ins",
  account: "Accounts",
  api_token: "API tokens",
  security: "Security",
  workspace: "Workspace",
  member: "Members",
  team: "Teams",
  project: "Projects",
  time_entry: "Time entries",
  currency: "Currencies",
  report: "Reports",
  webhook: "Webhooks",
};

/** Prefixes of actions that the filter suggests. */
const prefixes = [
  "user.",
  "workspace.",
  "team.",
  "member.",
  "project.",
  "time_entry.",
  "currency.",
  "budget.",
  "webhook.",
  "security.",
];

/** The audit log: who changed what, when and from where. The URL contains the filters, so that it can be shared. */
export default function AuditLog() {
  const [parameters, setParameters] = useSearchParams();
  const filters = Object.fromEntries(
    Object.keys(noFilters).map((name) => [name, parameters.get(name) ?? ""]),
  ) as Filters;
  const show = (next: Filters) =>
    setParameters(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "")));
  const { workspace } = useCurrentUser();
  const feed = useFeed(["audit-log", workspace.id], path, {}, filters);
  const isFiltered = Object.values(filters).some((value) => value !== "");
  return (
    <Page title="Audit log">
      <FilterForm key={JSON.stringify(filters)} filters={filters} isFiltered={isFiltered} show={show} />
      <Export filters={filters} />
      <Feed
        feed={feed}
        empty={
          isFiltered ? (
            <Empty title="No entries match these filters">
              <Button onClick={() => show(noFilters)}>Clear filters</Button>
            </Empty>
          ) : (
            <Empty title="No entries yet">
              <p>Changes in this workspace and sign-ins of its members appear here.</p>
            </Empty>
          )
        }
      >
        {(rows) => (
          <Table
            caption="Audit log"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              { heading: "Time", cell: ({ at }) => <span className="nowrap">{dayTime(at)}</span> },
              {
                heading: "Actor",
                cell: ({ actor }) => (
                  <FilterLink value={actor.id} onFilter={(id) => show({ ...filters, actor: id })}>
                    {actor.name ?? "Former member"}
                  </FilterLink>
                ),
              },
              {
                heading: "Action",
                cell: ({ action }) => (
                  <FilterLink value={action} onFilter={(name) => show({ ...filters, action: name })}>
                    {action}
                  </FilterLink>
                ),
              },
              {
                heading: "Target",
                cell: ({ actor, target }) => (
                  <>
                    <FilterLink value={target.id} onFilter={(id) => show({ ...filters, target: id })}>
                      {target.name || (target.id === actor.id && actor.name) || target.id}
                    </FilterLink>
                    <div className="hint">{target.type.replaceAll("_", " ")}</div>
                  </>
                ),
              },
              {
                heading: "Outcome",
                cell: ({ outcome, occurrences }) => (
                  <>
                    <span className="badge" data-look={outcome === "success" ? "good" : "bad"}>
                      {outcome}
                    </span>
                    {occurrences > 1 && <div className="hint">{occurrences} times</div>}
                  </>
                ),
              },
              { heading: "Changes", cell: (entry) => <Changes entry={entry} /> },
              {
                heading: "IP address",
                cell: (entry) => (
                  <>
                    {entry.ip}
                    <div className="hint">{locationOf(entry)}</div>
                  </>
                ),
              },
            ]}
          />
        )}
      </Feed>
    </Page>
  );
}

function locationOf({ city, country: code }: AuditEntry): string {
  return [city, code && country(code)].filter(Boolean).join(", ");
}

/** A value. Clicking it filters the log by this value. */
function FilterLink({
  value,
  onFilter,
  children,
}: {
  value: string | null;
  onFilter: (value: string) => void;
  children: ReactNode;
}) {
  if (!value) return children;
  return (
    <button
      type="button"
      className="link filter-link"
      title="Filter by this value"
      onClick={() => onFilter(value)}
    >
      {children}
    </button>
  );
}

function FilterForm({
  filters,
  isFiltered,
  show,
}: {
  filters: Filters;
  isFiltered: boolean;
  show: (filters: Filters) => void;
}) {
  const suggestions = useId();
  const actors = useActorOptions(filters.actor);
  const form = useForm<Filters>(filters, async (entered) => {
    const next = Object.fromEntries(
      Object.entries(entered).map(([name, value]) => [name, value.trim()]),
    ) as Filters;
    // Request the entries here first, so that validation errors appear at the fields and the list stays unchanged.
    await getFiltered(path, { ...next, limit: 1 }, {});
    show(next);
  });
  return (
    <Form
      form={form}
      submitLabel="Apply filters"
      wide
      actions={isFiltered && <Button onClick={() => show(noFilters)}>Clear filters</Button>}
    >
      <div className="filters">
        <SelectField
          form={form}
          name="category"
          label="Category"
          options={[
            { value: "", label: "Any" },
            ...categories.map((value) => ({ value, label: categoryLabels[value] })),
          ]}
        />
        <SelectField form={form} name="actor" label="Actor" options={actors} />
        <TextField form={form} name="action" label="Action" placeholder="project." list={suggestions} />
        <datalist id={suggestions}>
          {prefixes.map((prefix) => (
            <option key={prefix} value={prefix} />
          ))}
        </datalist>
        <TextField form={form} name="target" label="Target ID" />
        <TextField form={form} name="ip" label="IP address" />
        <DateField form={form} name="from" label="From" />
        <DateField form={form} name="to" label="To" />
        <SelectField
          form={form}
          name="outcome"
          label="Outcome"
          options={[
            { value: "", label: "Any" },
            { value: "success", label: "Success" },
            { value: "failure", label: "Failure" },
          ]}
        />
      </div>
    </Form>
  );
}

/** Returns the members of the workspace as options, and the selected actor even if they are not a member. */
function useActorOptions(selected: string): { value: string; label: string }[] {
  const { data } = useWorkspaceMembers();
  const members = (data?.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }));
  const isOther = selected && !members.some(({ value }) => value === selected);
  return [
    { value: "", label: "Anyone" },
    ...members,
    ...(isOther ? [{ value: selected, label: selected }] : []),
  ];
}
