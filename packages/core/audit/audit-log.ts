import { isIP } from "node:net";
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import * as Avatar from "../avatar/resolve.ts";
import * as Cursor from "../base/cursor.ts";
import { Day, dayRange, InstantWithOffset } from "../base/day-bounds.ts";
import { defaultLimit, type FeedMeta, FeedQuery, feedPage, idFromCursor } from "../base/feed.ts";
import { firstId, Id } from "../base/id.ts";
import { Instant } from "../base/instant.ts";
import { invalid } from "../base/invalid.ts";
import { IpAddress } from "../base/ip-address.ts";
import { actionsOf, actionsThatBeginWith, categories, categoryOf } from "../event/action.ts";
import { firstIdSince } from "../event/columns.ts";
import { db } from "../platform/db/engine.ts";
import type { AuditLinks, Events } from "../platform/db/schema.ts";
import { maskSecrets } from "../platform/log/log.ts";
import type { Membership } from "../workspace/authorization.ts";

export const formats = ["csv", "ndjson"] as const;

export const View = z.object({
  id: Id,
  at: Instant,
  actor: z.object({
    type: z.string(),
    id: z.nullable(Id),
    /** The name of the user or job; "Deleted user" after the account was deleted. */
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    /** The API token that was used, if one was. */
    tokenId: z.nullable(Id),
    /** Present with `include=actor`. */
    ...z.partial(z.object(Avatar.fields)).shape,
  }),
  category: z.string(),
  action: z.string(),
  target: z.object({ type: z.string(), id: Id, name: z.string() }),
  ip: z.nullable(IpAddress),
  /** ISO 3166-1 alpha-2. */
  country: z.nullable(z.string()),
  city: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  requestId: z.string(),
  outcome: z.string(),
  /** How often this happened within the minute. Equal failures are one entry; all others have 1. */
  occurrences: z.int(),
  /** The names of the changed fields. Changes of accounts have names only, no values in `changes`. */
  fields: z.array(z.string()),
  changes: z.object({
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
  }),
});
export type View = z.infer<typeof View>;

const DayOrInstant = z
  .union(
    [Day, InstantWithOffset],
    "Must be a day such as 2026-01-31, or an instant such as 2026-01-31T12:00:00Z.",
  )
  .check(
    z.meta({
      description:
        "A day in the workspace’s time zone, or an instant of RFC 3339. `from` is inclusive. `to` includes a whole day, and excludes an instant.",
    }),
  );

export const Query = z.object({
  ...FeedQuery.shape,
  category: z.optional(z.enum(categories)),
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
    IpAddress.check(z.refine((text) => isIP(text) !== 0, "IP address must be an IPv4 or IPv6 address.")),
  ),
  from: z.optional(DayOrInstant),
  to: z.optional(DayOrInstant),
  outcome: z.optional(z.enum(["success", "failure"])),
  include: z.optional(z.enum(["actor"])),
  format: z.optional(z.enum(formats)),
});
export type Query = z.infer<typeof Query>;

export type List = { data: View[]; meta: FeedMeta };

/** Lists the audit log entries of a workspace, newest first. Throws `invalid` `cursor_invalid`. */
export async function list(membership: Membership, query: Query): Promise<List> {
  const { rows, meta } = await read(membership, query, query.limit ?? defaultLimit);
  const avatars =
    query.include === "actor"
      ? Avatar.resolveAll(
          rows.map(({ avatar, avatarPlaceholder }) => ({ avatar: avatar ?? "", avatarPlaceholder })),
        )
      : undefined;
  return { data: rows.map((row, at) => view(row, avatars?.[at])), meta };
}

/** The place of an entry in the chain, and the hashes of its personal columns. Null if it is not in the chain yet. */
export type Linked = {
  [Column in "sequence" | "origin_hash" | "name_hash" | "changes_hash" | "data_hash"]:
    | Selectable<AuditLinks>[Column]
    | null;
};

export type EventRow = Selectable<Events> &
  Linked & {
    name: string | null;
    email: string | null;
    avatar: string | null;
    avatarPlaceholder: string | null;
  };

/** Returns the instants between which a query selects entries: from `since` to before `before`. Throws `invalid` `before_from`. */
export function rangeOf({ timezone }: Membership, { from, to }: Query) {
  const days = dayRange({ from: dayOf(from), to: dayOf(to) }, timezone);
  const since = days.since ?? (from === undefined ? undefined : new Date(from));
  const before = days.before ?? (to === undefined ? undefined : new Date(to));
  if (since && before && before <= since)
    throw invalid({ parameter: "to" }, "before_from", "`to` must be after `from`, or the same day.");
  return { since, before };
}

/** Returns the text if it is a day, not an instant. */
function dayOf(text: string | undefined): string | undefined {
  return text?.includes("T") ? undefined : text;
}

/** Reads a page of entries with their actors. Throws `invalid` `cursor_invalid` and `before_from`. */
export async function read(membership: Membership, query: Query, limit: number) {
  const { cursor, category, actor, action, target, ip, outcome } = query;
  const { since, before } = rangeOf(membership, query);
  let events = db()
    .selectFrom("events")
    .leftJoin("users", (join) =>
      join.onRef("users.id", "=", "events.actor_id").on("events.actor_type", "=", "user"),
    )
    .leftJoin("audit_links as link", "link.event_id", "events.id")
    .selectAll("events")
    .select(["users.name", "users.email", ...Avatar.columns])
    .select(["link.sequence", "link.origin_hash", "link.name_hash", "link.changes_hash", "link.data_hash"])
    .where("events.workspace_id", "=", membership.workspaceId)
    .orderBy("events.id", "desc")
    .limit(limit + 1);
  if (category) events = events.where("events.action", "in", actionsOf(category));
  if (actor) events = events.where("events.actor_id", "=", actor);
  // PostgreSQL uses its index for LIKE only in databases with the collation C.
  if (action) events = events.where("events.action", "in", [action, ...actionsThatBeginWith(action)]);
  if (target) events = events.where("events.target_id", "=", target);
  if (ip) events = events.where("events.ip", "=", ip);
  if (outcome) events = events.where("events.outcome", "=", outcome);
  // Ids begin with their creation time, so the index on ids also serves the time. No id is later than its event.
  if (since) events = events.where("events.id", ">=", firstIdSince(since)).where("events.at", ">=", since);
  if (before) events = events.where("events.id", "<", firstId("evt", before)).where("events.at", "<", before);
  if (cursor !== undefined) events = events.where("events.id", "<", idFromCursor(cursor));
  return feedPage(await events.execute(), limit, cursorOf);
}

/** Returns the cursor of the entries that follow this one. */
export function cursorOf({ id }: Pick<EventRow, "id">): string {
  return Cursor.encode([id]);
}

/** Returns an entry as the API shows it. */
export function view(row: EventRow, avatar?: Avatar.Resolved): View {
  const name = row.actor_type === "user" ? row.name : row.actor_id;
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: {
      type: row.actor_type,
      id: row.actor_id,
      name,
      email: row.email || null,
      tokenId: row.token_id,
      ...avatar,
    },
    category: categoryOf(row.action),
    action: row.action,
    target: { type: row.target_type, id: row.target_id, name: row.target_name },
    ip: row.ip || null,
    country: row.country || null,
    city: row.city || null,
    userAgent: row.user_agent || null,
    requestId: row.request_id,
    outcome: row.outcome,
    occurrences: row.occurrences ?? 1,
    fields: Object.keys(row.changes),
    changes: changesOf(row.changes),
  };
}

const secret = /password|secret|token|hash|credential/i;

/** Splits changes into their values before and after. Leaves out fields of which only the name is known. Masks values whose names or contents look like secrets. */
export function changesOf(changes: Record<string, unknown>): View["changes"] {
  const sides: View["changes"] = { before: {}, after: {} };
  for (const [name, value] of Object.entries(changes)) {
    const { before, after } = value as { before?: unknown; after?: unknown };
    if (before === undefined && after === undefined) continue;
    sides.before[name] = safe(name, before);
    sides.after[name] = safe(name, after);
  }
  return sides;
}

function safe(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (secret.test(name)) return "[masked]";
  return JSON.parse(JSON.stringify({ [name]: value }, maskSecrets))[name] ?? null;
}
