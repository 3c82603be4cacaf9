import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Day } from "../base/day-bounds.ts";
import { Fault } from "../base/fault.ts";
import { idPattern, newId } from "../base/id.ts";
import { invalid, invalidWithCode } from "../base/invalid.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import { Tag } from "../tracking/time-entries/time-entry.ts";
import { type Membership, reaches } from "../workspace/authorization.ts";
import { types, written } from "./contents.ts";
import * as Custom from "./custom.ts";
import { Column } from "./detail.ts";
import { Dimension } from "./dimension.ts";
import { filesBucket } from "./files.ts";
import { keptDays } from "./kept.ts";
import { type Format, formats, objectKey } from "./object-key.ts";
import type { Report } from "./report.ts";
import * as Rounding from "./rounding.ts";
import { type PlaceOf, scope } from "./scope.ts";
import { defaultGroup } from "./summary.ts";

/** The largest file: it is made in memory. */
export const maxBytes = 50_000_000;

const Id = z.string().check(z.regex(idPattern, "Not an id."));

export const Generate = z.object({
  type: z.enum(types),
  format: z.enum(formats),
  from: z.optional(Day),
  to: z.optional(Day),
  groupBy: z.optional(Custom.once(Dimension, Custom.maxLevels)),
  filters: z.optional(
    z.object({
      projectId: z.optional(Id),
      userId: z.optional(Id),
      teamId: z.optional(Id),
      tag: z.optional(Tag),
      billable: z.optional(z.boolean()),
      currency: z.optional(z.string().check(z.maxLength(16))),
    }),
  ),
  convertTo: z.optional(z.string().check(z.maxLength(16))),
  rounding: z.optional(Rounding.Text),
  includeCharts: z.optional(z.boolean()),
  /** Of a custom or detailed report. */
  columns: z.optional(Custom.once(Column, 20)),
  /** Of a custom report. */
  metrics: z.optional(Custom.once(Custom.Metric, Custom.metrics.length)),
  sort: z.optional(Custom.Sort),
});
export type Generate = z.infer<typeof Generate>;

/** Whether a body, however malformed, asks for what only ENTERPRISE has. */
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
const placeOf: PlaceOf = (name) => ({ pointer: pointers[name] ?? "" });

/**
 * Make a report's file and keep it for ninety days. In this order, so that a crash at any point leaves no row without its
 * file: the file is made, the object is put, the row and its event commit. What a crash leaves over in the bucket, its
 * lifecycle takes. Throws what `scope` throws, 422 `report_too_large`, and 502 `storage_unavailable`.
 */
export async function generate(
  actor: Actor,
  membership: Membership,
  input: Generate,
  now: Date = Clock.now(),
): Promise<Report> {
  const {
    type,
    format,
    filters = {},
    convertTo,
    rounding,
    columns,
    metrics,
    sort,
    includeCharts = false,
  } = input;
  const levels = input.groupBy ?? (type === "summary" ? [defaultGroup] : []);
  if (type === "summary" && levels.length > 2)
    throw invalid({ pointer: "/groupBy" }, "too_big", "A summary has two levels at most.");
  Custom.demandColumns({ columns: columns ?? [], convertTo }, { pointer: "/columns" });
  const meant = {
    user_id: filters.userId,
    project_id: filters.projectId,
    team_id: filters.teamId,
    tag: filters.tag,
    billable: filters.billable,
    currency: filters.currency,
    from: input.from,
    to: input.to,
  };
  const of = await scope(actor, membership, { filters: meant, rounding, convertTo }, placeOf, now);
  const terms = { type, format, levels, columns, metrics, sort, charts: includeCharts };
  const { body, contentType } = await transaction((tx) => written(tx, of, terms, collect));

  const id = newId("rep", now);
  const key = objectKey(membership.workspaceId, id, format);
  await filesBucket().put(key, body, {
    contentType,
    cacheControl: "private, max-age=604800, immutable",
    contentDisposition: `attachment; filename="${type}-${of.period.from}-${of.period.to}.${format}"`,
  });
  const keptUntil = new Date(now.getTime() + keptDays * 86_400_000);
  await keep(actor, membership, { id, type, format, size: body.length, keptUntil }, now).catch(
    async (error: unknown) => {
      // While nobody can tell whether the row is there, its file must stay.
      if (!(error instanceof Fault && error.code === "commit_unknown")) await discard(key, actor);
      else if (await isKept(id)) return;
      throw error;
    },
  );
  return {
    id,
    workspaceId: membership.workspaceId,
    format,
    size: body.length,
    keptUntil: keptUntil.toISOString(),
  };
}

/** All of a file, which must not be larger than `maxBytes`. */
async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const taken: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    taken.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw invalidWithCode(
        placeOf("from"),
        "report_too_large",
        `A file of more than ${maxBytes} bytes. Take fewer days.`,
      );
  }
  return Buffer.concat(taken);
}

type Made = { id: string; type: string; format: Format; size: number; keptUntil: Date };

async function keep(actor: Actor, membership: Membership, made: Made, now: Date): Promise<void> {
  const { id, type, format, size, keptUntil } = made;
  const { workspaceId } = membership;
  await transaction(async (tx) => {
    await tx
      .insertInto("reports")
      .values({
        id,
        workspace_id: workspaceId,
        user_id: actor.userId,
        everybodys: reaches(membership.role, "manager"),
        type,
        format,
        size_bytes: size,
        created_at: now,
        expires_at: keptUntil,
      })
      .execute();
    const target = { type: "report", id, name: `${type}.${format}` } as const;
    const changes = Event.changes({}, { type, format, size });
    await Event.record(tx, actor, { action: "report.generated", target, workspaceId, changes }, now);
  });
}

async function isKept(id: string): Promise<boolean> {
  const look = db().selectFrom("reports").select("id").where("id", "=", id).executeTakeFirst();
  return (await look.catch(() => undefined)) !== undefined;
}

/** Failing is no further failure: the bucket's lifecycle takes what is left. */
async function discard(key: string, { requestId }: Actor): Promise<void> {
  try {
    await filesBucket().remove(key);
  } catch (error) {
    log.warn("object left to the lifecycle", { requestId, key, error: error as Error });
  }
}
