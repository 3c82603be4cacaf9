import type { Selectable } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import type { AuditKey } from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import * as JobCursor from "../../platform/db/job-cursor.ts";
import type { AuditLinks } from "../../platform/db/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import { purgedBefore } from "../purge.ts";
import { head, resumeAt } from "./chain.ts";
import * as Checkpoint from "./checkpoint.ts";
import { examineEntry, isInserted, isLate, mayBeMissingBefore, type Problem } from "./examine.ts";
import { type Content, type Group, linkHash, mapGroups, type Salts, start } from "./hashes.ts";

const job = "check-audit-logs";

/** Rows that are read at once. */
const pageSize = 1000;

/** Problems of one workspace that are logged. More are only counted. */
const loggedProblems = 20;

/** `again` starts with the first workspace even if all were checked today. `workspaceId` checks only this one. */
export const Input = z.object({ again: z.optional(z.boolean()), workspaceId: z.optional(z.string()) });
export type Input = z.infer<typeof Input>;

/** `finished` is false if the time ran out; the next run continues where this one stopped. */
export type Run = {
  workspaces: number;
  entries: number;
  problems: number;
  failed: number;
  finished: boolean;
};

/** Where a check stopped: at a link, and after all links at an event. */
const Position = z.object({
  workspaceId: z.string(),
  sequence: z.int(),
  hash: z.string(),
  /** The latest time of an entry up to here, in milliseconds. */
  latest: z.number(),
  eventId: z.string(),
  /** The latest time of an entry that the retention has deleted or is about to delete, in milliseconds. */
  purged: z._default(z.number(), 0),
  problems: z.int(),
  isDone: z.boolean(),
});
type Position = z.infer<typeof Position>;

/**
 * Compares the audit logs of all workspaces with their chains and checkpoints. Problems are logged as errors. Stops when
 * `hasTime` returns false. A run after the one that finished does nothing until the next day.
 */
export async function checkAll(
  keys: readonly AuditKey[],
  { again = false, workspaceId }: Input = {},
  hasTime: () => boolean = () => true,
  now: Date = Clock.now(),
): Promise<Run> {
  const run: Run = { workspaces: 0, entries: 0, problems: 0, failed: 0, finished: false };
  if (workspaceId !== undefined) {
    const end = await checkWorkspace(run, keys, startOf(workspaceId), hasTime, now);
    return { ...run, finished: end.isDone };
  }
  const today = now.toISOString().slice(0, 10);
  let position = await load(today, again);
  while (position !== today && hasTime()) {
    const next: Position | undefined =
      typeof position === "object" && !position.isDone ? position : await nextWorkspace(position);
    position = next ? await tryWorkspace(run, keys, next, hasTime, now) : today;
    await JobCursor.store(job, typeof position === "object" ? JSON.stringify(position) : position, now);
  }
  run.finished = position === today;
  return run;
}

/** Returns where the run begins, today if it has nothing to do, or an empty string for the first workspace. */
async function load(today: string, again: boolean): Promise<Position | string> {
  const stored = await JobCursor.load(job);
  if (stored.startsWith("{")) return Position.parse(JSON.parse(stored));
  return stored === today && !again ? today : "";
}

async function nextWorkspace(after: Position | string): Promise<Position | undefined> {
  const row = await db()
    .selectFrom("audit_links")
    .select("workspace_id")
    .where("workspace_id", ">", typeof after === "object" ? after.workspaceId : "")
    .orderBy("workspace_id")
    .limit(1)
    .executeTakeFirst();
  return row && startOf(row.workspace_id);
}

function startOf(workspaceId: string): Position {
  return {
    workspaceId,
    sequence: 0,
    hash: start,
    latest: 0,
    eventId: "",
    purged: 0,
    problems: 0,
    isDone: false,
  };
}

/** Checks one audit log. A failure is logged and counted, and ends the check of this log. */
async function tryWorkspace(
  ...[run, keys, from, ...more]: Parameters<typeof checkWorkspace>
): Promise<Position> {
  try {
    return await checkWorkspace(run, keys, from, ...more);
  } catch (error) {
    run.failed++;
    log.error("audit log not checked", { workspaceId: from.workspaceId, error: error as Error });
    return { ...from, isDone: true };
  }
}

/** Checks one audit log, and counts the results in `run`. Returns where it stopped. */
async function checkWorkspace(
  run: Run,
  keys: readonly AuditKey[],
  from: Position,
  hasTime: () => boolean,
  now: Date,
): Promise<Position> {
  const position = { ...from };
  const found = (problem: Problem, details: object) => {
    run.problems++;
    if (++position.problems <= loggedProblems)
      log.error("audit log does not verify", { workspaceId: from.workspaceId, problem, ...details });
  };
  if (position.sequence === 0) run.workspaces++;
  let isAtEnd = position.eventId !== "";
  while (!isAtEnd && hasTime()) isAtEnd = await checkLinks(run, position, found, now);
  while (isAtEnd && !position.isDone && hasTime()) position.isDone = await checkEvents(position, found, now);
  if (position.isDone) await checkCheckpoints(position, keys, found, now);
  return position;
}

type Found = (problem: Problem, details: object) => void;

/** Checks a page of links, each with its entry. Returns whether it was the last one. */
async function checkLinks(run: Run, position: Position, found: Found, now: Date): Promise<boolean> {
  const { workspaceId } = position;
  const rows = await db()
    .selectFrom("audit_links as link")
    .leftJoin("events", "events.id", "link.event_id")
    .leftJoin("users as actor", "actor.id", "events.actor_id")
    .leftJoin("users as target", "target.id", "events.target_id")
    .selectAll("events")
    .select(linkColumns)
    .select(["actor.deleted_at as actor_deleted_at", "target.deleted_at as target_deleted_at"])
    .where("link.workspace_id", "=", workspaceId)
    .where("link.sequence", ">", position.sequence as never)
    .orderBy("link.sequence")
    .limit(pageSize)
    .execute();
  // Read after the entries: the retention stores this time before it deletes.
  const purged = mayBeMissingBefore(await purgedBefore(db()), now);
  for (const row of rows) {
    const link = linkOf(workspaceId, row);
    const details = { sequence: link.sequence, eventId: row.link_event_id };
    if (link.sequence !== position.sequence + 1) found("link_missing", { sequence: position.sequence + 1 });
    else if (linkHash(position.hash, link) !== row.link_hash) found("link_changed", details);
    if (isInserted(link, position.latest)) found("entry_inserted", details);
    const { id, ...event } = row;
    const isPurged = purged !== undefined && link.at < purged;
    if (isPurged) position.purged = Math.max(position.purged, link.at.getTime());
    if (id === null) {
      if (!isPurged) found("entry_missing", details);
    } else {
      run.entries++;
      const problem = examineEntry({ ...event, id } as Content, saltsOf(row), link, (group) =>
        isErasable(row, group),
      );
      if (problem || row.workspace_id !== workspaceId) found("entry_changed", details);
    }
    position.sequence = link.sequence;
    position.hash = row.link_hash;
    position.latest = Math.max(position.latest, link.at.getTime());
  }
  return rows.length < pageSize;
}

const linkColumns = [
  "link.sequence as link_sequence",
  "link.event_id as link_event_id",
  "link.at as link_at",
  "link.chained_at as link_chained_at",
  "link.origin_hash",
  "link.name_hash",
  "link.changes_hash",
  "link.data_hash",
  "link.entry_hash",
  "link.hash as link_hash",
] as const;

type LinkRow = Pick<Selectable<AuditLinks>, `${Group}_hash` | "entry_hash"> & {
  link_sequence: bigint;
  link_at: Date;
  link_chained_at: Date;
};

function linkOf(workspaceId: string, row: LinkRow) {
  return {
    workspaceId,
    sequence: Number(row.link_sequence),
    at: row.link_at,
    chainedAt: row.link_chained_at,
    entryHash: row.entry_hash,
    hashes: mapGroups((group) => row[`${group}_hash`]),
  };
}

function saltsOf(row: Record<`${Group}_salt`, string | null>): Salts {
  return mapGroups((group) => row[`${group}_salt`]);
}

type Erasable = { target_type: string | null; actor_deleted_at: Date | null; target_deleted_at: Date | null };

/** Returns whether an erasure may have cleared this group: the user is deleted, or the invitation may have been for one. */
function isErasable({ target_type, actor_deleted_at, target_deleted_at }: Erasable, group: Group): boolean {
  if (group === "origin") return actor_deleted_at !== null;
  if (group === "name" && target_type === "invitation") return true;
  return actor_deleted_at !== null || target_deleted_at !== null;
}

/** Checks that a page of the workspace's events is in the chain, except for new ones. Returns whether it was the last one. */
async function checkEvents(position: Position, found: Found, now: Date): Promise<boolean> {
  const rows = await db()
    .selectFrom("events")
    .leftJoin("audit_links as link", "link.event_id", "events.id")
    .select(["events.id", "events.at", "link.workspace_id", "link.sequence"])
    .where("events.workspace_id", "=", position.workspaceId)
    .where("events.id", ">", position.eventId)
    .orderBy("events.id")
    .limit(pageSize)
    .execute();
  for (const { id, at, workspace_id, sequence } of rows) {
    const isUnchained = sequence === null && isLate(at, now);
    // An entry that is older than the end of the chain but not in it was not there when the chain reached its time.
    const isMissed = isUnchained && at.getTime() < position.latest;
    const isOutside = sequence !== null && (workspace_id !== position.workspaceId || sequence < 1n);
    if (isMissed || isOutside) found("entry_inserted", { eventId: id });
    if (isUnchained) await resumeAt(id);
    position.eventId = id;
  }
  return rows.length < pageSize;
}

/** Checks the workspace's checkpoints, and signs the end of a chain that verifies and whose checkpoint is out of date. */
async function checkCheckpoints(
  { workspaceId, problems, purged }: Position,
  keys: readonly AuditKey[],
  found: Found,
  now: Date,
): Promise<void> {
  const rows = await db()
    .selectFrom("audit_checkpoints as checkpoint")
    .leftJoin("audit_links as link", (join) =>
      join
        .onRef("link.workspace_id", "=", "checkpoint.workspace_id")
        .onRef("link.sequence", "=", "checkpoint.sequence"),
    )
    .selectAll("checkpoint")
    .select("link.hash as link_hash")
    .where("checkpoint.workspace_id", "=", workspaceId)
    .orderBy("day")
    .execute();
  const publicKeys = new Map(keys.map((key) => [key.id, Checkpoint.publicKeyOfSecret(key)]));
  let isIntact = problems === 0;
  let hasListedKey = false;
  for (const { link_hash, ...row } of rows) {
    const checkpoint = Checkpoint.viewOf(row);
    const listed = publicKeys.get(checkpoint.keyId);
    hasListedKey ||= listed !== undefined;
    // A key that was removed from the configuration still stands in its checkpoints, but signs no later ones.
    const publicKey = listed ?? (hasListedKey ? undefined : checkpoint.publicKey);
    const isSigned = publicKey !== undefined && Checkpoint.isSignedBy(publicKey, checkpoint);
    const problem: Problem | undefined =
      link_hash !== checkpoint.hash ? "checkpoint_mismatch" : isSigned ? undefined : "checkpoint_signature";
    if (problem) found(problem, { sequence: checkpoint.sequence, day: row.day });
    if (problem) isIntact = false;
  }
  if (isIntact) await signEnd(workspaceId, purged, keys, now);
}

/**
 * Signs the end of a chain unless the latest checkpoint covers it and states the retention that has deleted entries until `purged`:
 * without that, exports of a log without new entries would not verify.
 */
async function signEnd(
  workspaceId: string,
  purged: number,
  keys: readonly AuditKey[],
  now: Date,
): Promise<void> {
  await transaction(async (tx) => {
    const end = await head(tx, workspaceId);
    const latest = await Checkpoint.latest(tx, workspaceId);
    const statedUntil = latest?.purgedBefore
      ? mayBeMissingBefore(new Date(latest.purgedBefore), new Date(latest.at))
      : undefined;
    const isStated = purged === 0 || (statedUntil !== undefined && purged < statedUntil.getTime());
    if (end.sequence > (latest?.sequence ?? 0) || !isStated)
      await Checkpoint.storeAll(tx, keys, [end], await purgedBefore(tx), now);
  });
}
