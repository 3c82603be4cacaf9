import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import { Instant } from "../../base/instant.ts";
import { containsPattern, singleLine } from "../../base/text.ts";
import { db } from "../../platform/db/engine.ts";
import type { Membership } from "../../workspace/authorization.ts";

/** Number of the newest entries or projects in which suggestions are searched, so that the cost does not grow with the rest. */
export const searched = 1000;

/** Maximum number of suggestions. */
export const maxSuggestions = 20;

export const Query = z.object({
  field: z.enum(["client", "tag", "description"]),
  q: z.optional(singleLine(0, 200)),
});
export type Query = z.infer<typeof Query>;

export const Suggestion = z.object({
  value: z.string(),
  /**
   * The latest start of an entry with this description or tag. For a client, the latest change of time on one of its projects, or
   * the creation of one.
   */
  lastUsedAt: Instant,
});
export type Suggestion = z.infer<typeof Suggestion>;

/**
 * Returns values of a field that contain `q`, ignoring case, the most recently used first. Descriptions are those of the caller's
 * own entries, for every role; tags and clients those of the workspace.
 */
export async function suggest(
  actor: Actor,
  { workspaceId }: Membership,
  { field, q = "" }: Query,
): Promise<Suggestion[]> {
  const { rows } = await sql<{ value: string; last: Date }>`
    SELECT value, max(used_at) AS last FROM (${sources[field](workspaceId, actor.userId)}) AS used
    WHERE value <> '' AND value ILIKE ${containsPattern(q)}
    GROUP BY value ORDER BY last DESC, value LIMIT ${maxSuggestions}`.execute(db());
  return rows.map(({ value, last }) => ({ value, lastUsedAt: last.toISOString() }));
}

/** The newest values of each field. Every subquery reads the first rows of one index. */
const sources: Record<Query["field"], (workspaceId: string, userId: string) => RawBuilder<unknown>> = {
  description: (workspaceId, userId) => sql`
    SELECT description AS value, started_at AS used_at FROM time_entries
    WHERE workspace_id = ${workspaceId} AND user_id = ${userId}
    ORDER BY started_at DESC, id DESC LIMIT ${searched}`,
  tag: (workspaceId) => sql`
    SELECT tag.name AS value, newest.started_at AS used_at
    FROM (
      SELECT tags, started_at FROM time_entries WHERE workspace_id = ${workspaceId}
      ORDER BY started_at DESC, id DESC LIMIT ${searched}
    ) AS newest CROSS JOIN LATERAL jsonb_array_elements_text(newest.tags) AS tag(name)`,
  client: (workspaceId) => sql`
    SELECT client AS value, coalesce(last_tracked_at, created_at) AS used_at FROM projects
    WHERE workspace_id = ${workspaceId}
    ORDER BY id DESC LIMIT ${searched}`,
};
