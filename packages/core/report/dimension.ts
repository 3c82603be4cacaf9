import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import type { Reader } from "../platform/db/engine.ts";
import type { Period } from "./period.ts";
import { bucketsOf, isUnit } from "./period.ts";

/** What time can be grouped by. */
export const dimensions = [
  "user",
  "project",
  "client",
  "team",
  "tag",
  "billable",
  "currency",
  "day",
  "week",
  "month",
  "year",
] as const;
export const Dimension = z.enum(dimensions);
export type Dimension = z.infer<typeof Dimension>;

/** What stands for a group: an id, a name, a day; null for what has none (no project, no tag). */
export type Key = string | null;

/** An entry with two tags counts in both of their groups, so such groups do not add up to the total. */
const severalKeys: ReadonlySet<Dimension> = new Set(["tag", "team"]);

/** Whether one entry can be in several groups of this kind. */
export function overlaps(dimension: Dimension): boolean {
  return severalKeys.has(dimension);
}

/** Column titles of the dimensions. */
export const titles: Readonly<Record<Dimension, string>> = {
  user: "Person",
  project: "Project",
  client: "Client",
  team: "Team",
  tag: "Tag",
  billable: "Billable",
  currency: "Currency",
  day: "Day",
  week: "Week",
  month: "Month",
  year: "Year",
};

/** How a group without a key is called. */
const without: Partial<Record<Dimension, string>> = {
  project: "No project",
  client: "No client",
  team: "No team",
  tag: "No tag",
};

/** The key of an entry as SQL gives it, over `time_entries` and what `joined` adds to it. */
export function keyOf(dimension: Dimension, period: Period): RawBuilder<unknown> {
  if (isUnit(dimension)) {
    const starts = bucketsOf(period, dimension).map(({ start }) => start);
    return sql`width_bucket(time_entries.started_at, ${starts}::timestamptz[])`;
  }
  switch (dimension) {
    case "user":
      return sql`time_entries.user_id`;
    case "project":
      return sql`time_entries.project_id`;
    case "client":
      return sql`NULLIF(projects.client, '')`;
    case "team":
      return sql`team.id`;
    case "tag":
      return sql`tag.name`;
    case "billable":
      return sql`time_entries.billable`;
    case "currency":
      return sql`time_entries.currency`;
  }
}

/** What the keys of these dimensions need besides the entries. */
export function joined(levels: readonly Dimension[], workspaceId: string): RawBuilder<unknown> {
  const joins = [
    levels.includes("client") && sql`LEFT JOIN projects ON projects.id = time_entries.project_id`,
    levels.includes("tag") &&
      sql`LEFT JOIN LATERAL jsonb_array_elements_text(time_entries.tags) AS tag(name) ON true`,
    levels.includes("team") &&
      sql`LEFT JOIN (SELECT teams.id, team_members.user_id FROM teams
        INNER JOIN team_members ON team_members.team_id = teams.id
        WHERE teams.workspace_id = ${workspaceId}) AS team ON team.user_id = time_entries.user_id`,
  ].filter((join) => join !== false);
  return sql.join(joins, sql` `);
}

/** The key as answers show it, from what SQL gave. */
export function keyFrom(dimension: Dimension, period: Period): (value: unknown) => Key {
  if (isUnit(dimension)) {
    const buckets = bucketsOf(period, dimension);
    return (value) => buckets[Number(value) - 1]?.key ?? null;
  }
  return (value) => (value === null ? null : String(value));
}

/** What people call these keys. */
export async function labels(
  reader: Reader,
  dimension: Dimension,
  period: Period,
  workspaceId: string,
  keys: readonly Key[],
): Promise<(key: Key) => string> {
  const none = without[dimension] ?? "";
  if (isUnit(dimension)) {
    const named = new Map(bucketsOf(period, dimension).map(({ key, label }) => [key, label]));
    return (key) => named.get(key ?? "") ?? "";
  }
  if (dimension === "billable") return (key) => (key === "true" ? "Billable" : "Not billable");
  if (dimension !== "user" && dimension !== "project" && dimension !== "team") return (key) => key ?? none;
  const names = await namesOf(
    reader,
    dimension,
    workspaceId,
    keys.filter((key) => key !== null),
  );
  // Somebody whose account is gone keeps their time in the workspace, without a name.
  const gone = dimension === "user" ? "Former member" : "";
  return (key) => (key === null ? none : (names.get(key) ?? gone));
}

const tables = { user: "users", project: "projects", team: "teams" } as const;

async function namesOf(
  reader: Reader,
  dimension: keyof typeof tables,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  // One parameter however many there are.
  const { rows } = await sql<{
    id: string;
    name: string;
  }>`SELECT id, name FROM ${sql.table(tables[dimension])}
    WHERE id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    ${dimension === "user" ? sql`` : sql`AND workspace_id = ${workspaceId}`}`.execute(reader);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
