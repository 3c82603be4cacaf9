import type { SummaryReport, WorkspaceSettings } from "@svc/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { hasPlan, useCurrentUser } from "../../base/current-user.ts";
import { hours, plainDay, shortWeekday, timeZone, weekday } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import { Change, Figures } from "../../ui/figures.tsx";
import { type Bar, StackedBars } from "../../ui/stacked-bars.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { useSeesMoney } from "../workspace/workspace-settings.ts";
import { amountFigure, billableFigure, type Totals } from "./figures.tsx";
import { messages } from "./messages.ts";
import type { Project } from "./projects.ts";
import { partsOf, projectColors, valuesOf } from "./series.ts";
import { addDays, dayIn, daysIn } from "./time-zone.ts";

/** How often the figures are loaded again, because the time of running timers counts. */
const refreshMs = 60_000;

/** A week of the user or of everyone, as Home shows it: days in the user's time zone. */
type Week = {
  /** The first day of the week. */
  from: string;
  /** Empty for everyone. */
  userId: string;
  settings: WorkspaceSettings;
};

/** The figures of a week and its hours per day. */
export function WeekCards({ from, userId, settings, projects }: Week & { projects: readonly Project[] }) {
  const { workspace } = useCurrentUser();
  const seesMoney = useSeesMoney();
  const zone = timeZone();
  const convert_to = seesMoney && hasPlan(workspace.plan, "ENTERPRISE") ? settings.baseCurrency : "";
  const load = (first: string, more: { sub_group_by?: string; convert_to?: string }) => ({
    queryKey: ["reports", workspace.id, "week", first, userId, more, zone],
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      const days = { from: first, to: addDays(first, 6) };
      const all = { ...days, ...daysIn(zone), user_id: userId, group_by: "day", ...more };
      return getFiltered("/api/v1/reports/summary", all, { signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const week = useQuery(load(from, { sub_group_by: "project", convert_to }));
  const before = useQuery(load(addDays(from, -7), {}));
  const today = dayIn(zone, new Date());
  if (week.isPending) return <WeekLoading />;
  return (
    <Loaded query={week}>
      {(data) => (
        <>
          <WeekFigures
            week={data}
            before={before.data}
            today={today}
            currency={seesMoney ? settings.baseCurrency : undefined}
          />
          <HoursPerDay week={data} today={today} userId={userId} projects={projects} />
        </>
      )}
    </Loaded>
  );
}

/** Cards with the heights of the figures and of the hours per day, so that the page does not move when these are loaded. */
export function WeekLoading() {
  return (
    <>
      <section className="card home-figures-loading" />
      <section className="card home-hours-loading">
        <Loading />
      </section>
    </>
  );
}

function WeekFigures({
  week,
  before,
  today,
  currency,
}: {
  week: SummaryReport;
  before: SummaryReport | undefined;
  today: string;
  /** The currency of amounts. Undefined for users who do not see money. */
  currency: string | undefined;
}) {
  const { totals } = week;
  const current = today <= week.to;
  const compared = before && upTo(before, current ? addDays(today, -7) : before.to);
  const note = current ? messages.onLastWeek(shortWeekday(today)) : messages.onWeekBefore;
  const change = compared && totals.durationSeconds - compared.durationSeconds;
  return (
    <Figures
      label={messages.weekFigures}
      figures={[
        {
          label: current ? messages.hoursThisWeek : messages.hours,
          value: hours(totals.durationSeconds),
          note: change !== undefined && (
            <>
              <Change good value={change} text={hours(Math.abs(change))} /> {note}
            </>
          ),
        },
        billableFigure(totals, compared, note),
        ...(currency === undefined ? [] : [amountFigure(totals, currency)]),
        current ? todayFigure(week, today) : averageFigure(week),
      ]}
    />
  );
}

/** Adds up the days until one. A whole week would always be ahead of one that has just begun. */
function upTo({ groups }: SummaryReport, until: string): Totals {
  const days = groups.filter(({ key }) => key !== null && key <= until);
  return {
    durationSeconds: days.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
    billableSeconds: days.reduce((sum, { billableSeconds }) => sum + billableSeconds, 0),
  };
}

function todayFigure({ groups }: SummaryReport, today: string) {
  const day = groups.find(({ key }) => key === today);
  return {
    label: messages.today,
    value: hours(day?.durationSeconds ?? 0),
    note: messages.entries(day?.entryCount ?? 0),
  };
}

function averageFigure({ groups, totals }: SummaryReport) {
  const days = groups.filter(({ durationSeconds }) => durationSeconds > 0).length;
  return {
    label: messages.dailyAverage,
    value: hours(totals.durationSeconds / Math.max(days, 1)),
    note: messages.daysWithTime(days),
  };
}

function HoursPerDay({
  week,
  today,
  userId,
  projects,
}: {
  week: SummaryReport;
  today: string;
  userId: string;
  projects: readonly Project[];
}) {
  const parts = partsOf(
    week.groups.flatMap(({ groups = [] }) => groups),
    projectColors(projects),
    messages.other,
  );
  const bars = Array.from({ length: 7 }, (_, at): Bar => {
    const day = addDays(week.from, at);
    const group = week.groups.find(({ key }) => key === day);
    const filters = new URLSearchParams({ from: day, to: day, ...(userId && { user_id: userId }) });
    return {
      id: day,
      label: shortWeekday(day),
      detail: String(Number(day.slice(-2))),
      title: messages.dayTitle(weekday(day), plainDay(day)),
      now: day === today,
      values: valuesOf(group?.groups ?? [], parts, ({ durationSeconds }) => durationSeconds),
      total: group?.durationSeconds ?? 0,
      href: `/time-entries?${filters}`,
    };
  });
  return <StackedBars text={messages.hoursPerDay} series={parts.series} bars={bars} />;
}
