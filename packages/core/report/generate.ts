import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { CurrencyCode } from "../base/currency-code.ts";
import { Day } from "../base/day-bounds.ts";
import { Fault } from "../base/fault.ts";
import { Id, newId } from "../base/id.ts";
import { invalid, invalidWithCode } from "../base/invalid.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import type { Filters } from "../tracking/time-entries/filters.ts";
import { Tag } from "../tracking/time-entries/time-entry.ts";
import { type Membership, reaches } from "../workspace/authorization.ts";
import { filesBucket } from "./bucket.ts";
import { type FileOptions, render, types } from "./contents.ts";
import * as Custom from "./custom.ts";
import { Column } from "./detail.ts";
import { dimensions } from "./dimension.ts";
import { type Format, formats, objectKey, retentionDays } from "./object-key.ts";
import type { Report } from "./report.ts";
import { type ErrorSourceOf, type ReportScope, resolveScope } from "./report-scope.ts";
import * as Rounding from "./rounding.ts";
import { defaultGroup } from "./summary.ts";

/** The largest report file in bytes. Files are built in memory. */
export const maxBytes = 50_000_000;

export const Generate = z.object({
  type: z.enum(types),
  format: z.enum(formats),
  from: z.optional(Day),
  to: z.optional(Day),
  groupBy: z.optional(Custom.uniqueList(z.enum(dimensions), Custom.maxLevels)),
  filters: z.optional(
    z.object({
      projectId: z.optional(Id),
      userId: z.optional(Id),
      teamId: z.optional(Id),
      tag: z.optional(Tag),
      billable: z.optional(z.boolean()),
      currency: z.optional(CurrencyCode),
    }),
  ),
  convertTo: z.optional(CurrencyCode),
  rounding: z.optional(Rounding.Text),
  includeCharts: z.optional(z.boolean()),
  /** For custom and detailed reports. */
  columns: z.optional(Custom.uniqueList(Column, 20)),
  /** For custom reports. */
  metrics: z.optional(Custom.uniqueList(Custom.Metric, Custom.metrics.length)),
  sort: z.optional(Custom.Sort),
  /** Whether a CSV file starts with a byte order mark, so that Excel reads it as UTF-8. Other formats have none. */
  bom: z.optional(z.boolean()),
});
export type Generate = z.infer<typeof Generate>;

/** Returns whether a body, which may be malformed, requests features of the ENTERPRISE plan. */
export function isEnterprise({ type, filters, convertTo, includeCharts }: Record<string, unknown>): boolean {
  const currency = typeof filters === "object" && filters !== null && "currency" in filters;
  return (
    type === "custom" ||
    currency ||
    convertTo !== undefined ||
    (includeCharts !== undefined && includeCharts !== false)
  );
}

const pointers: Readonly<Record<string, string>> = {
  from: "/from",
  to: "/to",
  convert_to: "/convertTo",
  project_id: "/filters/projectId",
  user_id: "/filters/userId",
  team_id: "/filters/teamId",
  tag: "/filters/tag",
  billable: "/filters/billable",
  currency: "/filters/currency",
};
const sourceOf: ErrorSourceOf = (name) => ({ pointer: pointers[name] ?? "" });

/**
 * Generates a report file and stores it for `retentionDays`. The steps are ordered so that a crash never leaves a row without
 * its file: render the file, put the object, commit the row and its event. The bucket's lifecycle rule deletes an object
 * without a row. Throws what `resolveScope` throws, `invalid` `report_too_large` and `upstream` `storage_unavailable`.
 */
export async function generate(
  actor: Actor,
  membership: Membership,
  input: Generate,
  now: Date = Clock.now(),
): Promise<Report> {
  const options = optionsFrom(input);
  const { rounding, convertTo } = input;
  const query = { filters: filtersFrom(input), rounding, convertTo };
  const scope = await resolveScope(actor, membership, query, sourceOf, now);
  const file = await transaction((tx) => render(tx, scope, options, collect));
  return store(actor, membership, scope, input, file, now);
}

/** Returns the contents of the file. Throws `invalid` for options that do not fit together. */
function optionsFrom(input: Generate): FileOptions {
  const { type, format, convertTo, columns, metrics, sort, includeCharts = false, bom = false } = input;
  const levels = input.groupBy ?? (type === "summary" ? [defaultGroup] : []);
  if (type === "summary" && levels.length > 2)
    throw invalid({ pointer: "/groupBy" }, "too_big", "A summary can have at most two levels of groups.");
  Custom.requireConversion({ columns: columns ?? [], convertTo }, { pointer: "/columns" });
  const filters = input.filters ?? {};
  return { type, format, levels, columns, metrics, sort, charts: includeCharts, filters, bom };
}

function filtersFrom({ filters = {}, from, to }: Generate): Filters {
  const { userId, projectId, teamId, tag, billable, currency } = filters;
  return { user_id: userId, project_id: projectId, team_id: teamId, tag, billable, currency, from, to };
}

/** Puts the file into the bucket, then writes the row and its event. */
async function store(
  actor: Actor,
  membership: Membership,
  { period: { from, to } }: ReportScope,
  input: Generate,
  { body, contentType }: { body: Buffer; contentType: string },
  now: Date,
): Promise<Report> {
  const { workspaceId } = membership;
  const { type, format } = input;
  const id = newId("rep", now);
  const key = objectKey(workspaceId, id, format);
  await filesBucket().put(key, body, {
    contentType,
    cacheControl: "private, max-age=604800, immutable",
    contentDisposition: `attachment; filename="${type}-${from}-${to}.${format}"`,
  });
  const keptUntil = new Date(now.getTime() + retentionDays * 86_400_000);
  const row = { id, type, format, size: body.length, keptUntil };
  try {
    await insertRow(actor, membership, row, { ...input, from, to }, now);
  } catch (error) {
    await resolveFailedInsert(actor, id, key, error);
  }
  return { id, workspaceId, format, size: body.length, keptUntil: keptUntil.toISOString() };
}

/**
 * Deletes the file when its row was not committed, and throws `error`. When the outcome of the commit is unknown, keeps the
 * file, and returns without an error if the row exists.
 */
async function resolveFailedInsert(actor: Actor, id: string, key: string, error: unknown): Promise<void> {
  const isUnknown = error instanceof Fault && error.code === "commit_unknown";
  if (isUnknown && (await rowExists(id))) return;
  if (!isUnknown) await removeFile(key, actor);
  throw error;
}

/** Gathers the bytes of a file. Throws `invalid` `report_too_large` above `maxBytes`. */
async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    collected.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw invalidWithCode(
        sourceOf("from"),
        "report_too_large",
        `The file is larger than ${maxBytes / 1_000_000} MB. Choose fewer days.`,
      );
  }
  return Buffer.concat(collected);
}

type ReportRow = { id: string; type: string; format: Format; size: number; keptUntil: Date };

async function insertRow(
  actor: Actor,
  { workspaceId, role }: Membership,
  { id, type, format, size, keptUntil }: ReportRow,
  parameters: Generate,
  now: Date,
): Promise<void> {
  await transaction(async (tx) => {
    await tx
      .insertInto("reports")
      .values({
        id,
        workspace_id: workspaceId,
        user_id: actor.userId,
        everybodys: reaches(role, "manager"),
        type,
        format,
        size_bytes: size,
        created_at: now,
        expires_at: keptUntil,
      })
      .execute();
    const target = { type: "report", id, name: `${type}.${format}` } as const;
    const changes = Event.changes({}, { ...parameters, size });
    await Event.record(tx, actor, { action: "report.generated", target, workspaceId, changes }, now);
  });
}

async function rowExists(id: string): Promise<boolean> {
  const row = db().selectFrom("reports").select("id").where("id", "=", id).executeTakeFirst();
  return (await row.catch(() => undefined)) !== undefined;
}

/** Deletes a file. A failure is only logged, because the bucket's lifecycle rule deletes the file later. */
async function removeFile(key: string, { requestId }: Actor): Promise<void> {
  try {
    await filesBucket().remove(key);
  } catch (error) {
    log.warn("report file left to the lifecycle rule", { requestId, key, error: error as Error });
  }
}
