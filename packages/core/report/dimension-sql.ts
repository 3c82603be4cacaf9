import { type RawBuilder, sql } from "kysely";
import type { Reader } from "../platform/db/engine.ts";
import { type Dimension, labelWithoutKey } from "./dimension.ts";
import { bucketsOf, isUnit, type Period, type Unit } from "./period.ts";

/** The key of a group: an id, a name or a day. Null for entries without one, such as entries without a project. */
export type Key = string | null;

/** How entries are grouped by a dimension. Calendar units are grouped by the buckets of period.ts instead. */
type Grouping = {
  /** The key of an entry, over `time_entries` and `join`. */
  key: RawBuilder<unknown>;
  join?: (workspaceId: string) => RawBuilder<unknown>;
  /** The table that has the names of the keys, and the label of a key without a row. */
  names?: { table: "users" | "projects" | "teams"; unknown: string };
  /** Returns the label of a key that needs no table. The default is the key itself. */
  label?: (key: string) => string;
};

const groupings: Readonly<Record<Exclude<Dimension, Unit>, Grouping>> = {
  // The entries of a deleted account stay in the workspace, without a name.
  user: { key: sql`time_entries.user_id`, names: { table: "users", unknown: "Former member" } },
  project: { key: sql`time_entries.project_id`, names: { table: "projects", unknown: "" } },
  client: {
    key: sql`NULLIF(projects.client, '')`,
    join: () => sql`LEFT JOIN projects ON projects.id = time_entries.project_id`,
  },
  tag: {
    key: sql`tag.name`,
    // An entry without tags has one row whose name is null. LEFT JOIN LATERAL would say so, but fails on Aurora DSQL.
    join: () => sql`CROSS JOIN LATERAL jsonb_array_elements_text(
      CASE WHEN time_entries.tags = '[]' THEN '[null]' ELSE time_entries.tags END) AS tag(name)`,
  },
  team: {
    key: sql`team.id`,
    join: (workspaceId) => sql`LEFT JOIN (SELECT teams.id, team_members.user_id FROM teams
      INNER JOIN team_members ON team_members.team_id = teams.id
      WHERE teams.workspace_id = ${workspaceId}) AS team ON team.user_id = time_entries.user_id`,
    names: { table: "teams", unknown: "" },
  },
  billable: {
    key: sql`time_entries.billable`,
    label: (key) => (key === "true" ? "Billable" : "Not billable"),
  },
  currency: { key: sql`time_entries.currency` },
};

/** Returns the SQL expression for the key of an entry. A calendar unit gives the number of its bucket, from 1. */
export function keySql(dimension: Dimension, period: Period): RawBuilder<unknown> {
  if (!isUnit(dimension)) return groupings[dimension].key;
  const starts = bucketsOf(period, dimension).map(({ start }) => start);
  return sql`width_bucket(time_entries.started_at, ${starts}::timestamptz[])`;
}

/** Returns the joins that the keys of these dimensions need. */
export function joinSql(levels: readonly Dimension[], workspaceId: string): RawBuilder<unknown> {
  const joins = Object.entries(groupings).flatMap(([dimension, { join }]) =>
    join && levels.includes(dimension as Dimension) ? [join(workspaceId)] : [],
  );
  return sql.join(joins, sql` `);
}

/** Returns a function that turns the value of `keySql` into the key of a group. */
export function keyReader(dimension: Dimension, period: Period): (value: unknown) => Key {
  if (!isUnit(dimension)) return (value) => (value === null ? null : String(value));
  const buckets = bucketsOf(period, dimension);
  return (value) => buckets[Number(value) - 1]?.key ?? null;
}

/** Returns a function that labels these keys. Loads the names in one statement when the dimension has a table of names. */
export async function labelsOf(
  reader: Reader,
  dimension: Dimension,
  period: Period,
  workspaceId: string,
  keys: readonly Key[],
): Promise<(key: Key) => string> {
  if (isUnit(dimension)) {
    const labels = new Map(bucketsOf(period, dimension).map(({ key, label }) => [key, label]));
    return (key) => labels.get(key ?? "") ?? "";
  }
  const { names, label = (key) => key } = groupings[dimension];
  const withoutKey = labelWithoutKey(dimension);
  if (!names) return (key) => (key === null ? withoutKey : label(key));
  const ids = keys.filter((key) => key !== null);
  const found = await namesOf(reader, names.table, workspaceId, ids);
  return (key) => (key === null ? withoutKey : (found.get(key) ?? names.unknown));
}

async function namesOf(
  reader: Reader,
  table: "users" | "projects" | "teams",
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  // A single JSON parameter, because the number of ids is not limited.
  const { rows } = await sql<{ id: string; name: string }>`SELECT id, name FROM ${sql.table(table)}
    WHERE id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    ${table === "users" ? sql`` : sql`AND workspace_id = ${workspaceId}`}`.execute(reader);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
