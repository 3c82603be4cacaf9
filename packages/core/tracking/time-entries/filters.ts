import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import { Day, span } from "../../base/day-bounds.ts";
import { Fault } from "../../base/fault.ts";
import { pattern } from "../../base/id.ts";
import { type ErrorSource, invalid } from "../../base/invalid.ts";
import { containing, line } from "../../base/text.ts";
import * as Currency from "../../money/currency.ts";
import { db } from "../../platform/db/engine.ts";
import type { Schema } from "../../platform/db/schema.ts";
import { type Membership, reaches } from "../../workspace/authorization.ts";
import { Instant, Tag } from "./time-entry.ts";

const Id = z.string().check(z.regex(pattern, "Not an id."));

/** True or false as it stands in a query. */
export const Flag = z.pipe(
  z.enum(["true", "false"]),
  z.transform((text) => text === "true"),
);

/** Which time entries are meant. All of them combine; `from` and `to` are days, both inclusive. */
export const Filters = z.object({
  user_id: z.optional(Id),
  project_id: z.optional(Id),
  team_id: z.optional(Id),
  tag: z.optional(Tag),
  billable: z.optional(Flag),
  running: z.optional(Flag),
  from: z.optional(Day),
  to: z.optional(Day),
  q: z.optional(line(1, 200)),
  updated_since: z.optional(Instant),
  currency: z.optional(z.string().check(z.maxLength(16))),
});
export type Filters = z.infer<typeof Filters>;

/** Where a filter stands in what was sent: in the query by its name, unless somebody has put it into a body. */
export type PlaceOf = (name: keyof Filters) => ErrorSource;

/** The WHERE of any query that reads `time_entries`. */
export type Condition = (entries: ExpressionBuilder<Schema, "time_entries">) => Expression<SqlBool>;

/**
 * The entries that the caller may see and these filters mean: a member their own, a manager everybody's. Throws 404 for
 * a person, project or team that the workspace does not have, 422 `currency_unsupported`, and 422 when `to` is before
 * `from`; each names its parameter.
 */
export async function matching(
  actor: Actor,
  membership: Membership,
  filters: Filters,
  placeOf: PlaceOf = (parameter) => ({ parameter }),
): Promise<Condition> {
  const { from, to, currency } = filters;
  if (from && to && to < from) throw invalid(placeOf("to"), "before_from", "It is before `from`.");
  if (currency !== undefined) Currency.requireSupported(currency, placeOf("currency"), Currency.isKnown);
  await demandKnown(membership, filters, placeOf);
  const { since, before } = span({ from, to }, membership.timezone);
  const { user_id, project_id, team_id, tag, billable, running, q, updated_since } = filters;
  return (eb) =>
    eb.and([
      eb("time_entries.workspace_id", "=", membership.workspaceId),
      ...(reaches(membership.role, "manager") ? [] : [eb("time_entries.user_id", "=", actor.userId)]),
      ...(user_id ? [eb("time_entries.user_id", "=", user_id)] : []),
      ...(project_id ? [eb("time_entries.project_id", "=", project_id)] : []),
      ...(team_id
        ? [
            eb("time_entries.user_id", "in", (people) =>
              people.selectFrom("team_members").select("user_id").where("team_id", "=", team_id),
            ),
          ]
        : []),
      ...(tag === undefined ? [] : [sql<boolean>`time_entries.tags @> ${JSON.stringify([tag])}::jsonb`]),
      ...(billable === undefined ? [] : [eb("time_entries.billable", "=", billable)]),
      ...(running === undefined ? [] : [eb("time_entries.ended_at", running ? "is" : "is not", null)]),
      ...(since ? [eb("time_entries.started_at", ">=", since)] : []),
      ...(before ? [eb("time_entries.started_at", "<", before)] : []),
      ...(q === undefined ? [] : [eb("time_entries.description", "ilike", containing(q))]),
      ...(updated_since ? [eb("time_entries.updated_at", ">=", updated_since)] : []),
      ...(currency === undefined ? [] : [eb("time_entries.currency", "=", currency)]),
    ]);
}

/** What is of another workspace is as unknown as what is nowhere. */
async function demandKnown(
  { workspaceId }: Membership,
  { user_id, project_id, team_id }: Filters,
  placeOf: PlaceOf,
): Promise<void> {
  const there = async (
    table: "memberships" | "time_entries" | "projects" | "teams",
    column: string,
    id: string,
  ) => {
    const found = await sql`SELECT 1 FROM ${sql.table(table)}
      WHERE workspace_id = ${workspaceId} AND ${sql.ref(column)} = ${id} LIMIT 1`.execute(db());
    return found.rows.length > 0;
  };
  if (project_id && !(await there("projects", "id", project_id)))
    throw unknown("project", placeOf("project_id"));
  if (team_id && !(await there("teams", "id", team_id))) throw unknown("team", placeOf("team_id"));
  // Who has left the workspace is still known by their time.
  const known = async (id: string) =>
    (await there("memberships", "user_id", id)) || (await there("time_entries", "user_id", id));
  if (user_id && !(await known(user_id))) throw unknown("user", placeOf("user_id"));
}

function unknown(noun: "project" | "team" | "user", place: ErrorSource): Fault {
  const code = `${noun}_not_found`;
  const detail = `There is no such ${noun} in this workspace.`;
  return new Fault("missing", code, detail, { errors: [{ ...place, code, detail }] });
}
