import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import { firstId } from "../../base/id.ts";
import { settledMinutes } from "../../event/columns.ts";
import type { AuditKey } from "../../platform/config/config.ts";
import { writeConflict } from "../../platform/db/conflict.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import * as JobCursor from "../../platform/db/job-cursor.ts";
import type { Events } from "../../platform/db/schema.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import { purgedBefore } from "../purge.ts";
import * as Checkpoint from "./checkpoint.ts";
import { entryHash, groupHash, groupNames, type Hashes, linkHash, mapGroups, start } from "./hashes.ts";

const job = "chain-audit-logs";

/** Largest number of entries of one transaction. Each writes two rows, and Aurora DSQL limits a transaction to about 3,000. */
export const batchRows = 1000;

/** Approximate largest size of one transaction. Aurora DSQL limits it to 10 MiB. */
const batchBytes = 4 * 1024 * 1024;

/** Random bytes of each salt. */
const saltBytes = 16;

/** Workspaces that are looked up at once after a batch of several has failed. */
const pageSize = 100;

/** `failed` counts workspaces. `finished` is false if the time ran out; the next run continues. */
export type Run = { entries: number; workspaces: number; failed: number; finished: boolean };

/** Where a batch looks for entries: in all workspaces with ids after this one, or in one workspace. */
type Scope = { after: string } | { workspaceId: string };

/** The numbers of entries that were chained, in the order of the workspaces. `isFull` tells that more may be waiting. */
type Batch = { entries: ReadonlyMap<string, number>; isFull: boolean };

type Row = Selectable<Events> & { workspace_id: string };

/** Counts of a run so far. */
type Progress = { entries: number; workspaces: Set<string>; failed: number };

/**
 * Adds the entries of all audit logs that are not in the chain of their workspace yet, except for recent ones, which may still
 * change, and signs the new end of each chain. An entry is found by its missing sequence, so one that was committed late is
 * added as well, after the newer ones. A workspace that fails is logged and does not stop the others.
 */
export async function chainAll(
  keys: readonly AuditKey[],
  hasTime: () => boolean = () => true,
  now: Date = Clock.now(),
): Promise<Run> {
  const progress: Progress = { entries: 0, workspaces: new Set(), failed: 0 };
  let after = await JobCursor.load(job);
  let finished = false;
  while (!finished && hasTime())
    try {
      const { entries, isFull } = await chainBatch(keys, { after }, now);
      count(progress, entries);
      // The last workspace of a full batch may have more entries.
      after = [...entries.keys()].at(-2) ?? after;
      finished = !isFull;
    } catch (error) {
      log.warn("audit logs are chained one by one", { error: error as Error });
      const page = await unchainedAfter(after, now);
      for (const workspaceId of page) {
        if (!(await chainWorkspace(progress, keys, workspaceId, hasTime, now))) break;
        after = workspaceId;
      }
      finished = page.length < pageSize && after === (page.at(-1) ?? after);
    }
  await JobCursor.store(job, finished ? "" : after, now);
  return { ...progress, workspaces: progress.workspaces.size, finished };
}

function count(progress: Progress, entries: Batch["entries"]): void {
  for (const [workspaceId, number] of entries) {
    progress.workspaces.add(workspaceId);
    progress.entries += number;
  }
}

/** Chains the entries of one workspace. Returns false if the time ran out. */
async function chainWorkspace(
  progress: Progress,
  keys: readonly AuditKey[],
  workspaceId: string,
  hasTime: () => boolean,
  now: Date,
): Promise<boolean> {
  try {
    for (let isFull = true; isFull; ) {
      if (!hasTime()) return false;
      const batch = await chainBatch(keys, { workspaceId }, now);
      count(progress, batch.entries);
      isFull = batch.isFull;
    }
  } catch (error) {
    progress.failed++;
    log.error("audit log not chained", { workspaceId, error: error as Error });
  }
  return true;
}

/** Returns the next workspaces, by id, that have settled entries outside of their chain. */
async function unchainedAfter(after: string, now: Date): Promise<string[]> {
  const rows = await db()
    .selectFrom("events")
    .select("workspace_id")
    .distinct()
    .where("workspace_id", ">", after)
    .where("sequence", "is", null)
    .where("id", "<", settledBefore(now))
    .orderBy("workspace_id")
    .limit(pageSize)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id as string);
}

function settledBefore(now: Date): string {
  return firstId("evt", new Date(now.getTime() - settledMinutes * 60_000));
}

/**
 * Adds the oldest entries of each workspace that are not in its chain, in one transaction. Of two batches at once, one finds its
 * sequence numbers used, and starts again without the entries that the other has chained.
 */
export function chainBatch(keys: readonly AuditKey[], scope: Scope, now: Date = Clock.now()): Promise<Batch> {
  return transaction(async (tx) => {
    try {
      return await addEntries(tx, keys, scope, now);
    } catch (error) {
      throw violates(error, "audit_links_pkey") ? writeConflict() : error;
    }
  });
}

async function addEntries(tx: Tx, keys: readonly AuditKey[], scope: Scope, now: Date): Promise<Batch> {
  let query = tx
    .selectFrom("events")
    .selectAll()
    .where("sequence", "is", null)
    .where("id", "<", settledBefore(now))
    .orderBy("workspace_id")
    .orderBy("id")
    .limit(batchRows);
  if ("workspaceId" in scope) query = query.where("workspace_id", "=", scope.workspaceId);
  else query = query.where("workspace_id", ">", scope.after);
  const found = (await query.execute()) as Row[];
  const rows = limited(found);
  const entries = new Map<string, number>();
  for (const { workspace_id } of rows) entries.set(workspace_id, (entries.get(workspace_id) ?? 0) + 1);
  if (rows.length > 0) {
    const heads = await headsOf(tx, [...entries.keys()]);
    const links = linksOf(rows, heads, now);
    await insertLinks(tx, links, now);
    await setSequences(tx, links);
    await Checkpoint.storeAll(tx, keys, [...heads.values()], await purgedBefore(tx), now);
  }
  return { entries, isFull: rows.length === batchRows || rows.length < found.length };
}

/** Returns the first rows, at least one, that fit into a transaction. */
function limited(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ changes, data, target_name, user_agent }) => {
    bytes += 1000 + JSON.stringify([changes, data, target_name, user_agent]).length;
    return bytes > batchBytes;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1));
}

/** Returns the last link of a chain. */
export async function head(reader: Reader, workspaceId: string): Promise<Checkpoint.Head> {
  return (await headsOf(reader, [workspaceId])).get(workspaceId) as Checkpoint.Head;
}

/** Returns the last links of chains, by workspace. A chain without links ends with sequence 0. */
async function headsOf(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<Map<string, Checkpoint.Head>> {
  const { rows } = await sql<{ workspace_id: string; sequence: bigint; hash: string }>`
    SELECT last.workspace_id, last.sequence, last.hash
    FROM unnest(${workspaceIds}::text[]) AS workspace(id) CROSS JOIN LATERAL (
      SELECT workspace_id, sequence, hash FROM audit_links WHERE workspace_id = workspace.id
      ORDER BY sequence DESC LIMIT 1
    ) AS last`.execute(reader);
  const heads = new Map(
    workspaceIds.map((workspaceId) => [workspaceId, { workspaceId, sequence: 0, hash: start }]),
  );
  for (const { workspace_id: workspaceId, sequence, hash } of rows)
    heads.set(workspaceId, { workspaceId, sequence: Number(sequence), hash });
  return heads;
}

type NewLink = {
  row: Row;
  sequence: number;
  salts: Hashes;
  hashes: Hashes;
  entryHash: string;
  hash: string;
};

/** Returns the links of these entries, which continue the chains, and moves `heads` to them. */
function linksOf(rows: readonly Row[], heads: Map<string, Checkpoint.Head>, now: Date): NewLink[] {
  const random = randomBytes(rows.length * groupNames.length * saltBytes);
  const salt = (at: number) => random.toString("base64url", at * saltBytes, (at + 1) * saltBytes);
  return rows.map((row, n) => {
    const { workspace_id: workspaceId, at } = row;
    const previous = heads.get(workspaceId) as Checkpoint.Head;
    const salts = mapGroups((group) => salt(n * groupNames.length + groupNames.indexOf(group)));
    const hashes = mapGroups((group) => groupHash(row, group, salts[group]));
    const sequence = previous.sequence + 1;
    const link = { workspaceId, sequence, at, chainedAt: now, entryHash: entryHash(row, hashes) };
    const hash = linkHash(previous.hash, link);
    heads.set(workspaceId, { workspaceId, sequence, hash });
    return { row, sequence, salts, hashes, entryHash: link.entryHash, hash };
  });
}

/** Inserts links. Values of a column are one parameter, so that the statement is the same for batches of all sizes. */
async function insertLinks(tx: Tx, links: readonly NewLink[], now: Date): Promise<void> {
  const texts = (value: (link: NewLink) => string) => sql`${links.map(value)}::text[]`;
  await sql`
    INSERT INTO audit_links (workspace_id, sequence, event_id, at, chained_at,
      origin_hash, name_hash, changes_hash, data_hash, entry_hash, hash)
    SELECT link.workspace_id, link.sequence, link.event_id, link.at, ${now}::timestamptz,
      link.origin_hash, link.name_hash, link.changes_hash, link.data_hash, link.entry_hash, link.hash
    FROM unnest(${texts(({ row }) => row.workspace_id)}, ${links.map(({ sequence }) => sequence)}::bigint[],
      ${texts(({ row }) => row.id)}, ${links.map(({ row }) => row.at)}::timestamptz[],
      ${texts(({ hashes }) => hashes.origin)}, ${texts(({ hashes }) => hashes.name)},
      ${texts(({ hashes }) => hashes.changes)}, ${texts(({ hashes }) => hashes.data)},
      ${texts((link) => link.entryHash)}, ${texts(({ hash }) => hash)}
    ) AS link (workspace_id, sequence, event_id, at, origin_hash, name_hash, changes_hash, data_hash, entry_hash, hash)
  `.execute(tx);
}

/** Writes sequence and salts into the events. */
async function setSequences(tx: Tx, links: readonly NewLink[]): Promise<void> {
  const texts = (value: (link: NewLink) => string) => sql`${links.map(value)}::text[]`;
  await sql`
    UPDATE events SET sequence = link.sequence, origin_salt = link.origin_salt, name_salt = link.name_salt,
      changes_salt = link.changes_salt, data_salt = link.data_salt
    FROM unnest(${texts(({ row }) => row.id)}, ${links.map(({ sequence }) => sequence)}::bigint[],
      ${texts(({ salts }) => salts.origin)}, ${texts(({ salts }) => salts.name)},
      ${texts(({ salts }) => salts.changes)}, ${texts(({ salts }) => salts.data)}
    ) AS link (event_id, sequence, origin_salt, name_salt, changes_salt, data_salt)
    WHERE events.id = link.event_id`.execute(tx);
}
