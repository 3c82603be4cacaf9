import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { asked, defaultPerPage, type PageMeta, PageQuery, pageMeta } from "../../base/page.ts";
import { containing, line, Name } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import * as Currency from "../../money/currency.ts";
import * as Money from "../../money/money.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import type { Projects } from "../../platform/db/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { settings } from "../../workspace/workspace.ts";
import * as Budget from "./budget-terms.ts";

/** The color of a project that was given none. */
export const defaultColor = "#64748b";

/** How many projects the list of recent ones has at most. */
export const recentProjects = 10;

export const View = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  client: z.string(),
  currency: z.string(),
  /** Decimal, in `currency`. */
  hourlyRate: z.nullable(z.string()),
  billable: z.boolean(),
  budget: z.nullable(Budget.View),
  archivedAt: z.nullable(z.iso.datetime()),
  archivedBy: z.nullable(z.string()),
  /** When an entry on it was last written. */
  lastTrackedAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type View = z.infer<typeof View>;

export const Create = z.object({
  name: Name,
  color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/i, "Not a color such as #64748b."))),
  client: z.optional(line(0, 100)),
  currency: z.optional(z.string().check(z.maxLength(16))),
  hourlyRate: z.optional(z.nullable(Budget.Decimal)),
  billable: z.optional(z.boolean()),
  budget: z.optional(z.nullable(Budget.Terms)),
});
export type Create = z.infer<typeof Create>;

export const Update = z.partial(Create);
export type Update = z.infer<typeof Update>;

export const ListQuery = z.object({
  ...PageQuery.shape,
  archived: z.optional(z.enum(["false", "true", "all"])),
  client: z.optional(line(1, 100)),
  q: z.optional(line(1, 100)),
});
export type ListQuery = z.infer<typeof ListQuery>;

export type Row = Selectable<Projects>;

/** Also the answer for a project of another workspace. */
export function missing(): Fault {
  return new Fault("missing", "project_not_found", "There is no such project in this workspace.");
}

/** A page of the workspace's projects by name; archived ones only when asked for. */
export async function list(
  { workspaceId }: Membership,
  query: ListQuery,
): Promise<{ data: View[]; meta: PageMeta }> {
  const { archived = "false", client, q } = query;
  const page = asked(query) ?? { page: 1, perPage: defaultPerPage };
  let found = db().selectFrom("projects").where("workspace_id", "=", workspaceId);
  if (archived !== "all") found = found.where("archived_at", archived === "true" ? "is not" : "is", null);
  if (client !== undefined) found = found.where("client", "=", client);
  if (q !== undefined) found = found.where("name", "ilike", containing(q));
  const [rows, { total }] = await Promise.all([
    found
      .selectAll()
      .orderBy(({ fn }) => fn("lower", ["name"]))
      .orderBy("id")
      .limit(page.perPage)
      .offset((page.page - 1) * page.perPage)
      .execute(),
    found.select(({ fn }) => fn.countAll<bigint>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return { data: rows.map(view), meta: pageMeta(page, Number(total)) };
}

/** The projects that this person tracked time on last, latest first: distinct, at most ten, none archived. */
export async function recent({ workspaceId }: Membership, userId: string): Promise<View[]> {
  const rows = await db()
    .with("tracked", (on) =>
      on
        .selectFrom("time_entries")
        .select(({ fn }) => ["project_id", fn.max("started_at").as("last")])
        .where("workspace_id", "=", workspaceId)
        .where("user_id", "=", userId)
        .groupBy("project_id"),
    )
    .selectFrom("projects")
    .innerJoin("tracked", "tracked.project_id", "projects.id")
    .selectAll("projects")
    .where("projects.workspace_id", "=", workspaceId)
    .where("projects.archived_at", "is", null)
    .orderBy("tracked.last", "desc")
    .orderBy("projects.id")
    .limit(recentProjects)
    .execute();
  return rows.map(view);
}

/** One project of the workspace. Throws 404 `project_not_found`. */
export async function get({ workspaceId }: Membership, id: string): Promise<View> {
  return view(await fetch(db(), workspaceId, id));
}

/**
 * A new project, in the workspace's own currency unless it names one. Throws 422 `currency_unsupported`, and 422 for an
 * amount that its currency cannot have.
 */
export async function create(
  actor: Actor,
  { workspaceId }: Membership,
  input: Create,
  now: Date = Clock.now(),
): Promise<View> {
  return transaction(async (tx) => {
    const currency = input.currency ?? (await settings(tx, workspaceId)).baseCurrency;
    Currency.requireSupported(currency, { pointer: "/currency" });
    const row: Row = {
      id: newId("prj", now),
      workspace_id: workspaceId,
      name: input.name,
      color: input.color ?? defaultColor,
      client: input.client ?? "",
      currency,
      hourly_rate_minor: rate(input.hourlyRate ?? null, currency),
      billable: input.billable ?? true,
      ...Budget.columns(input.budget ?? null, currency),
      last_tracked_at: null,
      archived_at: null,
      archived_by: null,
      created_at: now,
      updated_at: now,
    };
    await tx.insertInto("projects").values(row).execute();
    await record(tx, actor, "project.created", row, Event.changes({}, described(row)), now);
    return view(row);
  });
}

/**
 * Change what is given and keep the rest. Entries keep the rate that they were written with. Throws 404
 * `project_not_found`, 422 as for a new project, and 422 for a new currency without new amounts in it.
 */
export async function update(
  actor: Actor,
  { workspaceId }: Membership,
  id: string,
  input: Update,
  now: Date = Clock.now(),
): Promise<View> {
  return transaction(async (tx) => {
    const before = await fetch(tx, workspaceId, id);
    const { name, color, client, billable, hourlyRate, budget } = input;
    const currency = input.currency ?? before.currency;
    if (currency !== before.currency) {
      Currency.requireSupported(currency, { pointer: "/currency" });
      demandRestated(before, input);
    }
    const values = {
      ...(name !== undefined && { name }),
      ...(color !== undefined && { color }),
      ...(client !== undefined && { client }),
      ...(billable !== undefined && { billable }),
      currency,
      ...(hourlyRate !== undefined && { hourly_rate_minor: rate(hourlyRate, currency) }),
      ...(budget !== undefined && Budget.columns(budget, currency)),
    };
    const after: Row = { ...before, ...values, updated_at: now };
    const changes = Event.changes(described(before), described(after));
    if (Object.keys(changes).length === 0) return view(before);
    await tx
      .updateTable("projects")
      .set({ ...values, updated_at: now })
      .where("id", "=", id)
      .execute();
    await record(tx, actor, "project.updated", after, changes, now);
    return view(after);
  });
}

/** Remove a project that nothing was tracked on. Throws 404 `project_not_found` and 409 `project_has_entries`. */
export async function remove(
  actor: Actor,
  { workspaceId }: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const row = await fetch(tx, workspaceId, id);
    // Whoever writes an entry writes the project's row too, so the one that commits second starts again.
    const gone = await tx
      .deleteFrom("projects")
      .where("id", "=", id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("time_entries").select("id").where("project_id", "=", id))),
      )
      .returning("id")
      .executeTakeFirst();
    if (!gone)
      throw new Fault(
        "conflict",
        "project_has_entries",
        "Time was tracked on this project. Archive it, or remove its entries first.",
      );
    await tx.deleteFrom("budget_warnings").where("project_id", "=", id).execute();
    await record(tx, actor, "project.deleted", row, Event.changes(described(row), {}), now);
  });
}

/**
 * Take hold of a project for an entry that is about to be written: the project as it stands, not archived before the
 * entry is committed. Throws 404 `project_not_found` and 409 `project_archived`.
 */
export async function track(tx: Tx, workspaceId: string, id: string, now: Date): Promise<Row> {
  // A write, not a read, so that it meets archiving and removing in one row and one of them starts again.
  const row = await tx
    .updateTable("projects")
    .set({ last_tracked_at: now })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("archived_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row) return row;
  await fetch(tx, workspaceId, id);
  throw new Fault(
    "conflict",
    "project_archived",
    "This project is archived: its time cannot change any more.",
  );
}

/** The row of a project of this workspace. Throws 404 `project_not_found`. */
export async function fetch(reader: Reader, workspaceId: string, id: string): Promise<Row> {
  const row = await reader
    .selectFrom("projects")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

/** A project as clients see it. */
export function view(row: Row): View {
  return {
    id: row.id,
    ...described(row),
    archivedAt: row.archived_at?.toISOString() ?? null,
    archivedBy: row.archived_by,
    lastTrackedAt: row.last_tracked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** What people say about a project, and what its audit entries compare. */
function described(row: Row) {
  const { name, color, client, currency, billable, hourly_rate_minor: minor } = row;
  const hourlyRate = minor === null ? null : Money.view({ minor, currency }).amount;
  return { name, color, client, currency, hourlyRate, billable, budget: Budget.view(row) };
}

function rate(hourlyRate: string | null, currency: string): bigint | null {
  return hourlyRate === null ? null : Money.parse(hourlyRate, currency, "/hourlyRate").minor;
}

/** An amount means something else in another currency, so it is never carried over. */
function demandRestated(before: Row, { hourlyRate, budget }: Update): void {
  const stale = [
    ...(before.hourly_rate_minor !== null && hourlyRate === undefined ? ["/hourlyRate"] : []),
    ...(before.budget_type === "money" && budget === undefined ? ["/budget"] : []),
  ];
  if (stale.length === 0) return;
  throw new Fault("invalid", "invalid_input", "With another currency, say its amounts anew. See errors.", {
    errors: stale.map((pointer) => ({
      pointer,
      code: "restatement_required",
      detail: "It is an amount in the former currency.",
    })),
  });
}

/** Write down what happened to a project. */
export async function record(
  tx: Tx,
  by: Event.By,
  action: Event.Action,
  { id, name, workspace_id: workspaceId }: Row,
  changes: Event.Changes,
  at: Date,
  data?: Record<string, unknown>,
): Promise<void> {
  const target = { type: "project", id, name } as const;
  await Event.record(tx, by, { action, target, workspaceId, changes, ...(data && { data }) }, at);
}
