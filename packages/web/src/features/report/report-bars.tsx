import type { SummaryReport, WorkspaceSettings } from "@svc/client";
import { type Dimension, overlaps, titles } from "@svc/core/report/dimension";
import { dayMonth, monthYear, plainDay, shortWeekday, weekday } from "../../base/format.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { type Bar, StackedBars } from "../../ui/stacked-bars.tsx";
import type { Project } from "../tracking/projects.ts";
import { paletteColor, partsOf, projectColors, valuesOf } from "../tracking/series.ts";
import { Donut } from "./donut.tsx";
import { daysOfGroup, type EntryFilters, entriesOf } from "./drill-down.ts";
import { messages } from "./messages.ts";
import { keysOf, today, type Unit, unitsOf } from "./period.ts";

/** The fewest parts of the bars and of the ring, which have the same. */
const fewParts = 6;

type Group = SummaryReport["groups"][number];

/** The groups of a report over its period as stacked bars, and their shares as a ring. */
export function ReportBars({
  report,
  level,
  unit,
  measure,
  filters,
  settings,
  projects,
  onChange,
}: {
  /** Grouped by `unit`, then by `level`. */
  report: SummaryReport;
  level: Dimension;
  unit: Unit;
  measure: string;
  filters: EntryFilters;
  settings: WorkspaceSettings;
  projects: readonly Project[];
  onChange: (change: { unit?: Unit; measure?: string }) => void;
}) {
  const byProject = projectColors(projects);
  const groups = report.groups.flatMap((group) => group.groups ?? []);
  const color = (key: string | null, at: number) =>
    level === "project" || key === null ? byProject(key) : paletteColor(at);
  const parts = partsOf(groups, color, messages.other, fewParts);
  const currency = currencyOf(report);
  const byAmount = measure === "amount" && currency !== undefined;
  const figure = byAmount ? amountOf : (group: Pick<Group, "durationSeconds">) => group.durationSeconds;
  const found = new Map(report.groups.map((group) => [group.key, group]));
  const now = today(settings);
  const bars = keysOf(filters, unit, settings.weekStart).map((key): Bar => {
    const group = found.get(key);
    const days = daysOfGroup(unit, key);
    return {
      id: key,
      ...labelsOf(unit, key),
      now: days !== undefined && days.from <= now && now <= days.to,
      values: valuesOf(group?.groups ?? [], parts, figure as (group: { durationSeconds?: number }) => number),
      total: group ? figure(group) : 0,
      href: entriesOf(filters, [{ dimension: unit, key }]) ?? "/time-entries",
    };
  });
  const { units } = unitsOf(filters);
  return (
    <div className="cards report-charts" data-columns="">
      <StackedBars
        text={{
          title: messages.barTitles[byAmount ? "amount" : "hours"][unit],
          showTable: messages.showTable,
          showBars: messages.showBars,
          period: messages.units[unit],
          total: messages.total,
          empty: byAmount ? messages.noAmount : messages.noTime,
        }}
        tools={
          <>
            {currency !== undefined && (
              <Segmented
                label={messages.measureLabel}
                options={(["hours", "amount"] as const).map((value) => ({
                  value,
                  label: messages.measures[value],
                }))}
                value={byAmount ? "amount" : "hours"}
                onChange={(measure) => onChange({ measure })}
              />
            )}
            <Segmented
              label={messages.unitLabel}
              options={units.map((value) => ({ value, label: messages.units[value] }))}
              value={unit}
              onChange={(unit) => onChange({ unit })}
            />
          </>
        }
        currency={byAmount ? currency : undefined}
        series={parts.series}
        bars={bars}
      />
      <Donut
        title={messages.by(titles[level])}
        hint={overlaps(level) ? messages.overlapping : undefined}
        series={parts.series}
        values={valuesOf(groups, parts, ({ durationSeconds }) => durationSeconds)}
        total={report.totals.durationSeconds}
      />
    </div>
  );
}

function labelsOf(unit: Unit, key: string): Pick<Bar, "label" | "detail" | "title"> {
  if (unit === "day")
    return {
      label: dayMonth(key),
      detail: shortWeekday(key),
      title: messages.dayTitle(weekday(key), plainDay(key)),
    };
  if (unit === "week") return { label: dayMonth(key), title: messages.weekOf(plainDay(key)) };
  return { label: monthYear(key), title: monthYear(key) };
}

/** Returns the currency in which amounts can be drawn: that of a complete conversion, or the only one of the entries. */
function currencyOf({ totals: { converted, amounts } }: SummaryReport): string | undefined {
  if (converted) return converted.currency;
  const currencies = amounts.filter(({ amount }) => Number(amount) !== 0).map(({ currency }) => currency);
  return currencies.length === 1 ? currencies[0] : undefined;
}

/** The amount of a group, precise enough for drawing. */
function amountOf({ converted, amounts }: Pick<Group, "converted" | "amounts">): number {
  if (converted) return Number(converted.amount);
  return amounts.reduce((sum, { amount }) => sum + Number(amount), 0);
}
