import "./entry-list.css";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import {
  dayMonth,
  hours,
  percent,
  plainDay,
  shortWeekday,
  timeZone,
  weekday,
  weekStart,
} from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { type Filters, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { OwnTimes } from "../workspace/zone-note.tsx";
import { useCorrectable } from "./correctable.ts";
import { listEntries, type TimeEntry } from "./entries.ts";
import { EntryDialog } from "./entry-dialog.tsx";
import { EntryFilters, type Name, unfiltered } from "./entry-filters.tsx";
import { groupEntries, type Row, type Sum } from "./entry-groups.ts";
import { EntryLine } from "./entry-line.tsx";
import { useLockedPeriod } from "./locked-period.ts";
import { entryMessages as text } from "./messages.ts";
import { type Project, useProjects } from "./projects.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { addDays, dayIn } from "./time-zone.ts";

/** Time entries by week and day: everyone's for managers, the user's own for members. Each is edited in its row. */
export default function TimeEntries() {
  const [adding, setAdding] = useState(false);
  const filters = useFilters<Name>(unfiltered);
  const projects = useProjects();
  const settings = useWorkspaceSettings();
  return (
    <Page
      title={text.title}
      actions={
        <Button onClick={() => setAdding(true)}>
          <Plus />
          {text.addEntry}
        </Button>
      }
    >
      <OwnTimes />
      <EntryFilters filters={filters} projects={projects.data ?? []} />
      <Loaded query={projects}>
        {(all) => (
          <Loaded query={settings}>
            {() => (
              <>
                <EntryList filters={filters} projects={all} />
                {adding && <EntryDialog projects={all} onClose={() => setAdding(false)} />}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

const pageSize = 100;

function EntryList({
  filters: { values, count, clear },
  projects,
}: {
  filters: Filters<Name>;
  projects: readonly Project[];
}) {
  const { workspace } = useCurrentUser();
  const entries = useInfiniteQuery({
    queryKey: ["time-entries", workspace.id, "list", values, timeZone()],
    initialPageParam: "",
    queryFn: ({ pageParam: cursor, signal }) => listEntries({ ...values, cursor, limit: pageSize }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded
      query={entries}
      isEmpty={({ pages }) => pages.every(({ data }) => data.length === 0)}
      empty={
        count > 0 ? (
          <Empty title={text.noMatch}>
            <Button onClick={clear}>{text.clearFilters}</Button>
          </Empty>
        ) : (
          <Empty title={text.none}>
            <p>{text.noneHint}</p>
          </Empty>
        )
      }
    >
      {({ pages }) => (
        <div aria-busy={entries.isPlaceholderData}>
          <MissingRates pages={pages} />
          <Rows
            pages={pages}
            hasMore={entries.hasNextPage}
            asOf={entries.dataUpdatedAt}
            projects={projects}
          />
          {entries.isFetchNextPageError && (
            <p role="alert" className="error">
              {text.moreFailed}
            </p>
          )}
          {entries.hasNextPage && (
            <div className="state">
              <Button busy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
                {entries.isFetchingNextPage ? text.loading : text.loadMore}
              </Button>
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}

const keyOf = ({ key }: Row) => key;

type Pages = readonly Awaited<ReturnType<typeof listEntries>>[];

function MissingRates({ pages }: { pages: Pages }) {
  const missing = pages[0]?.missingRates ?? [];
  if (missing.length === 0) return null;
  return (
    <section className="notice missing-rates" aria-label={text.missingRates}>
      {missing.map(({ entries, currency, from, to }) => (
        <p key={currency}>{text.missingRate(entries, currency, plainDay(from), plainDay(to))}</p>
      ))}
    </section>
  );
}

function Rows({
  pages,
  hasMore,
  asOf,
  projects,
}: {
  pages: Pages;
  hasMore: boolean;
  asOf: number;
  projects: readonly Project[];
}) {
  const { workspace } = useCurrentUser();
  const [zone, firstDay] = [timeZone(), weekStart()];
  const locked = useLockedPeriod();
  const entries = useMemo(() => pages.flatMap(({ data }) => data), [pages]);
  const rows = useMemo(
    () => groupEntries(entries, { zone, weekStart: firstDay, hasMore }),
    [entries, zone, firstDay, hasMore],
  );
  const isCorrectable = useCorrectable();
  const withPerson = hasRole(workspace.role, "manager");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const select = useCallback((id: string, on: boolean) => {
    setSelected((before) => {
      const after = new Set(before);
      if (on) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);
  const chosen = selected.size > 0 ? entries.filter(({ id }) => selected.has(id)) : [];
  const clear = () => {
    setSelected(new Set());
    setProblems(new Map());
  };
  const row = (entry: TimeEntry) => (
    <EntryLine
      entry={entry}
      projects={projects}
      asOf={entry.endedAt === null ? asOf : 0}
      withPerson={withPerson}
      editable={isCorrectable(entry.userId)}
      lockedUntil={locked && new Date(entry.startedAt) < locked.end ? locked.until : undefined}
      selected={selected.has(entry.id)}
      problem={problems.get(entry.id)}
      onSelect={select}
    />
  );
  return (
    <>
      <p role="status" className="visually-hidden">
        {hasMore ? text.foundMore(entries.length) : text.found(entries.length)}
      </p>
      <VirtualList
        label={text.title}
        items={rows}
        itemKey={keyOf}
        rowHeight={({ kind }) => (kind === "entry" ? 45 : kind === "day" ? 62 : 42)}
      >
        {(item) =>
          item.kind === "week" ? (
            <WeekHead week={item} />
          ) : item.kind === "day" ? (
            <DayHead day={item} zone={zone} />
          ) : (
            <div className="line-place" data-last={item.last || undefined}>
              {row(item.entry)}
            </div>
          )
        }
      </VirtualList>
      {chosen.length > 0 && (
        <SelectionBar entries={chosen} projects={projects} onProblems={setProblems} onClear={clear} />
      )}
    </>
  );
}

function WeekHead({ week: { from, to, sum } }: { week: Extract<Row, { kind: "week" }> }) {
  const share = sum.seconds > 0 ? sum.billable / sum.seconds : 0;
  return (
    <div className="week-head">
      <h2>{text.week(dayMonth(from), dayMonth(to))}</h2>
      {sum.complete && <span className="week-share">{text.billableShare(percent(share))}</span>}
      <Total sum={sum} />
    </div>
  );
}

function DayHead({ day: { day, sum }, zone }: { day: Extract<Row, { kind: "day" }>; zone: string }) {
  const today = dayIn(zone, new Date());
  const near = day === today ? text.today : day === addDays(today, -1) ? text.yesterday : undefined;
  return (
    <div className="day-head">
      <h3>{near ?? weekday(day)}</h3>
      <span className="hint">
        {near && shortWeekday(day)} {plainDay(day)}
      </span>
      <Total sum={sum} />
    </div>
  );
}

/** The sum of a group, unless more of its entries can be loaded. */
function Total({ sum }: { sum: Sum }) {
  return <b className="group-total">{sum.complete ? hours(sum.seconds) : ""}</b>;
}
