import "./home.css";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Link } from "wouter";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { hours, number, plainDay, timeZone, weekStart } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { type Filters, useFilters } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { useSeesMoney, useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { OwnTimes } from "../workspace/zone-note.tsx";
import { useElapsed } from "./elapsed.tsx";
import { listEntries, type TimeEntry, useRunningTimer } from "./entries.ts";
import { EntryRow } from "./entry-row.tsx";
import { BudgetsCard } from "./home-budgets.tsx";
import { RecentProjects } from "./home-recent.tsx";
import { RunningCard } from "./home-running.tsx";
import { WeekCards, WeekLoading } from "./home-week.tsx";
import { messages } from "./messages.ts";
import { type Project, useProjects } from "./projects.ts";
import { addDays, dayIn, firstOfWeek } from "./time-zone.ts";

const initial = { week: "", time: "mine" };

/** Home: the week in figures and bars, running timers, budgets, recent projects and today's entries. */
export default function Home() {
  const { me, workspace } = useCurrentUser();
  const isManager = hasRole(workspace.role, "manager");
  const seesMoney = useSeesMoney();
  const projects = useProjects();
  const settings = useWorkspaceSettings();
  const filters = useFilters(initial);
  return (
    <Page title={messages.home} actions={<Tools filters={filters} isManager={isManager} />}>
      <OwnTimes />
      <Loaded query={projects}>
        {(all) => (
          <>
            <div className="cards home">
              {settings.isPending ? (
                <WeekLoading />
              ) : (
                <Loaded query={settings}>
                  {(known) => (
                    <WeekCards
                      from={filters.values.week || thisWeek()}
                      userId={isManager && filters.values.time === "team" ? "" : me.id}
                      settings={known}
                      projects={all}
                    />
                  )}
                </Loaded>
              )}
              <Today projects={all} />
              <div className="cards home-aside">
                {isManager && <RunningCard projects={all} />}
                {seesMoney && <BudgetsCard />}
                <RecentProjects />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function thisWeek(): string {
  return firstOfWeek(dayIn(timeZone(), new Date()), weekStart());
}

/** Chooses whose week is shown, and which. */
function Tools({ filters, isManager }: { filters: Filters<keyof typeof initial>; isManager: boolean }) {
  const current = thisWeek();
  const from = filters.values.week || current;
  const show = (week: string) => filters.set({ week: week === current ? "" : week });
  return (
    <>
      {isManager && (
        <Segmented
          label={messages.whoseTime}
          options={[
            { value: "mine", label: messages.myTime },
            { value: "team", label: messages.team },
          ]}
          value={filters.values.time === "team" ? "team" : "mine"}
          onChange={(time) => filters.set({ time })}
        />
      )}
      <div className="stepper">
        <Button data-icon="" aria-label={messages.previousWeek} onClick={() => show(addDays(from, -7))}>
          <ChevronLeft />
        </Button>
        <Button onClick={() => show(current)}>
          {from === current ? messages.thisWeek : messages.range(plainDay(from), plainDay(addDays(from, 6)))}
        </Button>
        <Button
          data-icon=""
          aria-label={messages.nextWeek}
          disabled={from >= current}
          onClick={() => show(addDays(from, 7))}
        >
          <ChevronRight />
        </Button>
      </div>
    </>
  );
}

const shownEntries = 200;

function Today({ projects }: { projects: readonly Project[] }) {
  const { me, workspace } = useCurrentUser();
  const zone = timeZone();
  const today = dayIn(zone, new Date());
  const entries = useQuery({
    queryKey: ["time-entries", workspace.id, "day", today, me.id, zone],
    queryFn: ({ signal }) =>
      listEntries({ user_id: me.id, from: today, to: today, limit: shownEntries }, signal),
  });
  const { data } = entries;
  return (
    <Card
      title={messages.today}
      count={data && data.data.length > 0 && <Total data={data.data} />}
      tools={<Link href="/time-entries">{messages.allEntries}</Link>}
    >
      <Loaded
        query={entries}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title={messages.nothingToday}>
            <p>{messages.nothingTodayHint}</p>
          </Empty>
        }
      >
        {({ data, nextCursor }) => (
          <>
            <ul className="card-rows" aria-label={messages.todaysEntries}>
              {data.map((entry) => (
                <li key={entry.id}>
                  <EntryRow entry={entry} projects={projects} asOf={entries.dataUpdatedAt} />
                </li>
              ))}
            </ul>
            {nextCursor && <p className="card-note hint">{messages.lastEntries(number(shownEntries))}</p>}
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** The number of entries and their time, which counts on while a timer runs. */
function Total({ data }: { data: readonly TimeEntry[] }) {
  const running = useRunningTimer();
  const ended = data
    .filter(({ endedAt }) => endedAt !== null)
    .reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const counting = running.data && data.some(({ id }) => id === running.data?.id) ? running.data : undefined;
  const elapsed = useElapsed(counting?.durationSeconds ?? 0, running.dataUpdatedAt);
  return messages.entriesWithTotal(messages.entries(data.length), hours(counting ? ended + elapsed : ended));
}
