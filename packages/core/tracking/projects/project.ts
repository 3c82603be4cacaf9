import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { defaultPerPage, type PageMeta, PageQuery, pageMeta, requestedPage } from "../../base/page.ts";
import { containsPattern, Name, singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import * as Currency from "../../money/currency.ts";
import * as Money from "../../money/money.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import type { Projects } from "../../platform/db/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { settings } from "../../workspace/workspace.ts";
import * as BudgetSettings from "./budget-settings.ts";

/** The color of a project that is created without one. */
export const defaultColor = "#64748b";

/** Maximum number of recent projects. */
export const recentProjects = 10;

export const View = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  client: z.string(),
  currency: z.string(),
  /** A decimal amount in `currency`. */
  hourlyRate: z.nullable(z.string()),
  billable: z.boolean(),
  budget: z.nullable(BudgetSettings.View),
  archivedAt: z.nullable(z.iso.datetime()),
  archivedBy: z.nullable(z.string()),
  /** Time of the last change to its entries. */
  lastTrackedAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type View = z.infer<typeof View>;

export const Create = z.object({
  name: Name,
  color: z.optional(
    z.string().check(z.regex(/^#[0-9a-f]{6}$/i, "Color must be a hex color such as #64748b.")),
  ),
  client: z.optional(singleLine(0, 100)),
  currency: z.optional(z.string().check(z.maxLength(16))),
  hourlyRate: z.optional(z.nullable(BudgetSettings.Decimal)),
  billable: z.optional(z.boolean()),
  budget: z.optional(z.nullable(BudgetSettings.Input)),
});
export type Create = z.infer<typeof Create>;

export const Update = z.partial(Create);
export type Update = z.infer<typeof Update>;

export const ListQuery = z.object({
  ...PageQuery.shape,
  archived: z.optional(z.enum(["false", "true", "all"])),
  client: z.optional(singleLine(1, 100)),
  q: z.optional(singleLine(1, 100)),
});
export type ListQuery = z.infer<typeof ListQuery>;

export type Row = Selectable<Projects>;

/** Returns the fault for an unknown project, or one of another workspace. */
function notFound(): Fault {
  return new Fault("missing", "project_not_found", "This workspace has no project with this id.");
}

/** Lists a page of the workspace's projects by name. Archived projects are included only on request. */
export async function list(
  { workspaceId }: Membership,
  query: ListQuery,
): Promise<{ data: View[]; meta: PageMeta }> {
  const { archived = "false", client, q } = query;
  const page = requestedPage(query) ?? { page: 1, perPage: defaultPerPage };
  let found = db().selectFrom("projects").where("workspace_id", "=", workspaceId);
  if (archived !== "all") found = found.where("archived_at", archived === "true" ? "is not" : "is", null);
  if (client !== undefined) found = found.where("client", "=", client);
  if (q !== undefined) found = found.where("name", "ilike", containsPattern(q));
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

/** Lists the active projects that a user last tracked time on, latest first, at most `recentProjects`. */
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

/** Returns a project of the workspace. Throws `missing` `project_not_found`. */
export async function get({ workspaceId }: Membership, id: string): Promise<View> {
  return view(await fetch(db(), workspaceId, id));
}

/**
 * Creates a project. Its currency defaults to the workspace's base currency. Throws `invalid` `currency_unsupported`, and
 * `invalid` for an amount with more decimal places than the currency has.
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
      ...BudgetSettings.columns(input.budget ?? null, currency),
      last_tracked_at: null,
      archived_at: null,
      archived_by: null,
      created_at: now,
      updated_at: now,
    };
    await tx.insertInto("projects").values(row).execute();
    await record(tx, actor, "project.created", row, Event.changes({}, auditFields(row)), now);
    return view(row);
  });
}

/**
 * Updates the given fields of a project. Existing entries keep their hourly rate. Throws `missing` `project_not_found`, the
 * errors of `create`, and `invalid` for a new currency without new amounts.
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
    const values = valuesFrom(before, input);
    const after: Row = { ...before, ...values, updated_at: now };
    const changes = Event.changes(auditFields(before), auditFields(after));
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

/** Returns the columns that an update sets. */
function valuesFrom(before: Row, input: Update) {
  const { name, color, client, billable, hourlyRate, budget } = input;
  const currency = input.currency ?? before.currency;
  if (currency !== before.currency) {
    Currency.requireSupported(currency, { pointer: "/currency" });
    requireNewAmounts(before, input);
  }
  return {
    ...(name !== undefined && { name }),
    ...(color !== undefined && { color }),
    ...(client !== undefined && { client }),
    ...(billable !== undefined && { billable }),
    currency,
    ...(hourlyRate !== undefined && { hourly_rate_minor: rate(hourlyRate, currency) }),
    ...(budget !== undefined && BudgetSettings.columns(budget, currency)),
  };
}

/** Deletes a project without time entries. Throws `missing` `project_not_found` and `conflict` `project_has_entries`. */
export async function remove(
  actor: Actor,
  { workspaceId }: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const row = await fetch(tx, workspaceId, id);
    // Writing an entry also writes the project's row. When both happen at once, the second transaction is retried.
    const deleted = await tx
      .deleteFrom("projects")
      .where("id", "=", id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("time_entries").select("id").where("project_id", "=", id))),
      )
      .returning("id")
      .executeTakeFirst();
    if (!deleted)
      throw new Fault(
        "conflict",
        "project_has_entries",
        "This project has time entries. Archive it, or delete its entries first.",
      );
    await tx.deleteFrom("budget_warnings").where("project_id", "=", id).execute();
    await record(tx, actor, "project.deleted", row, Event.changes(auditFields(row), {}), now);
  });
}

/**
 * Marks a project as tracked and returns it. Call it in the transaction that changes an entry of the project: the project
 * then cannot be archived or deleted before the commit. Throws `missing` `project_not_found` and `conflict`
 * `project_archived`.
 */
export async function markTracked(tx: Tx, workspaceId: string, id: string, now: Date): Promise<Row> {
  // A write rather than a read, so that it conflicts with archiving and deleting, and one of the two is retried.
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
    "This project is archived, so its time entries cannot change. Unarchive it first.",
  );
}

/** Loads the row of a project of this workspace. Throws `missing` `project_not_found`. */
export async function fetch(reader: Reader, workspaceId: string, id: string): Promise<Row> {
  const row = await reader
    .selectFrom("projects")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Formats a project for a response. */
export function view(row: Row): View {
  return {
    id: row.id,
    ...auditFields(row),
    archivedAt: row.archived_at?.toISOString() ?? null,
    archivedBy: row.archived_by,
    lastTrackedAt: row.last_tracked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Returns the fields that users set, which audit entries compare. */
function auditFields(row: Row) {
  const { name, color, client, currency, billable, hourly_rate_minor: minor } = row;
  const hourlyRate = minor === null ? null : Money.view({ minor, currency }).amount;
  return { name, color, client, currency, hourlyRate, billable, budget: BudgetSettings.view(row) };
}

function rate(hourlyRate: string | null, currency: string): bigint | null {
  return hourlyRate === null ? null : Money.parse(hourlyRate, currency, "/hourlyRate").minor;
}

/** Requires new amounts with a new currency, because an amount is never carried over to another currency. */
function requireNewAmounts(before: Row, { hourlyRate, budget }: Update): void {
  const stale = [
    ...(before.hourly_rate_minor !== null && hourlyRate === undefined ? ["/hourlyRate"] : []),
    ...(before.budget_type === "money" && budget === undefined ? ["/budget"] : []),
  ];
  if (stale.length === 0) return;
  throw new Fault(
    "invalid",
    "invalid_input",
    "A new currency requires new amounts. See `errors` for the fields to set.",
    {
      errors: stale.map((pointer) => ({
        pointer,
        code: "restatement_required",
        detail: "Set this amount in the new currency.",
      })),
    },
  );
}

/** Records an event of a project, inside the caller's transaction. */
export async function record(
  tx: Tx,
  by: Event.EventActor,
  action: Event.InternalAction,
  row: Row,
  changes: Event.Changes,
  at: Date,
): Promise<void> {
  await Event.record(tx, by, { action, ...eventScope(row), changes }, at);
}

/** The target and the workspace of a project's events. */
export function eventScope({ id, name, workspace_id: workspaceId }: Row) {
  return { target: { type: "project", id, name }, workspaceId } as const;
}
