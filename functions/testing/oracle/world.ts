import type { Day } from "./days.ts";

export const sources = ["ECB", "NBP-A", "NBP-B"] as const;
export type Source = (typeof sources)[number];

/** A person with the role in the workspace. A former member has none. Teams are positions in `World.teams`. */
export type Person = { name: string; role: "owner" | "manager" | "member" | "former"; teams: number[] };

export type Project = { name: string; client: string; currency: string; archived: boolean };

/** A time entry as it is stored. `person` and `project` are positions, `rate` is the hourly rate in minor units. */
export type Entry = {
  person: number;
  project: number | null;
  description: string;
  startedAt: string;
  /** Null for a running timer. */
  seconds: number | null;
  billable: boolean;
  rate: number | null;
  currency: string;
  tags: string[];
  updatedAt: string;
};

/** The rates that a bank published for a day, when they were recorded, and the values by which it replaced some later. */
export type Table = {
  source: Source;
  day: Day;
  recordedAt: string;
  rates: Record<string, string>;
  corrections: { currency: string; rate: string; recordedAt: string }[];
};

/** A workspace and the banks. Plain data, so that it can be printed and pasted. The first person is the owner. */
export type World = {
  zone: string;
  /** 1 is Monday, 7 is Sunday. */
  weekBegins: number;
  base: string;
  now: string;
  people: Person[];
  teams: string[];
  projects: Project[];
  entries: Entry[];
  tables: Table[];
  /** The banks that were reached at least once. */
  reached: Source[];
  overrides: { currency: string; base: string; rate: string; from: Day; to: Day | null }[];
  /** Locked periods: their last day, and when they were locked. */
  locks: { until: Day; at: string }[];
};

/** The ids of what a world contains, by position. */
export type Ids = { people: string[]; teams: string[]; projects: string[]; entries: string[] };

export const levels = [
  ...["user", "project", "client", "team", "tag", "billable", "currency"],
  ...["day", "week", "month", "year"],
] as const;
