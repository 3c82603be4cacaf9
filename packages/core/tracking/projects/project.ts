import { type Selectable, sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { CurrencyCode } from "../../base/currency-code.ts";
import { Fault } from "../../base/fault.ts";
import { Id, newId } from "../../base/id.ts";
import { type IfMatch, requireMatch } from "../../base/if-match.ts";
import { Instant } from "../../base/instant.ts";
import { defaultPerPage, type PageMeta, PageQuery, pageMeta, requestedPage } from "../../base/page.ts";
import { containsPattern, Name, singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import * as Currency from "../../money/currency.ts";
import * as Money from "../../money/money.ts";
import { deleteBatch } from "../../platform/db/delete-in-batches.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import type { Projects } from "../../platform/db/schema.ts";
import { afterCommit, transaction } from "../../platform/db/transaction.ts";
import { changed, executeUnlessChanged, newVersion, versionOf } from "../../platform/db/version.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { limitReached, lock, maxActiveProjects } from "../../workspace/limits.ts";
import { settings } from "../../workspace/workspace.ts";
import * as Sums from "../amounts/sums.ts";
import * as BudgetSettings from "./budget-settings.ts";
import * as Guard from "./guard.ts";

/** The color of a project that is created without one. */
export const defaultColor = "#64748b";

/** Maximum number of recent projects. */
export const recentProjects = 10;

/** Shortest time between two updates of `last_tracked_at`. */
const trackedPrecisionMs = 60_000;

export const View = z.object({
  id: Id,
  name: z.string(),
  color: z.string(),
  client: z.string(),
  currency: CurrencyCode,
  /** A decimal amount in `currency`. Null without a rate, and for callers who do not see money. */
  hourlyRate: z.nullable(z.string()),
  billable: z.boolean(),
  /** Null without a budget, and for callers who do not see money. */
  budget: z.nullable(BudgetSettings.View),
  archivedAt: z.nullable(Instant),
  archivedBy: z.nullable(z.string()),
  /** Time of the last change to its entries, up to a minute early. */
  lastTrackedAt: z.nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  /** The ETag without its quotes. */
  version: z.string(),
});
export type View = z.infer<typeof View>;

export const Create = z.object({
  name: Name,
  color: z.optional(
    z.string().check(z.regex(/^#[0-9a-f]{6}$/i, "Color must be a hex color such as #64748b.")),
  ),
  client: z.optional(singleLine(0, 100)),
  currency: z.optional(CurrencyCode),
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

/** Reads a page of the workspace's projects by name. Archived projects are included only on request. */
export async function page(
  { workspaceId }: Membership,
  query: ListQuery,
): Promise<{ rows: Row[]; meta: PageMeta }> {
  const { archived = "false", client, q } = query;
  const requested = requestedPage(query) ?? { page: 1, perPage: defaultPerPage };
  let found = db().selectFrom("projects").where("workspace_id", "=", workspaceId);
  if (archived !== "all") found = found.where("archived_at", archived === "true" ? "is not" : "is", null);
  if (client !== undefined) found = found.where("client", "=", client);
  if (q !== undefined) found = found.where("name", "ilike", containsPattern(q));
  const rows = await found
    .selectAll()
    .select(({ fn }) => fn.countAll<bigint>().over().as("total"))
    .orderBy(({ fn }) => fn("lower", ["name"]))
    .orderBy("id")
    .limit(requested.perPage)
    .offset((requested.page - 1) * requested.perPage)
    .execute();
  // A page after the last has no row that could contain the total.
  const total =
    rows[0]?.total ??
    (requested.page === 1
      ? 0n
      : (await found.select(({ fn }) => fn.countAll<bigint>().as("total")).executeTakeFirstOrThrow()).total);
  return { rows, meta: pageMeta(requested, Number(total)) };
}

/** Lists the active projects that a user last tracked time on, latest first, at most `recentProjects`. */
export async function recent(membership: Membership, userId: string): Promise<View[]> {
  const { workspaceId } = membership;
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
  return rows.map((row) => view(membership, row));
}

/** Returns a project of the workspace. Throws `missing` `project_not_found`. */
export async function get(membership: Membership, id: string): Promise<View> {
  return view(membership, await fetch(db(), membership.workspaceId, id));
}

/**
 * Creates a project. Its currency defaults to the workspace's base currency. Throws `invalid` `currency_unsupported`, `invalid`
 * for an amount with more decimal places than the currency has, and `conflict` `limit_reached` above `maxActiveProjects`.
 */
export async function create(
  actor: Actor,
  membership: Membership,
  input: Create,
  now: Date = Clock.now(),
): Promise<View> {
  const { workspaceId } = membership;
  return transaction(async (tx) => {
    const currency = input.currency ?? (await settings(tx, workspaceId)).baseCurrency;
    Currency.requireSupported(currency, { pointer: "/currency" }, Currency.isKnown);
    const row = {
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
      sums_complete_at: now,
      archived_at: null,
      archived_by: null,
      created_at: now,
      ...changed(now),
    };
    await tx.insertInto("projects").values(row).execute();
    await requireWithinLimit(tx, workspaceId);
    await record(tx, actor, "project.created", row, Event.changes({}, auditFields(row)), now);
    return view(membership, row);
  });
}

/**
 * Throws `conflict` `limit_reached` if the workspace has more than `maxActiveProjects`. Call it in the transaction that creates
 * or unarchives a project, after that change.
 */
export async function requireWithinLimit(tx: Tx, workspaceId: string): Promise<void> {
  await lock(tx, "workspaces", workspaceId);
  const { active } = await tx
    .selectFrom("projects")
    .select(({ fn }) => fn.countAll<bigint>().as("active"))
    .where("workspace_id", "=", workspaceId)
    .where("archived_at", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(active) > maxActiveProjects)
    throw limitReached(
      maxActiveProjects,
      `This workspace has ${maxActiveProjects} active projects, which is the maximum. Archive or delete one first.`,
    );
}

/**
 * Updates the given fields of a project. Existing entries keep their hourly rate. Throws `missing` `project_not_found`, `stale`
 * `changed_meanwhile`, the errors of `create`, and `invalid` for a new currency without new amounts.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  id: string,
  input: Update,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<View> {
  return transaction(async (tx) => {
    const before = await fetchToChange(tx, membership, id, ifMatch);
    const values = { ...valuesFrom(before, input), ...changed(now) };
    const after: Row = { ...before, ...values };
    const changes = Event.changes(auditFields(before), auditFields(after));
    if (Object.keys(changes).length === 0) return view(membership, before);
    await write(tx, before, values);
    await record(tx, actor, "project.updated", after, changes, now);
    return view(membership, after);
  });
}

/** Returns the columns that an update sets. */
function valuesFrom(before: Row, input: Update) {
  const { name, color, client, billable, hourlyRate, budget } = input;
  const currency = input.currency ?? before.currency;
  if (currency !== before.currency) {
    Currency.requireSupported(currency, { pointer: "/currency" }, Currency.isKnown);
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

/**
 * Writes these columns and a new version of a project that this transaction has read, unless it has changed since: then the
 * transaction runs again. Returns the written row.
 */
export function write(tx: Tx, before: Row, values: Partial<Row> & { version: string }): Promise<Row> {
  return executeUnlessChanged(
    tx
      .updateTable("projects")
      .set(values)
      .where("id", "=", before.id)
      .where("version", "is not distinct from", before.version)
      .returningAll(),
  );
}

/** Loads a project for a change. Throws `missing` `project_not_found`, and `stale` for another version than `ifMatch`. */
async function fetchToChange(
  tx: Tx,
  membership: Membership,
  id: string,
  ifMatch: IfMatch | undefined,
): Promise<Row> {
  const row = await fetch(tx, membership.workspaceId, id);
  const current = view(membership, row);
  await requireMatch(ifMatch, current.version, () => current);
  return row;
}

/**
 * Deletes a project without time entries. Throws `missing` `project_not_found`, `stale` `changed_meanwhile` and `conflict`
 * `project_has_entries`.
 */
export async function remove(
  actor: Actor,
  membership: Membership,
  id: string,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const row = await fetchToChange(tx, membership, id, ifMatch);
    await Guard.close(tx, id, now);
    const deleted = tx
      .deleteFrom("projects")
      .where("id", "=", id)
      .where("version", "is not distinct from", row.version)
      // Evaluated here, so that the two reasons not to delete the row can be told apart.
      .returning(({ exists, selectFrom }) =>
        exists(selectFrom("time_entries").select("id").where("project_id", "=", id)).as("hasEntries"),
      );
    const { hasEntries } = await executeUnlessChanged(deleted);
    if (hasEntries)
      throw new Fault(
        "conflict",
        "project_has_entries",
        "This project has time entries. Archive it, or delete its entries first.",
      );
    await tx.deleteFrom("budget_warnings").where("project_id", "=", id).execute();
    await deleteBatch(tx, "project_sums", Sums.key, sql`project_id = ${id}`);
    await record(tx, actor, "project.deleted", row, Event.changes(auditFields(row), {}), now);
  });
}

/**
 * Returns the active project of an entry that the user changes in this transaction. The project then cannot be archived or
 * deleted before the commit. After the commit, the project counts as tracked now. Throws `missing` `project_not_found` and
 * `conflict` `project_archived`.
 */
export async function enter(
  tx: Tx,
  { workspaceId, id, userId }: { workspaceId: string; id: string; userId: string },
  now: Date,
): Promise<Row> {
  const row = await fetch(tx, workspaceId, id);
  if (row.archived_at)
    throw new Fault(
      "conflict",
      "project_archived",
      "This project is archived, so its time entries cannot change. Unarchive it first.",
    );
  await Guard.enter(tx, id, userId);
  if (tracksAgain(row, now)) afterCommit(tx, () => markTracked(id, now));
  return row;
}

/** Returns whether `last_tracked_at` is old enough to be written again. */
function tracksAgain({ last_tracked_at: last }: Row, now: Date): boolean {
  return !last || now.getTime() - last.getTime() >= trackedPrecisionMs;
}

/**
 * Sets `last_tracked_at`, at most once per `trackedPrecisionMs`. Call it after the commit: inside, concurrent changes of
 * entries would conflict with each other over the row of their project.
 */
async function markTracked(id: string, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - trackedPrecisionMs);
  await db()
    .updateTable("projects")
    .set({ last_tracked_at: now, version: newVersion() })
    .where("id", "=", id)
    .where((or) => or.or([or("last_tracked_at", "is", null), or("last_tracked_at", "<=", stale)]))
    .execute();
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

/** Formats a project for a response, without its hourly rate and budget for callers who do not see money. */
export function view({ seesMoney }: Pick<Membership, "seesMoney">, row: Row): View {
  return {
    id: row.id,
    ...auditFields(row),
    ...(!seesMoney && { hourlyRate: null, budget: null }),
    archivedAt: row.archived_at?.toISOString() ?? null,
    archivedBy: row.archived_by,
    lastTrackedAt: row.last_tracked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: versionOf(row, ...(seesMoney ? [] : ["without-money"])),
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
