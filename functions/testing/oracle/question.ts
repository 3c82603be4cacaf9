import type { Day } from "./days.ts";
import type { levels } from "./world.ts";

export type Level = (typeof levels)[number];

/** Filters of reports and of the list. People, projects and teams are positions. */
export type Filters = {
  person?: number | undefined;
  project?: number | undefined;
  team?: number | undefined;
  tag?: string | undefined;
  billable?: boolean | undefined;
  currency?: string | undefined;
  /** Not for files. */
  running?: boolean | undefined;
  q?: string | undefined;
  updatedSince?: string | undefined;
};

type Scope = {
  /** The position of the person who asks. */
  by: number;
  from?: Day | undefined;
  to?: Day | undefined;
  filters: Filters;
  convertTo?: string | undefined;
};

/** Such as `up:15`: the duration of each entry, to a multiple of minutes. */
type Rounded = { rounding?: string | undefined };

export type Summary = Scope & Rounded & { kind: "summary"; levels: Level[]; charts: boolean };

export const metrics = [
  "duration_seconds",
  "billable_seconds",
  "entry_count",
  "amounts",
  "billable_percent",
] as const;
export type Metric = (typeof metrics)[number];

export const sorts = ["label", "duration_seconds", "billable_seconds", "entry_count", "started_at"] as const;
export type Sort = (typeof sorts)[number] | `-${(typeof sorts)[number]}`;

export const columns = {
  id: "ID",
  day: "Day",
  started_local: "Start",
  duration_seconds: "Time",
  hourly_rate: "Rate",
  amount: "Amount",
  currency: "Currency",
  converted: "Converted",
};
export type Column = keyof typeof columns;

export type Custom = Scope &
  Rounded & {
    kind: "custom";
    levels: Level[];
    columns: Column[];
    metrics?: Metric[] | undefined;
    sort?: Sort | undefined;
  };

export type List = Scope & { kind: "list"; oldestFirst: boolean };

/** A CSV file of groups or, without levels, of entries. */
export type File = Scope & Rounded & { kind: "file"; levels: Level[] };

export type Question = Summary | Custom | List | File;
