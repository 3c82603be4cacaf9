import { isIP } from "node:net";
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import { resolveAll } from "../avatar/resolve.ts";
import { csvLine } from "../base/csv.ts";
import * as Cursor from "../base/cursor.ts";
import { Day, dayRange } from "../base/day-bounds.ts";
import { defaultLimit, type FeedMeta, FeedQuery, feedPage, idFromCursor } from "../base/feed.ts";
import { firstId, idPattern } from "../base/id.ts";
import { invalid } from "../base/invalid.ts";
import { db } from "../platform/db/engine.ts";
import type { Events } from "../platform/db/schema.ts";
import { maskSecrets } from "../platform/log/log.ts";
import type { Membership } from "../workspace/authorization.ts";

/** Largest number of rows and bytes of one export call. A Lambda response is limited to 6 MB. */
export const exportedRows = 10_000;
export const exportedBytes = 5_000_000;

export const formats = ["csv", "ndjson"] as const;

export const View = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actor: z.object({
    type: z.string(),
    id: z.nullable(z.string()),
    /** The name of the user or job; "Deleted user" after the account was deleted. */
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    /** Present with `include=actor`. */
    avatar: z.optional(z.string()),
  }),
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  requestId: z.string(),
  outcome: z.string(),
  changes: z.object({
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
  }),
});
export type View = z.infer<typeof View>;

const Id = z.string().check(z.regex(idPattern, "Must be a valid ID."));

export const Query = z.object({
  ...FeedQuery.shape,
  actor: z.optional(Id),
  /** An action or the beginning of one: `project.` matches all project actions. */
  action: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[a-z0-9_.]{1,100}$/,
          "Action must be an action such as project.created, or the beginning of one.",
        ),
      ),
  ),
  /** The id of the object that was changed. */
  target: z.optional(Id),
  ip: z.optional(
    z.string().check(z.refine((text) => isIP(text) !== 0, "IP address must be an IPv4 or IPv6 address.")),
  ),
  from: z.optional(Day),
  to: z.optional(Day),
  outcome: z.optional(z.enum(["success", "failure"])),
  include: z.optional(z.enum(["actor"])),
  format: z.optional(z.enum(formats)),
});
export type Query = z.infer<typeof Query>;

export type List = { data: View[]; meta: FeedMeta };
export type Export = { format: (typeof formats)[number]; text: string; nextCursor: string | null };

/** Lists the audit log entries of a workspace, newest first. Throws `invalid` `cursor_invalid`. */
export async function list(membership: Membership, query: Query): Promise<List> {
  const { rows, meta } = await read(membership, query, query.limit ?? defaultLimit);
  const avatars = query.include === "actor" ? resolveAll(rows.map((row) => row.avatar ?? "")) : undefined;
  return { data: rows.map((row, at) => view(row, avatars?.[at])), meta };
}

/** Exports audit log entries as CSV (RFC 4180, with a header line) or as newline-delimited JSON. */
export async function exportEntries(
  membership: Membership,
  query: Query,
  format: Export["format"],
): Promise<Export> {
  const { rows, meta } = await read(membership, query, exportedRows);
  const line = format === "csv" ? csvOf : (entry: View) => `${JSON.stringify(entry)}\n`;
  let text = format === "csv" ? csvLine(columns.map(([name]) => name)) : "";
  let bytes = text.length;
  let last: EventRow | undefined;
  for (const row of rows) {
    const next = line(view(row));
    bytes += Buffer.byteLength(next);
    if (last && bytes > exportedBytes) return { format, text, nextCursor: cursorOf(last) };
    text += next;
    last = row;
  }
  return { format, text, nextCursor: meta.nextCursor };
}

/** The columns of the CSV, in order. */
const columns: readonly (readonly [string, (entry: View) => string | null])[] = [
  ["id", ({ id }) => id],
  ["at", ({ at }) => at],
  ["actor_type", ({ actor }) => actor.type],
  ["actor_id", ({ actor }) => actor.id],
  ["actor_name", ({ actor }) => actor.name],
  ["actor_email", ({ actor }) => actor.email],
  ["action", ({ action }) => action],
  ["target_type", ({ target }) => target.type],
  ["target_id", ({ target }) => target.id],
  ["target_name", ({ target }) => target.name],
  ["ip", ({ ip }) => ip],
  ["user_agent", ({ userAgent }) => userAgent],
  ["request_id", ({ requestId }) => requestId],
  ["outcome", ({ outcome }) => outcome],
  ["before", ({ changes }) => JSON.stringify(changes.before)],
  ["after", ({ changes }) => JSON.stringify(changes.after)],
];

function csvOf(entry: View): string {
  return csvLine(columns.map(([, value]) => value(entry)));
}

type EventRow = Selectable<Events> & { name: string | null; email: string | null; avatar: string | null };

async function read({ workspaceId, timezone }: Membership, query: Query, limit: number) {
  const { cursor, actor, action, target, ip, from, to, outcome } = query;
  if (from && to && to < from)
    throw invalid({ parameter: "to" }, "before_from", "`to` must not be before `from`.");
  const { since, before } = dayRange({ from, to }, timezone);
  let events = db()
    .selectFrom("events")
    .leftJoin("users", (join) =>
      join.onRef("users.id", "=", "events.actor_id").on("events.actor_type", "=", "user"),
    )
    .selectAll("events")
    .select(["users.name", "users.email", "users.avatar"])
    .where("events.workspace_id", "=", workspaceId)
    .orderBy("events.id", "desc")
    .limit(limit + 1);
  if (actor) events = events.where("events.actor_id", "=", actor);
  if (action) events = events.where("events.action", "like", `${action.replaceAll("_", "\\_")}%`);
  if (target) events = events.where("events.target_id", "=", target);
  if (ip) events = events.where("events.ip", "=", ip);
  if (outcome) events = events.where("events.outcome", "=", outcome);
  // Ids begin with their creation time, so the index on ids also serves the date range.
  if (since) events = events.where("events.id", ">=", firstId("evt", since));
  if (before) events = events.where("events.id", "<", firstId("evt", before));
  if (cursor !== undefined) events = events.where("events.id", "<", idFromCursor(cursor));
  return feedPage(await events.execute(), limit, cursorOf);
}

function cursorOf({ id }: EventRow): string {
  return Cursor.encode([id]);
}

function view(row: EventRow, avatar?: string): View {
  const name = row.actor_type === "user" ? row.name : row.actor_id;
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: {
      type: row.actor_type,
      id: row.actor_id,
      name,
      email: row.email || null,
      ...(avatar !== undefined && { avatar }),
    },
    action: row.action,
    target: { type: row.target_type, id: row.target_id, name: row.target_name },
    ip: row.ip || null,
    userAgent: row.user_agent || null,
    requestId: row.request_id,
    outcome: row.outcome,
    changes: changesOf(row.changes),
  };
}

const secret = /password|secret|token|hash|credential/i;

/** Splits changes into their values before and after. Masks values whose names or contents look like secrets. */
export function changesOf(changes: Record<string, unknown>): View["changes"] {
  const sides: View["changes"] = { before: {}, after: {} };
  for (const [name, value] of Object.entries(changes)) {
    const { before = null, after = null } = value as { before?: unknown; after?: unknown };
    sides.before[name] = safe(name, before);
    sides.after[name] = safe(name, after);
  }
  return sides;
}

function safe(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (secret.test(name)) return "[masked]";
  return JSON.parse(JSON.stringify({ [name]: value }, maskSecrets))[name] ?? null;
}
