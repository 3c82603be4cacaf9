import type { AuditEntry } from "@svc/client";
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { useCurrentUser } from "../../base/current-user.ts";
import { country, dayTime } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Feed, useFeed } from "../../ui/feed.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { Changes } from "./changes.tsx";
import { Checkpoint } from "./checkpoint.tsx";
import { Export } from "./export.tsx";
import { FilterForm, type Filters, noFilters, path } from "./filter-form.tsx";
import { messages } from "./messages.ts";
import "./audit.css";

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
    <Page title={messages.title}>
      <FilterForm key={JSON.stringify(filters)} filters={filters} isFiltered={isFiltered} show={show} />
      <Export filters={filters} />
      <Feed
        feed={feed}
        empty={
          isFiltered ? (
            <Empty title={messages.noMatch}>
              <Button onClick={() => show(noFilters)}>{messages.clear}</Button>
            </Empty>
          ) : (
            <Empty title={messages.noEntries}>
              <p>{messages.noEntriesHint}</p>
            </Empty>
          )
        }
      >
        {(rows) => (
          <Table
            stacked
            caption={messages.title}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                heading: messages.headings.time,
                cell: ({ at }) => <span className="nowrap">{dayTime(at)}</span>,
              },
              {
                heading: messages.headings.actor,
                cell: ({ actor }) => (
                  <FilterLink value={actor.id} onFilter={(id) => show({ ...filters, actor: id })}>
                    {actor.name ?? messages.formerMember}
                  </FilterLink>
                ),
              },
              {
                heading: messages.headings.action,
                cell: ({ action }) => (
                  <span className="nowrap">
                    <FilterLink value={action} onFilter={(name) => show({ ...filters, action: name })}>
                      {action}
                    </FilterLink>
                  </span>
                ),
              },
              {
                heading: messages.headings.target,
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
                heading: messages.headings.outcome,
                phone: "end",
                cell: ({ outcome, occurrences }) => (
                  <>
                    {outcome === "success" ? (
                      messages.success
                    ) : (
                      <span className="badge" data-look="bad">
                        {messages.failure}
                      </span>
                    )}
                    {occurrences > 1 && <div className="hint">{messages.times(occurrences)}</div>}
                  </>
                ),
              },
              { heading: messages.headings.changes, cell: (entry) => <Changes entry={entry} /> },
              {
                heading: messages.headings.ip,
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
      <Checkpoint />
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
      title={messages.filterByValue}
      onClick={() => onFilter(value)}
    >
      {children}
    </button>
  );
}
