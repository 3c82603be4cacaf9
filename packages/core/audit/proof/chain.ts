import { type Selectable, sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import { firstId, timeOf } from "../../base/id.ts";
import { settledMinutes, startOfMinute } from "../../event/columns.ts";
import { newSalts } from "../../event/salts.ts";
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

/**
 * Largest number of entries of one transaction. Each writes a link, salts if it has none yet, and at most one checkpoint. Aurora
 * DSQL limits a transaction to about 3,000 rows.
 */
export const batchRows = 1000;

/** Approximate largest size of one transaction. Aurora DSQL limits it to 10 MiB. */
const batchBytes = 4 * 1024 * 1024;

/**
 * How many minutes before the end of the previous run a run looks for entries that were committed late. Older ones would be
 * chained over an hour after their time, `lateHours`, which counts as forged: the runs are 30 minutes apart, and entries settle
 * in ten. No transaction takes that long, and `check-audit-logs` finds entries that are not chained.
 */
const lookBackMinutes = 20;

/** Entries that are looked up at once. A workspace gets one checkpoint for all of them. */
export const pageRows = 20_000;

/** `failed` counts workspaces. `finished` is false if the time ran out; the next run continues. */
export type Run = { entries: number; workspaces: number; failed: number; finished: boolean };

type Row = Selectable<Events> & { workspace_id: string };

/** An entry that is not in its chain. */
type Unchained = { id: string; workspaceId: string };

/** The work of a run, and its counts so far. */
type Work = {
  keys: readonly AuditKey[];
  hasTime: () => boolean;
  now: Date;
  entries: number;
  workspaces: Set<string>;
  failed: Set<string>;
};

/**
 * Adds the entries of all audit logs that are not in the chain of their workspace yet, except for recent ones, which may still
 * change, and signs the new end of each chain. Begins `lookBackMinutes` before the end of the previous run, so an entry that was
 * committed late is added as well, after the newer ones. A workspace that fails is logged and does not stop the others; the
 * next run begins there again.
 */
export async function chainAll(
  keys: readonly AuditKey[],
  hasTime: () => boolean = () => true,
  now: Date = Clock.now(),
): Promise<Run> {
  const work: Work = { keys, hasTime, now, entries: 0, workspaces: new Set(), failed: new Set() };
  const stored = await JobCursor.load(job);
  let after = stored && firstId("evt", new Date(timeOf(stored).getTime() - lookBackMinutes * 60_000));
  let position = stored;
  let finished = false;
  while (!finished && hasTime()) {
    const page = await pageAfter(after, now);
    if (!(await chainPage(work, page.unchained))) break;
    finished = page.isLast;
    after = page.end;
    if (work.failed.size === 0 && after > position) position = after;
  }
  await JobCursor.store(job, position, now);
  return { entries: work.entries, workspaces: work.workspaces.size, failed: work.failed.size, finished };
}

/** Makes the next run begin at this event, if it would begin later. */
export async function resumeAt(eventId: string): Promise<void> {
  if (eventId < (await JobCursor.load(job))) await JobCursor.store(job, eventId);
}

/**
 * Reads the settled events after an id, up to `pageRows` of them. Returns those that are not in a chain, in the order of their
 * workspaces and times, and the id up to which the page goes.
 */
async function pageAfter(
  after: string,
  now: Date,
): Promise<{ unchained: Unchained[]; end: string; isLast: boolean }> {
  const { rows } = await sql<Unchained & { isChained: boolean; last: string; isFull: boolean }>`
    WITH page AS (
      SELECT id, workspace_id, at FROM events WHERE id > ${after} AND id < ${settledBefore(now)} AND workspace_id IS NOT NULL
      ORDER BY id LIMIT ${pageRows}
    ), bounds AS (SELECT max(id) AS last, count(*) = ${pageRows} AS "isFull" FROM page)
    SELECT page.id, page.workspace_id AS "workspaceId", link.event_id IS NOT NULL AS "isChained", bounds.*
    FROM page CROSS JOIN bounds LEFT JOIN audit_links AS link ON link.event_id = page.id
    WHERE link.event_id IS NULL OR page.id = bounds.last
    ORDER BY page.workspace_id, page.at, page.id`.execute(db());
  const { last = after, isFull = false } = rows[0] ?? {};
  const minute = isFull ? firstId("evt", startOfMinute(timeOf(last))) : "";
  // Leaves an incomplete minute to the next page: an event that counts failures has an id of the beginning of its minute.
  const end = minute > after ? minute : last;
  return { unchained: rows.filter(({ id, isChained }) => id <= end && !isChained), end, isLast: !isFull };
}

function byWorkspace(entries: readonly Unchained[]): Map<string, Unchained[]> {
  return Map.groupBy(entries, ({ workspaceId }) => workspaceId);
}

/** Chains these entries in batches. Returns false if the time ran out. */
async function chainPage(work: Work, page: readonly Unchained[]): Promise<boolean> {
  for (let at = 0; at < page.length; at += batchRows) {
    // After an entry that fails, the later ones of its workspace must wait for it.
    const batch = page.slice(at, at + batchRows).filter(({ workspaceId }) => !work.failed.has(workspaceId));
    try {
      if (!(await chainEntries(work, batch))) return false;
    } catch (error) {
      log.warn("audit logs are chained one by one", { error: error as Error });
      for (const [workspaceId, entries] of byWorkspace(batch))
        if (!(await tryEntries(work, workspaceId, entries))) return false;
    }
  }
  return true;
}

/** Chains entries of one workspace. A failure is logged and counted. Returns false if the time ran out. */
async function tryEntries(work: Work, workspaceId: string, entries: readonly Unchained[]): Promise<boolean> {
  try {
    return await chainEntries(work, entries);
  } catch (error) {
    work.failed.add(workspaceId);
    log.error("audit log not chained", { workspaceId, error: error as Error });
    return true;
  }
}

/** Chains entries in as many transactions as their size needs. Returns false if the time ran out. */
async function chainEntries(work: Work, entries: readonly Unchained[]): Promise<boolean> {
  const ids = entries.map(({ id }) => id);
  for (let isFull = ids.length > 0; isFull; ) {
    if (!work.hasTime()) return false;
    const batch = await chainBatch(work.keys, ids, work.now);
    for (const workspaceId of batch.workspaceIds) work.workspaces.add(workspaceId);
    work.entries += batch.entries;
    isFull = batch.isFull;
  }
  return true;
}

function settledBefore(now: Date): string {
  return firstId("evt", new Date(now.getTime() - settledMinutes * 60_000));
}

type Batch = { entries: number; workspaceIds: string[]; isFull: boolean };

/**
 * Adds those of these events that are not in a chain to the chains of their workspaces, in one transaction. `isFull` tells that
 * some are left. Of two batches at once, one finds its sequence numbers used, and starts again without the entries that the other
 * has chained.
 */
function chainBatch(keys: readonly AuditKey[], ids: readonly string[], now: Date): Promise<Batch> {
  return transaction(async (tx) => {
    try {
      return await addEntries(tx, keys, ids, now);
    } catch (error) {
      const isTaken = violates(error, "audit_links_pkey") || violates(error, "audit_links_event");
      throw isTaken ? writeConflict() : error;
    }
  });
}

async function addEntries(
  tx: Tx,
  keys: readonly AuditKey[],
  ids: readonly string[],
  now: Date,
): Promise<Batch> {
  const found = (await tx
    .selectFrom("events")
    .selectAll()
    .where("id", "=", sql<string>`ANY(${ids}::text[])`)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("audit_links").select("event_id").whereRef("event_id", "=", "events.id"))),
    )
    .orderBy("workspace_id")
    .orderBy("at")
    .orderBy("id")
    .execute()) as Row[];
  const rows = limited(found);
  const workspaceIds = [...new Set(rows.map(({ workspace_id }) => workspace_id))];
  if (rows.length > 0) {
    await addSalts(tx, rows);
    const heads = await headsOf(tx, workspaceIds);
    await insertLinks(tx, linksOf(rows, heads, now), now);
    await Checkpoint.storeAll(tx, keys, [...heads.values()], await purgedBefore(tx), now);
  }
  return { entries: rows.length, workspaceIds, isFull: rows.length < found.length };
}

/** Gives salts to events that an earlier release wrote without, and to those of which an erasure has cleared some. */
async function addSalts(tx: Tx, rows: readonly Row[]): Promise<void> {
  const unsalted = rows.filter((row) => groupNames.some((group) => row[`${group}_salt`] === null));
  if (unsalted.length === 0) return;
  for (const row of unsalted) Object.assign(row, newSalts());
  const texts = (value: (row: Row) => string | null) => sql`${unsalted.map(value)}::text[]`;
  await sql`
    UPDATE events SET origin_salt = salts.origin, name_salt = salts.name, changes_salt = salts.changes, data_salt = salts.data
    FROM unnest(${texts(({ id }) => id)}, ${texts((row) => row.origin_salt)}, ${texts((row) => row.name_salt)},
      ${texts((row) => row.changes_salt)}, ${texts((row) => row.data_salt)}
    ) AS salts (event_id, origin, name, changes, data)
    WHERE events.id = salts.event_id`.execute(tx);
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
  hashes: Hashes;
  entryHash: string;
  hash: string;
};

/** Returns the links of these entries, which continue the chains, and moves `heads` to them. */
function linksOf(rows: readonly Row[], heads: Map<string, Checkpoint.Head>, now: Date): NewLink[] {
  return rows.map((row) => {
    const { workspace_id: workspaceId, at } = row;
    const previous = heads.get(workspaceId) as Checkpoint.Head;
    const hashes = mapGroups((group) => groupHash(row, group, row[`${group}_salt`] ?? ""));
    const sequence = previous.sequence + 1;
    const link = { workspaceId, sequence, at, chainedAt: now, entryHash: entryHash(row, hashes) };
    const hash = linkHash(previous.hash, link);
    heads.set(workspaceId, { workspaceId, sequence, hash });
    return { row, sequence, hashes, entryHash: link.entryHash, hash };
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
