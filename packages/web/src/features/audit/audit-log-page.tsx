import type { View as Entry } from "@svc/core/audit/audit-log";
import { type ReactNode, useId } from "react";
import { useSearchParams } from "wouter";
import { get, query } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { dayTime } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
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

const nothing = { actor: "", action: "", target: "", ip: "", from: "", to: "", outcome: "" };

type Filters = typeof nothing;

/** Beginnings of actions, as they can be asked for. */
const areas = [
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

/** Who changed what, when and from where. What is looked for stands in the address, so that it can be handed on. */
export default function AuditLog() {
  const [parameters, setParameters] = useSearchParams();
  const filters = Object.fromEntries(
    Object.keys(nothing).map((name) => [name, parameters.get(name) ?? ""]),
  ) as Filters;
  const show = (next: Filters) =>
    setParameters(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "")));
  const { workspace } = useCurrentUser();
  const feed = useFeed<Entry>(["audit-log", workspace.id], path, filters);
  const filtered = Object.values(filters).some((value) => value !== "");
  return (
    <Page title="Audit log">
      <Search key={JSON.stringify(filters)} filters={filters} filtered={filtered} show={show} />
      <Export path={(format) => query(path, { ...filters, format })} />
      <Feed
        feed={feed}
        empty={
          filtered ? (
            <Empty title="Nothing fits these filters">
              <Button onClick={() => show(nothing)}>Show everything</Button>
            </Empty>
          ) : (
            <Empty title="Nothing happened yet" />
          )
        }
      >
        {(rows) => (
          <Table
            caption="What happened"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              { heading: "When", cell: ({ at }) => <span className="nowrap">{dayTime(at)}</span> },
              {
                heading: "Who",
                cell: ({ actor }) => (
                  <Narrow value={actor.id} onNarrow={(id) => show({ ...filters, actor: id })}>
                    {actor.name ?? "somebody who left"}
                  </Narrow>
                ),
              },
              {
                heading: "What",
                cell: ({ action }) => (
                  <Narrow value={action} onNarrow={(name) => show({ ...filters, action: name })}>
                    {action}
                  </Narrow>
                ),
              },
              {
                heading: "To what",
                cell: ({ target }) => (
                  <>
                    <Narrow value={target.id} onNarrow={(id) => show({ ...filters, target: id })}>
                      {target.name || target.id}
                    </Narrow>
                    <div className="hint">{target.type.replaceAll("_", " ")}</div>
                  </>
                ),
              },
              {
                heading: "Outcome",
                cell: ({ outcome }) => (
                  <span className="badge" data-look={outcome === "success" ? "good" : "bad"}>
                    {outcome}
                  </span>
                ),
              },
              { heading: "Changes", cell: (entry) => <Changes entry={entry} /> },
              { heading: "From", cell: ({ ip }) => ip ?? "" },
            ]}
          />
        )}
      </Feed>
    </Page>
  );
}

/** A value that, pressed, is what is looked for. */
function Narrow({
  value,
  onNarrow,
  children,
}: {
  value: string | null;
  onNarrow: (value: string) => void;
  children: ReactNode;
}) {
  if (!value) return children;
  return (
    <button type="button" className="link narrow" title="Show only these" onClick={() => onNarrow(value)}>
      {children}
    </button>
  );
}

function Search({
  filters,
  filtered,
  show,
}: {
  filters: Filters;
  filtered: boolean;
  show: (filters: Filters) => void;
}) {
  const known = useId();
  const people = useActors(filters.actor);
  const form = useForm<Filters>(filters, async (wanted) => {
    const next = Object.fromEntries(
      Object.entries(wanted).map(([name, value]) => [name, value.trim()]),
    ) as Filters;
    // Asked for first, so that words about a wrong value stand at its field, and the list stays as it was.
    await get(query(path, { ...next, limit: 1 }));
    show(next);
  });
  return (
    <Form
      form={form}
      submitLabel="Show"
      wide
      actions={filtered && <Button onClick={() => show(nothing)}>Show everything</Button>}
    >
      <div className="filters">
        <SelectField form={form} name="actor" label="Who" options={people} />
        <TextField form={form} name="action" label="What" placeholder="project." list={known} />
        <datalist id={known}>
          {areas.map((area) => (
            <option key={area} value={area} />
          ))}
        </datalist>
        <TextField form={form} name="target" label="To what (id)" />
        <TextField form={form} name="ip" label="IP address" />
        <TextField form={form} name="from" label="From" type="date" />
        <TextField form={form} name="to" label="To" type="date" />
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

/** Everybody of the workspace, to choose from; and whoever is looked for, though they are none of them. */
function useActors(chosen: string): { value: string; label: string }[] {
  const { data } = useWorkspaceMembers();
  const people = (data?.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }));
  const other = chosen && !people.some(({ value }) => value === chosen);
  return [{ value: "", label: "Anybody" }, ...people, ...(other ? [{ value: chosen, label: chosen }] : [])];
}
