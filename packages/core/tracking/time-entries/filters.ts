import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import { CurrencyCode } from "../../base/currency-code.ts";
import { Day, dayRange } from "../../base/day-bounds.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import { type ErrorSource, invalid } from "../../base/invalid.ts";
import { QueryFlag } from "../../base/query.ts";
import { containsPattern, singleLine } from "../../base/text.ts";
import * as Currency from "../../money/currency.ts";
import { db } from "../../platform/db/engine.ts";
import type { Schema } from "../../platform/db/schema.ts";
import { type Membership, reaches } from "../../workspace/authorization.ts";
import { Tag, TrackedInstant } from "./time-entry.ts";

/** Filters of time entries, combined with AND. `from` and `to` are days, both inclusive. */
export const Filters = z.object({
  user_id: z.optional(Id),
  project_id: z.optional(Id),
  team_id: z.optional(Id),
  tag: z.optional(Tag),
  billable: z.optional(QueryFlag),
  running: z.optional(QueryFlag),
  from: z.optional(Day),
  to: z.optional(Day),
  q: z.optional(singleLine(1, 200)),
  updated_since: z.optional(TrackedInstant),
  currency: z.optional(CurrencyCode),
});
export type Filters = z.infer<typeof Filters>;

/** Returns the position of a filter in the request, to name it in errors: a query parameter or a pointer into the body. */
export type ErrorSourceOf = (name: keyof Filters) => ErrorSource;

/** A WHERE condition for queries of `time_entries`. */
export type Condition = (entries: ExpressionBuilder<Schema, "time_entries">) => Expression<SqlBool>;

/**
 * Returns the condition for the entries that match the filters and that the caller may read: members their own, managers
 * all. Throws `missing` for a user, project or team that the workspace does not have, `invalid` `currency_unsupported`, and
 * `invalid` when `to` is before `from`. Each error names its parameter.
 */
export async function matching(
  actor: Actor,
  membership: Membership,
  filters: Filters,
  sourceOf: ErrorSourceOf = (parameter) => ({ parameter }),
): Promise<Condition> {
  const { from, to, currency } = filters;
  if (from && to && to < from)
    throw invalid(sourceOf("to"), "before_from", "The last day must not be before the first day.");
  if (currency !== undefined) Currency.requireSupported(currency, sourceOf("currency"), Currency.isKnown);
  await requireKnown(membership, filters, sourceOf);
  const { since, before } = dayRange({ from, to }, membership.timezone);
  const { user_id, project_id, team_id, tag, billable, running, q, updated_since } = filters;
  return (eb) =>
    eb.and([
      eb("time_entries.workspace_id", "=", membership.workspaceId),
      ...(reaches(membership.role, "manager") ? [] : [eb("time_entries.user_id", "=", actor.userId)]),
      ...(user_id ? [eb("time_entries.user_id", "=", user_id)] : []),
      ...(project_id ? [eb("time_entries.project_id", "=", project_id)] : []),
      ...(team_id
        ? [
            eb("time_entries.user_id", "in", (members) =>
              members.selectFrom("team_members").select("user_id").where("team_id", "=", team_id),
            ),
          ]
        : []),
      ...(tag === undefined ? [] : [sql<boolean>`time_entries.tags @> ${JSON.stringify([tag])}::jsonb`]),
      ...(billable === undefined ? [] : [eb("time_entries.billable", "=", billable)]),
      ...(running === undefined ? [] : [eb("time_entries.ended_at", running ? "is" : "is not", null)]),
      ...(since ? [eb("time_entries.started_at", ">=", since)] : []),
      ...(before ? [eb("time_entries.started_at", "<", before)] : []),
      ...(q === undefined ? [] : [eb("time_entries.description", "ilike", containsPattern(q))]),
      ...(updated_since ? [eb("time_entries.updated_at", ">=", updated_since)] : []),
      ...(currency === undefined ? [] : [eb("time_entries.currency", "=", currency)]),
    ]);
}

/**
 * Requires that the filtered user, project and team belong to the workspace. Those of other workspaces are treated as
 * unknown.
 */
async function requireKnown(
  { workspaceId }: Membership,
  { user_id, project_id, team_id }: Filters,
  sourceOf: ErrorSourceOf,
): Promise<void> {
  const exists = async (
    table: "memberships" | "time_entries" | "projects" | "teams",
    column: string,
    id: string,
  ) => {
    const found = await sql`SELECT 1 FROM ${sql.table(table)}
      WHERE workspace_id = ${workspaceId} AND ${sql.ref(column)} = ${id} LIMIT 1`.execute(db());
    return found.rows.length > 0;
  };
  if (project_id && !(await exists("projects", "id", project_id)))
    throw unknown("project", sourceOf("project_id"));
  if (team_id && !(await exists("teams", "id", team_id))) throw unknown("team", sourceOf("team_id"));
  // Former members remain known through their time entries.
  const isUser = async (id: string) =>
    (await exists("memberships", "user_id", id)) || (await exists("time_entries", "user_id", id));
  if (user_id && !(await isUser(user_id))) throw unknown("user", sourceOf("user_id"));
}

function unknown(noun: "project" | "team" | "user", source: ErrorSource): Fault {
  const code = `${noun}_not_found`;
  const detail = `This workspace has no ${noun} with this id.`;
  return new Fault("missing", code, detail, { errors: [{ ...source, code, detail }] });
}
